import { createYielder, mapInSlices, sortInSlices } from './async.ts'
import { normalize } from './normalize.ts'
import { compareText, foldText } from './text.ts'

/** How often a label occurs. */
export interface LabelCount {
  label: string
  count: number
}

/**
 * The form in which labels such as categories, tags and names of authors are compared: without
 * differences of case, white space and compatibility forms (NFKC). Diacritics are significant:
 * `Zoë` and `Zoe` may be two people. Idempotent.
 */
export function foldLabel(label: string): string {
  // Upper case first: `ß` and `SS`, and both forms of the Greek sigma, become equal.
  const folded = normalize(normalize(label, 'NFKC').toUpperCase().toLowerCase(), 'NFKC')
  return folded.replace(/\s+/g, ' ').trim()
}

/** Index entries are limited, and further characters hardly ever decide about the order. */
const MAX_TITLE_KEY = 100

/** The text that titles are ordered by: without differences of case and diacritics. */
export const toTitleKey = (title: string): string => foldText(title).slice(0, MAX_TITLE_KEY).toWellFormed()

/**
 * Adds up the counts of labels that differ only in spelling, the highest count first, then by label.
 * The label is the most frequent spelling; of equally frequent ones, the first in code point order.
 * With pauses: an account may have tens of thousands.
 */
export async function mergeSpellings(counts: Iterable<LabelCount>): Promise<LabelCount[]> {
  const groups = new Map<string, { spelling: LabelCount; count: number }>()
  const pause = createYielder()
  for (const spelling of counts) {
    const key = foldLabel(spelling.label)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, { spelling, count: spelling.count })
    else {
      group.count += spelling.count
      if (byCount(spelling, group.spelling) < 0) group.spelling = spelling
    }
    await pause()
  }
  const merged = await mapInSlices([...groups.values()], ({ spelling, count }) => ({ label: spelling.label, count }))
  return await sortInSlices(merged, byCount)
}

const byCount = (a: LabelCount, b: LabelCount): number => b.count - a.count || compareText(a.label, b.label)
