/// <reference lib="dom" />
import { contrastRatio, parseColor } from './colors.ts'
import { selfAndAncestors } from './dom.ts'
import { filterLikeText, isDoneTask, shadowLikeText } from './reference-styles.ts'
import { isFreeInCase } from './text-blocks.ts'

/** Stored as a global of the world between calls. */
export interface InkState {
  sheets: CSSStyleSheet[]
  /** Elements whose background is painted in the shapes of their letters. */
  gradients: HTMLElement[]
}

/**
 * Shows the glyphs of some elements in black where they are dark, and in white where they are light;
 * with `opposite`, the other way around. The difference of both is the share of each pixel that glyphs
 * cover, on any background. Shadows are not shown, except those in the color of their text, which look
 * like a second copy of it. Letters that a background paints are shown as they are, and with `opposite`
 * not at all.
 */
export function setInk(ink: 'own' | 'opposite', hosts: Iterable<Element> = []): void {
  const world = globalThis as unknown as { inkState?: InkState }
  world.inkState ??= prepareInk(new Set(hosts))
  const root = document.documentElement
  root.style.setProperty('--visual-check-dark', ink === 'own' ? '#000' : '#fff')
  root.style.setProperty('--visual-check-light', ink === 'own' ? '#fff' : '#000')
  if (ink === 'own') return
  for (const element of world.inkState.gradients) {
    element.style.setProperty('background', 'none', 'important')
  }
}

/** Overrides the colors of all glyphs. An adopted style sheet is not subject to the page's policies. */
export function prepareInk(hosts: Set<Element>): InkState {
  const gradients = new Set<HTMLElement>()
  const found = [...hosts].map((host) => ({ host, isLight: isLight(host), gradient: gradientOf(host) }))
  const line = new Set(found.flatMap(({ host }) => selfAndAncestors(host)))
  for (const element of line) prepareDecorations(element as HTMLElement)
  for (const { host, isLight, gradient } of found) {
    if (gradient !== null) gradients.add(gradient as HTMLElement)
    const behind = inkBehindOf(host)
    if (behind !== null) (host as HTMLElement).style.setProperty('--visual-check-behind', behind)
    const ink = gradient === null ? `var(--visual-check-${isLight ? 'light' : 'dark'})` : 'transparent'
    ;(host as HTMLElement).style.setProperty('--visual-check-ink', ink)
  }
  document.documentElement.style.setProperty('--visual-check-ink', 'var(--visual-check-dark)')
  const css =
    '@layer visual-check { *, *::before, *::after { ' +
    '-webkit-text-fill-color: var(--visual-check-ink) !important; ' +
    '-webkit-text-stroke-color: var(--visual-check-ink) !important; caret-color: transparent !important; ' +
    'text-shadow: var(--visual-check-shadow, none) !important } ' +
    '*::before, *::after { -webkit-text-fill-color: var(--visual-check-behind, var(--visual-check-ink)) !important } }'
  const roots = new Set([...hosts].map((host) => host.getRootNode() as Document | ShadowRoot))
  const sheets = [...roots].map((root) => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(css)
    root.adoptedStyleSheets.push(sheet)
    return sheet
  })
  return { sheets, gradients: [...gradients] }
}

/**
 * The color of a generated sign below the letters of an element, such as a large pale number behind a heading: it is a
 * part of the background, and stays as it is. Null without one, and for signs that are hard to tell from the letters.
 */
export function inkBehindOf(host: Element): string | null {
  const MAX_ALPHA = 0.5
  const MIN_CONTRAST = 3
  const letters = parseColor(getComputedStyle(host).color)
  for (const pseudo of ['::before', '::after']) {
    const { content, position, zIndex, webkitTextFillColor } = getComputedStyle(host, pseudo)
    if (/^(?:none|normal)$/.test(content) || !/absolute|fixed/.test(position) || !(Number(zIndex) < 0)) continue
    const color = parseColor(webkitTextFillColor)
    if (color[3] <= MAX_ALPHA || contrastRatio(color, letters) >= MIN_CONTRAST) return webkitTextFillColor
  }
  return null
}

/** Whether the letters of an element are light, so that its background is dark. */
export function isLight(host: Element): boolean {
  const { webkitTextFillColor, color } = getComputedStyle(host)
  const [red, green, blue] = parseColor(webkitTextFillColor || color)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 140
}

/** The element whose background is clipped to the letters of a text that has no color of its own. */
export function gradientOf(host: Element): Element | null {
  const { webkitTextFillColor, color } = getComputedStyle(host)
  if (parseColor(webkitTextFillColor || color)[3] > 0.5) return null
  return selfAndAncestors(host).find((element) => /text/.test(getComputedStyle(element).backgroundClip)) ?? null
}

/**
 * Removes the underlines of an element, which sites choose freely below its letters, and the lines
 * through deleted text. Shows the thick and wavy lines of whole paragraphs like glyphs: they run into
 * the letters. Keeps the shadows that look like the text.
 */
export function prepareDecorations(element: HTMLElement): void {
  const { textDecorationLine, textUnderlineOffset, fontSize } = getComputedStyle(element)
  element.style.setProperty('--visual-check-shadow', shadowLikeText(element) ?? 'none')
  const filter = filterLikeText(element)
  if (filter !== null) element.style.setProperty('filter', filter, 'important')
  if (textDecorationLine === 'none') return
  const isDeleted = /^(?:del|s|strike)$/.test(element.localName) || isDoneTask(element)
  const isThroughLetters = parseFloat(textUnderlineOffset) < -0.1 * parseFloat(fontSize)
  const isHeavy = hasHeavyUnderline(element)
  const lines = textDecorationLine
    .split(' ')
    .filter((line) => !isDeleted && (line !== 'underline' || isThroughLetters || isHeavy))
  if (isHeavy) element.style.setProperty('text-decoration-color', 'var(--visual-check-ink)', 'important')
  element.style.setProperty('text-decoration-line', lines.join(' ') || 'none', 'important')
}

/** Whether an element of running text has a thick or wavy underline. Those of words and links are free. */
export function hasHeavyUnderline(element: Element): boolean {
  const { display, textDecorationLine, textDecorationStyle, textDecorationThickness, fontSize } =
    getComputedStyle(element)
  return (
    textDecorationLine.includes('underline') &&
    !/^inline|^contents/.test(display) &&
    !isFreeInCase(element.localName, (element.textContent ?? '').trim().length) &&
    (textDecorationStyle === 'wavy' || parseFloat(textDecorationThickness) > 0.12 * parseFloat(fontSize))
  )
}
