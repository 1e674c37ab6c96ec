import type { BlockSnapshot } from '../../../ports/browser/port/page-snapshot.ts'
import { normalText } from './normal-text.ts'

/**
 * From this likeness on two texts are the same: it leaves room for a character that a site adds by
 * itself.
 */
const SAME = 0.985
/** A number before a heading, or the sign of its link after it. */
const ADDED_BY_SITES = /^\d{1,2}(?:\.\d{1,2})*[.)]\s|\s?[#¶§🔗↩⧉]+$/gu

/**
 * Whether a block is in the page with the text that we wrote, but for what sites add to it without
 * harm.
 */
export function isUnchanged({ similarity, actual, text }: BlockSnapshot): boolean {
  if (similarity >= SAME) return true
  if (actual === null) return false
  const bare = (value: string) => normalText(normalText(value).replace(ADDED_BY_SITES, ''))
  return bare(actual) === bare(text)
}

/** Whether a block, or something like it, is in the page. */
export const isFound = ({ similarity, place }: BlockSnapshot): boolean => similarity > 0 && place !== null
