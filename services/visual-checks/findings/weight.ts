import type { BlockSnapshot, ViewportSnapshot } from '../../../ports/browser/port/page-snapshot.ts'
import { normalText } from './normal-text.ts'

/** What a block counts: the length of our text in it. */
export const weightOf = ({ text }: { text: string }): number => normalText(text).length

/** What some blocks count together. */
export const weightOfAll = (blocks: readonly { text: string }[]): number =>
  blocks.reduce((sum, block) => sum + weightOf(block), 0)

/** The share of these blocks in another set, by the length of our text; 0 of nothing. */
export function shareOf(some: readonly BlockSnapshot[], all: readonly BlockSnapshot[]): number {
  const whole = weightOfAll(all)
  return whole === 0 ? 0 : weightOfAll(some) / whole
}

/** Where the article is; where it is not, the page. */
export const articlePlaces = ({ article }: ViewportSnapshot) =>
  article ? [{ place: { selector: article.selector, box: article.box } }] : []

/** The places of blocks that are in the page, those of the longest text first. */
export function placesOf(blocks: readonly BlockSnapshot[]) {
  return [...blocks]
    .sort((a, b) => weightOf(b) - weightOf(a) || a.index - b.index)
    .flatMap(({ place, index }) => (place ? [{ place, block: index }] : []))
}

/** To three digits: evidence that does not waver. */
export const rounded = (value: number, digits = 3): number => Number(value.toFixed(digits))

/**
 * Over a limit by more than a tenth of it: what is at the border counts as the milder class, so
 * that two measurements judge alike.
 */
export const clearlyOver = (value: number, limit: number): boolean => value > limit * 1.1
