/// <reference lib="dom" />
import type { BlockRelations } from '../../../port/block-flow.ts'
import { compactText, type TextBlock } from './text-blocks.ts'

/*
 * Signs of code. Texts are compared without the kind of their dashes and quotes, and with a short addition. Code
 * with other ones does not run.
 */

export const codeChangeOf = (own: TextBlock, block: TextBlock): Pick<BlockRelations, 'codeChanged'> =>
  hasOtherMarks(own.element, block.element) || isPrecededInCode(own, block) ? { codeChanged: true } : {}

/** Whether code in a sentence has dashes, quotes or arrows of prose that that of the blog does not have. */
export function hasOtherMarks(own: Element, shown: Element): boolean {
  const countIn = (element: Element): number =>
    [...element.querySelectorAll('code, kbd, samp')]
      .filter((one) => one.closest('pre') === null && one.parentElement?.closest('code, kbd, samp') == null)
      .reduce(
        (sum, { textContent }) =>
          sum + ((textContent ?? '').match(/[\u2018-\u201f\u2013\u2014\u2026\u2192\u2260]/g)?.length ?? 0),
        0
      )
  return countIn(shown) > countIn(own)
}

/**
 * Whether digits precede code in the same text. Numbers of lines are elements, which are not copied with
 * the code.
 */
export function isPrecededInCode(own: TextBlock, { compact, nodes }: TextBlock): boolean {
  if (own.element.localName !== 'pre' || compact === own.compact || !compact.endsWith(own.compact)) return false
  const added = compact.slice(0, compact.length - own.compact.length)
  const first = compactText(nodes[0]?.data ?? '')
  return /^\p{Nd}+$/u.test(added) && first.startsWith(added) && first.length > added.length
}
