/// <reference lib="dom" />
import type { RoleSnapshot } from '../../../port/page-snapshot.ts'
import { composedContains, composedParent, locate } from './dom.ts'
import { differsInColor, differsInFont, hasDecoration } from './looks.ts'
import type { RolePair } from './roles.ts'
import { compactText, hostOf } from './text-blocks.ts'

/**
 * Whether emphasized, deleted, raised and lowered words and inline code look different from the text around
 * them. Words that fill their block, and those of changed blocks, are not considered.
 */
export function captureEmphasis(pairs: RolePair[]): RoleSnapshot[] {
  const main = mainTextOf(pairs)
  return pairs.flatMap(({ own, block, ownBlock, index }) => {
    if (own.localName === 'pre' || block.compact !== ownBlock.compact) return []
    return inlineTextsOf(ownBlock).map(({ name, text }): RoleSnapshot => {
      const element = elementWithText(text, block)
      return {
        role: 'emphasis',
        element: name,
        held: element !== null && isEmphasized(element, { around: textAround(element, block), main }),
        block: index,
        ...locate(element ?? block.element)
      }
    })
  })
}

/** The inline elements of one of the blog's blocks that mean something, and their texts. Without its links. */
export function inlineTextsOf({ nodes, compact }: RolePair['ownBlock']): { name: string; text: string }[] {
  const selector = 'strong, b, em, i, mark, code, kbd, samp, sub, sup, del, s, ins'
  const elements = new Set(nodes.flatMap((node) => node.parentElement?.closest(selector) ?? []))
  return [...elements]
    .filter((element) => element.closest('a') === null && element.querySelector('a') === null)
    .map((element) => ({ name: element.localName, text: compactText(element.textContent ?? '') }))
    .filter(({ text }) => text !== '' && text.length < compact.length * 0.8)
}

/** The innermost element of a block that has this text. Null if its words stand among others. */
export function elementWithText(text: string, { nodes, element: outer }: RolePair['block']): Element | null {
  for (const { parentElement } of nodes) {
    for (let one = parentElement; one !== null && one !== outer; one = composedParent(one) as HTMLElement | null) {
      const compact = compactText(one.textContent ?? '')
      if (compact === text) return one
      if (compact.length > text.length) break
    }
  }
  return null
}

/** The element that styles most of a block's text outside of an element, which may be the larger part. */
export function textAround(element: Element, block: RolePair['block']): Element {
  const nodes = block.nodes.filter((node) => !composedContains(element, node.parentElement ?? block.element))
  return hostOf({ ...block, nodes })
}

/** An element that styles a paragraph in the type of most paragraphs. Null without a paragraph. */
export function mainTextOf(pairs: RolePair[]): Element | null {
  const paragraphs = pairs.filter(({ own }) => own.localName === 'p' && own.closest('blockquote, li') === null)
  const styleOf = ({ block }: RolePair): string => {
    const { fontWeight, fontStyle } = getComputedStyle(hostOf(block))
    return `${fontWeight} ${fontStyle}`
  }
  const [most] = [...Map.groupBy(paragraphs, styleOf).values()].sort((one, other) => other.length - one.length)
  return most?.[0] === undefined ? null : hostOf(most[0].block)
}

/**
 * Whether readers recognize an element as emphasized: by its difference from the text around it or, in a lead or
 * a quotation that is itself in italic or bold type, from ordinary text.
 */
export function isEmphasized(element: Element, { around, main }: { around: Element; main: Element | null }): boolean {
  if (isDistinct(element, around)) return true
  if (main === null || composedContains(around, main)) return false
  const [text, ordinary] = [getComputedStyle(around), getComputedStyle(main)]
  const isSetApart = text.fontWeight !== ordinary.fontWeight || text.fontStyle !== ordinary.fontStyle
  return isSetApart && isDistinct(element, main)
}

/** Whether the words of an element look different from those around them. */
export function isDistinct(element: Element, around: Element): boolean {
  const [style, plain] = [getComputedStyle(element), getComputedStyle(around)]
  return (
    style.fontWeight !== plain.fontWeight ||
    style.fontStyle !== plain.fontStyle ||
    differsInColor(style.color, plain.color) ||
    differsInFont(style.fontFamily, plain.fontFamily) ||
    Math.abs(parseFloat(style.fontSize) / parseFloat(plain.fontSize) - 1) > 0.05 ||
    style.textDecorationLine !== plain.textDecorationLine ||
    style.textTransform !== plain.textTransform ||
    style.fontVariantCaps !== plain.fontVariantCaps ||
    !['baseline', plain.verticalAlign].includes(style.verticalAlign) ||
    style.textEmphasisStyle !== 'none' ||
    hasDecoration(element)
  )
}
