/// <reference lib="dom" />
import { layersOf, parseColor } from './colors.ts'
import { selfAndAncestors } from './dom.ts'
import { hostOf, isDense, isFreeInCase, type TextBlock } from './text-blocks.ts'

/**
 * Declarations that damage a longer text where the comparison of its words does not see it: around them,
 * between them, by taking their place in the line, or after the moment of the capture. Empty for headings and
 * other short texts, with which sites do more.
 */
export function textDamageOf(block: TextBlock, { own, tag }: { own: string; tag: string }): string[] {
  const codes = tag === 'pre' ? [] : codeOnOwnLines(block)
  if (isFreeInCase(tag, own.length) || tag === 'pre') return codes
  const { element } = block
  const style = getComputedStyle(hostOf(block))
  const damage: string[] = []
  const marks = style.getPropertyValue('text-emphasis-style') || 'none'
  if (marks !== 'none') damage.push(`text-emphasis-style: ${marks}`)
  if (hasOutline(element)) damage.push('outline-style: ' + getComputedStyle(element).outlineStyle)
  if (tag === 'li' && hasGiantFirstLetter(element)) damage.push('::first-letter')
  if (hidesFirstLetter(element)) damage.push('::first-letter')
  if (style.textAlignLast === 'justify') damage.push('text-align-last: justify')
  if (isUnderlined(block)) damage.push('text-decoration: underline')
  if (hasLargeIndent(block)) damage.push(`text-indent: ${style.textIndent}`)
  if (runsOn(element)) damage.push(`display: ${getComputedStyle(element).display}`)
  if (isDrawnByShadows(hostOf(block))) damage.push(`text-shadow: ${style.textShadow.slice(0, 80)}`)
  if (hasMixedSizes(block)) damage.push('font-size: different within words')
  if (hasGiantFirstLine(element)) damage.push('::first-line')
  if (breaksWords(block)) damage.push(`word-break: ${style.wordBreak}`)
  const animation = endlessAnimationOf(element)
  if (animation !== null) damage.push(`animation-name: ${animation}`)
  return [
    ...damage,
    ...codes,
    ...new Set(
      piecesOf(block)
        .filter((piece) => isWithin(piece, block))
        .flatMap(breakOf)
    )
  ]
}

/** Whether a block stays at an edge of the viewport while readers scroll, over the blocks after it. */
export function sticks(element: Element): boolean {
  const { position, top, bottom } = getComputedStyle(element)
  return position === 'sticky' && (top !== 'auto' || bottom !== 'auto')
}

/** Whether an element has an outline, which is drawn over what is beside it. That of the focused element is free. */
export function hasOutline(element: Element): boolean {
  const { outlineStyle, outlineWidth } = getComputedStyle(element)
  return !/^(?:none|auto|hidden)$/.test(outlineStyle) && parseFloat(outlineWidth) >= 2 && !element.matches(':focus')
}

/** Whether the first letter of a block is tiny or transparent, and not painted by a background. */
export function hidesFirstLetter(element: Element): boolean {
  const [own, first] = [getComputedStyle(element), getComputedStyle(element, '::first-letter')]
  const isTiny = parseFloat(first.fontSize) < 0.3 * parseFloat(own.fontSize)
  const alphaOf = ({ webkitTextFillColor, color }: CSSStyleDeclaration): number =>
    parseColor(webkitTextFillColor || color)[3]
  const isTransparent = alphaOf(first) < 0.1 && alphaOf(own) >= 0.1 && first.backgroundImage === 'none'
  return isTiny || isTransparent
}

/** Whether an item starts with a drop cap, which marks the start of a text and not of a point. */
export const hasGiantFirstLetter = (element: Element): boolean =>
  parseFloat(getComputedStyle(element, '::first-letter').fontSize) > 2 * parseFloat(getComputedStyle(element).fontSize)

/** Whether readers see shadows in place of transparent letters, except one that is exactly at their place. */
export function isDrawnByShadows(host: Element): boolean {
  const { textShadow, color, webkitTextFillColor, webkitTextStrokeWidth, fontSize } = getComputedStyle(host)
  if (textShadow === 'none' || parseFloat(webkitTextStrokeWidth) > 0) return false
  if (parseColor(webkitTextFillColor || color)[3] > 0.1) return false
  const lengths = textShadow
    .split(/[ ,]+/)
    .filter((part) => part.endsWith('px'))
    .map(parseFloat)
  return lengths.length > 3 || lengths.some((length) => Math.abs(length) > 0.04 * parseFloat(fontSize))
}

/** Whether letters of the same word have different sizes, in several places. */
export function hasMixedSizes({ nodes }: TextBlock): boolean {
  const MIN_PLACES = 6
  if (nodes.length <= MIN_PLACES) return false
  const sizeOf = ({ parentElement }: Text): number =>
    parentElement === null ? 0 : parseFloat(getComputedStyle(parentElement).fontSize)
  const isRaised = ({ parentElement }: Text): boolean => parentElement?.closest('sup, sub, ruby, math') !== null
  const places = nodes.slice(1).filter((node, at) => {
    const before = nodes[at]!
    if (!/\p{L}$/u.test(before.data) || !/^\p{L}/u.test(node.data) || isRaised(node) || isRaised(before)) return false
    const ratio = sizeOf(node) / (sizeOf(before) || 1)
    return ratio > 1.1 || ratio < 0.9
  })
  return places.length >= MIN_PLACES
}

/** Whether a large part of the first line is empty. Sites indent by up to about three letters. */
export function hasLargeIndent({ element }: TextBlock): boolean {
  const { textIndent, fontSize } = getComputedStyle(element)
  const width = element.getBoundingClientRect().width
  const indent = textIndent.endsWith('%') ? (parseFloat(textIndent) / 100) * width : parseFloat(textIndent)
  return indent > 6 * parseFloat(fontSize) && indent > 0.25 * width
}

/** Whether a line is below all words of a text, which readers take for a link. Decorations apply to inline content. */
export function isUnderlined({ element, nodes }: TextBlock): boolean {
  const isLinked = nodes.some(({ parentElement }) => parentElement?.closest('a[href], u, ins, abbr') !== null)
  if (isLinked && nodes.length === 1) return false
  for (const one of selfAndAncestors(element)) {
    if (/^(?:a|u|ins|abbr)$/.test(one.localName)) return false
    const { textDecorationLine, display, float, position } = getComputedStyle(one)
    if (textDecorationLine.includes('underline')) return true
    if (/^inline-/.test(display) || float !== 'none' || /absolute|fixed/.test(position)) return false
  }
  return false
}

/** Whether a paragraph continues in the line of the one before or after it. */
export function runsOn(element: Element): boolean {
  const isInline = (one: Element | null): boolean =>
    one !== null &&
    /^(?:p|blockquote|pre|ul|ol|h[1-6])$/.test(one.localName) &&
    getComputedStyle(one).display === 'inline'
  return isInline(element) && (isInline(element.previousElementSibling) || isInline(element.nextElementSibling))
}

/** Whether the first line of a paragraph has the size of a heading, which that of the first one may have. */
export function hasGiantFirstLine(element: Element): boolean {
  const ratio =
    parseFloat(getComputedStyle(element, '::first-line').fontSize) / parseFloat(getComputedStyle(element).fontSize)
  return ratio > 1.5 && element.previousElementSibling !== null && element.matches('p:not(:first-of-type), li')
}

/** Whether lines end within words, without a hyphen. Scripts without spaces break anywhere. */
export function breaksWords(block: TextBlock): boolean {
  const { wordBreak, lineBreak } = getComputedStyle(hostOf(block))
  if ((wordBreak !== 'break-all' && lineBreak !== 'anywhere') || isDense(block.text)) return false
  const range = document.createRange()
  return block.nodes.some((node) =>
    [...node.data.matchAll(/[\p{L}\p{M}]{4,24}/gu)].some(({ 0: word, index }) => {
      range.setStart(node, index)
      range.setEnd(node, index + word.length)
      return new Set([...range.getClientRects()].map(({ top }) => Math.round(top / 4))).size > 1
    })
  )
}

/** Stores which elements move or flash without end, before animations are ended. */
export function findEndlessAnimations(): void {
  const SEEN = new RegExp(
    '^(?:opacity|visibility|transform|translate|rotate|scale|left|right|top|bottom|margin\\w*|textIndent|color|' +
      'filter|fontSize)$'
  )
  const endless = new Map<Element, string>()
  for (const animation of document.getAnimations()) {
    const { effect } = animation
    if (!(effect instanceof KeyframeEffect) || effect.target === null || effect.pseudoElement !== null) continue
    if (effect.getComputedTiming().endTime !== Infinity || animation.playState !== 'running') continue
    if (!effect.getKeyframes().some((frame) => Object.keys(frame).some((name) => SEEN.test(name)))) continue
    endless.set(effect.target, (animation as Partial<CSSAnimation>).animationName ?? 'script')
  }
  Object.assign(globalThis, { endlessAnimations: endless })
}

/** The animation that moves or flashes a text without end. Null if none does. */
export function endlessAnimationOf(element: Element): string | null {
  const { endlessAnimations } = globalThis as unknown as { endlessAnimations?: Map<Element, string> }
  if (endlessAnimations === undefined || endlessAnimations.size === 0) return null
  const moved = selfAndAncestors(element).find((one) => endlessAnimations.has(one))
  return moved === undefined ? null : endlessAnimations.get(moved)!
}

/** The elements of words within a block, such as links and emphasis. */
export function piecesOf({ element, nodes }: TextBlock): Element[] {
  const pieces = new Set<Element>()
  const length = (element.textContent ?? '').trim().length
  for (const { parentElement } of nodes) {
    for (let one = parentElement; one !== null && one !== element; one = one.parentElement) {
      if ((one.textContent ?? '').trim().length < 0.8 * length) pieces.add(one)
    }
  }
  return [...pieces].filter((one) => /^(?:a|em|i|strong|b|code|mark|del|s|ins|kbd|abbr|q|cite|u)$/.test(one.localName))
}

/** Whether a mask leaves less than half of an element. A hint that it can be scrolled fades only its edge. */
export function fadesMost(element: Element): boolean {
  const [MIN_ALPHA, MIN_SHOWN, STEPS] = [0.5, 0.5, 50]
  const { maskImage } = getComputedStyle(element)
  const gradient = /^linear-gradient\(([\s\S]*)\)$/.exec(maskImage)?.[1]
  if (gradient === undefined || layersOf(maskImage).length > 1) return false
  const stops = layersOf(gradient).filter((part) => /^(?:rgb|color|lab|lch|ok)/.test(part))
  const points = stops.map((stop, at) => ({
    alpha: parseColor(stop.replace(/\)[^)]*$/, ')'))[3],
    place: stop.endsWith('%')
      ? parseFloat(stop.slice(stop.lastIndexOf(' ') + 1))
      : (100 * at) / Math.max(1, stops.length - 1)
  }))
  // Lengths depend on the size of the element, and are those of an edge.
  if (points.length < 2 || stops.some((stop) => /px$/.test(stop))) return false
  const alphaAt = (place: number): number => {
    const after = points.findIndex((point) => point.place >= place)
    if (after <= 0) return points.at(after)!.alpha
    const [one, other] = [points[after - 1]!, points[after]!]
    return one.alpha + ((other.alpha - one.alpha) * (place - one.place)) / (other.place - one.place || 1)
  }
  const places = Array.from({ length: STEPS }, (_, at) => (100 * (at + 0.5)) / STEPS)
  return places.filter((place) => alphaAt(place) >= MIN_ALPHA).length < MIN_SHOWN * STEPS
}

/** Code that is a word of its sentence, wherever it stands, but on a line of its own. */
export function codeOnOwnLines({ element, nodes }: TextBlock): string[] {
  return [...element.querySelectorAll('code')]
    .filter((one) => nodes.some((node) => one.parentElement === node.parentElement && /\p{L}/u.test(node.data)))
    .map((one) => getComputedStyle(one))
    .filter(({ display, float }) => float === 'none' && /^(?:block|flow-root|flex|grid|table|list-item)/.test(display))
    .map(({ display }) => `display: ${display}`)
}

/** Whether text of the block precedes and follows an element. Sites set the first or last words of an item apart. */
export function isWithin(piece: Element, { nodes }: TextBlock): boolean {
  const others = nodes.filter((node) => !piece.contains(node) && node.data.trim() !== '')
  const isBefore = (node: Text): boolean =>
    (piece.compareDocumentPosition(node) & Node.DOCUMENT_POSITION_PRECEDING) !== 0
  return others.some(isBefore) && others.some((node) => !isBefore(node))
}

/** The declaration that takes words out of their line, or out of proportion to it. */
export function breakOf(piece: Element): string[] {
  // Sites set code and keys a little smaller.
  const [MIN_SIZE, MAX_SIZE] = [0.6, 1.7]
  const { display, float, position, top, bottom, fontSize, transform } = getComputedStyle(piece)
  const around = piece.parentElement === null ? fontSize : getComputedStyle(piece.parentElement).fontSize
  const size = parseFloat(fontSize) / (parseFloat(around) || 1)
  if (size > MAX_SIZE || size < MIN_SIZE) return [`font-size: ${fontSize} in text of ${around}`]
  if (/^(?:block|flow-root|flex|grid|table|list-item)/.test(display)) {
    return [float === 'none' ? `display: ${display}` : `float: ${float}`]
  }
  const shift = Math.abs(parseFloat(top) || parseFloat(bottom) || 0)
  if (position === 'relative' && shift > 0.25 * parseFloat(fontSize)) return [`position: relative; top: ${top}`]
  const moved = transform === 'none' ? 0 : Math.abs(new DOMMatrix(transform).f)
  return moved > 0.25 * parseFloat(fontSize) ? [`transform: ${transform}`] : []
}
