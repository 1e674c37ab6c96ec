/// <reference lib="dom" />
import type { BlockStyles } from '../../../port/page-snapshot.ts'
import { contrastRatio, parseColor } from './colors.ts'
import { selfAndAncestors } from './dom.ts'
import { showsMissingIcons } from './glyph-check.ts'
import { foreignRolesOf } from './foreign-roles.ts'
import { fadesMost, sticks, textDamageOf } from './text-damage.ts'
import { hostOf, isFreeInCase, type TextBlock } from './text-blocks.ts'
import { blurOf } from './visibility.ts'

/**
 * The style of a word as a declaration block: the properties of its font, which a site chooses freely.
 * Capitals are free in headings, short texts and first lines, an outline up to a twenty-fifth of an em.
 * Latin letters in the width of Chinese ones are not.
 */
export function copiedStyleOf(
  host: Element,
  { tag, length, firstLineOf }: { tag: string; length: number; firstLineOf: Element | null }
): string {
  const NAMES =
    'font-family font-size font-weight font-style font-stretch font-variant-caps font-variant-ligatures ' +
    'font-variant-numeric font-variant-east-asian font-variant-position font-variant-alternates ' +
    'font-variant-emoji font-feature-settings font-variation-settings font-kerning font-optical-sizing ' +
    'font-size-adjust font-synthesis-weight font-synthesis-style font-synthesis-small-caps font-palette ' +
    'letter-spacing text-rendering direction -webkit-font-smoothing text-spacing-trim text-autospace'
  const own = getComputedStyle(host)
  const block = firstLineOf === null ? own : getComputedStyle(firstLineOf)
  const first = firstLineOf === null ? own : getComputedStyle(firstLineOf, '::first-line')
  // Elements in the first line inherit its style, except for what they have of their own.
  const valueOf = (name: string): string => {
    const value = own.getPropertyValue(name)
    return value === block.getPropertyValue(name) ? first.getPropertyValue(name) : value
  }
  const style = NAMES.split(' ').map((name) => {
    const value = /^(?:direction|font-palette)$/.test(name) ? own.getPropertyValue(name) : valueOf(name)
    return value === '' ? '' : `${name}: ${value.replace('full-width', '') || 'normal'};`
  })
  if (firstLineOf !== null || isFreeInCase(tag, length)) {
    const letterCase = /uppercase|lowercase|capitalize/.exec(valueOf('text-transform'))?.[0]
    style.push(`text-transform: ${letterCase ?? 'none'};`)
  }
  const stroke = parseFloat(own.webkitTextStrokeWidth)
  if (stroke > 0 && stroke <= parseFloat(own.fontSize) / 25) style.push(`-webkit-text-stroke: ${stroke}px;`)
  return style.join(' ')
}

/** Whether the first letter of a block has a style of its own, such as a drop cap. */
export function hasOwnFirstLetter(element: Element): boolean {
  const [own, first] = [getComputedStyle(element), getComputedStyle(element, '::first-letter')]
  return (
    own.fontSize !== first.fontSize ||
    own.fontFamily !== first.fontFamily ||
    own.fontWeight !== first.fontWeight ||
    own.fontStyle !== first.fontStyle ||
    own.textTransform !== first.textTransform ||
    (first.float !== 'none' && first.float !== own.float) ||
    (first.getPropertyValue('initial-letter') || 'normal') !== 'normal'
  )
}

/** The shadow of an element's text in the color of the text, drawn with the ink. Null without one. */
export function shadowLikeText(element: Element): string | null {
  const { textShadow } = getComputedStyle(element)
  if (textShadow === 'none') return null
  const layers = textShadow.split(/, (?=[a-z])/).flatMap((layer) => copyInInk(layer, element) ?? [])
  return layers.length === 0 ? null : layers.join(',')
}

/**
 * The filter of an element whose drop shadows copy its text, with the shadows drawn with the ink. Null without such
 * shadows, and for boxes with a background: then the box has the shadow, not the text.
 */
export function filterLikeText(element: Element): string | null {
  const { filter, backgroundColor, backgroundImage } = getComputedStyle(element)
  if (!filter.includes('drop-shadow(') || parseColor(backgroundColor)[3] > 0.1 || backgroundImage !== 'none') {
    return null
  }
  const copied = filter.replaceAll(/drop-shadow\(((?:[^()]|\([^()]*\))*)\)/g, (whole, layer: string) => {
    const copy = copyInInk(layer, element)
    return copy === null ? whole : `drop-shadow(${copy})`
  })
  return copied === filter ? null : copied
}

/** A layer of a shadow, in the color of an element's text and sharp enough to be a copy of it, with the ink. */
export function copyInInk(layer: string, element: Element): string | null {
  const { color, webkitTextFillColor, fontSize } = getComputedStyle(element)
  const text = parseColor(webkitTextFillColor || color)
  const [paint] = /(?:rgba?|hsla?|color|oklab|oklch|lab|lch)\([^()]*\)/.exec(layer) ?? []
  const shadow = paint === undefined ? null : parseColor(paint)
  const lengths = layer
    .split(' ')
    .filter((part) => part.endsWith('px'))
    .map(parseFloat)
  const reach = Math.max(Math.abs(lengths[0] ?? 0), Math.abs(lengths[1] ?? 0))
  const blur = lengths[2] ?? 0
  // Sites smooth letters with a faint glow. A sharp copy beside them makes their strokes double.
  const smallest = blur === 0 ? 0.03 : 0.08
  const isCopy =
    shadow !== null &&
    shadow[3] >= 0.5 &&
    contrastRatio([shadow[0], shadow[1], shadow[2], 1], [text[0], text[1], text[2], 1]) < 2 &&
    reach + blur / 2 > smallest * parseFloat(fontSize)
  return isCopy ? layer.replace(paint!, 'var(--visual-check-ink)') : null
}

/** The styles that explain why a block looks different. */
export function blockStylesOf(
  block: TextBlock,
  { own: ownBlock, root }: { own: TextBlock; root: Element | null }
): BlockStyles {
  const { text: own } = ownBlock
  const tag = ownBlock.element.localName
  const host = hostOf(block)
  const { fontSize } = getComputedStyle(host)
  const line = selfAndAncestors(host)
  const foreign = foreignRolesOf(block, { own: ownBlock, root })
  const faded = line.find((element) => fadesMost(element))
  const damage = [
    ...foreign,
    ...textDamageOf(block, { own, tag }),
    ...(faded === undefined ? [] : [`mask-image: ${getComputedStyle(faded).maskImage.slice(0, 80)}`])
  ]
  const hasBoxes = showsMissingIcons(block, own)
  const effects = damage.slice(0, 3)
  for (const element of line) {
    const style = getComputedStyle(element)
    for (const [name, initial] of Object.entries({
      filter: 'none',
      transform: 'none',
      clipPath: 'none',
      maskImage: 'none',
      mixBlendMode: 'normal',
      textShadow: 'none',
      webkitTextStrokeWidth: '0px',
      webkitTextSecurity: 'none',
      webkitBoxReflect: 'none'
    })) {
      const value = (style as unknown as Record<string, string | undefined>)[name]
      if (value !== undefined && value !== '' && value !== initial && effects.length < 6) {
        effects.push(`${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}: ${value.slice(0, 80)}`)
      }
    }
  }
  return {
    blurEm: blurOf(host) / (parseFloat(fontSize) || 16),
    struckThrough: !isDoneTask(ownBlock.element) && block.nodes.some(isStruckThrough),
    capitals:
      !isFreeInCase(tag, own.length) && (showsCapitals(getComputedStyle(host)) || isWrittenInCapitals(block.text, own)),
    effects: [...new Set(effects)],
    ...(foreign.length > 0 ? { foreignRole: true } : {}),
    ...(sticks(block.element) ? { sticky: true } : {}),
    ...(damage.length > 0 ? { marked: true } : {}),
    ...(hasBoxes ? { wrongGlyphs: true } : {})
  }
}

/** Whether a style shows all letters as capitals. Small capitals beside large ones are free. */
export const showsCapitals = ({ textTransform, fontVariantCaps }: CSSStyleDeclaration): boolean =>
  textTransform === 'uppercase' || /^all-(?:small|petite)-caps$/.test(fontVariantCaps)

/** Whether the page has the blog's text in capitals. */
export function isWrittenInCapitals(text: string, own: string): boolean {
  const count = (value: string): number => value.match(/\p{Lu}/gu)?.length ?? 0
  const small = own.match(/\p{Ll}/gu)?.length ?? 0
  return small > 0 && count(text) - count(own) > small / 2
}

/** Whether a block is a task whose box is checked. Sites strike out what is done. */
export const isDoneTask = (own: Element): boolean =>
  own.closest('li')?.querySelector(':scope > input[checked], :scope > p:first-child > input[checked]') != null

/** Whether a line runs through a text that the blog does not delete. Decorations apply to inline content. */
export function isStruckThrough(node: Text): boolean {
  for (const element of node.parentElement === null ? [] : selfAndAncestors(node.parentElement)) {
    const { textDecorationLine, display, float, position } = getComputedStyle(element)
    if (/^(?:del|s|strike)$/.test(element.localName)) return false
    if (textDecorationLine.includes('line-through')) return true
    if (/^inline-/.test(display) || float !== 'none' || /absolute|fixed/.test(position)) return false
  }
  return false
}
