import type { BlockSnapshot, ElementLocation } from '../../../ports/browser/port/page-snapshot.ts'
import type { Sight } from './rule.ts'

/**
 * A text that a reader sees in or around the article and that is not as we wrote it. `own`: what we
 * wrote in its place, '' where nothing.
 */
export interface OddText {
  text: string
  own: string
  place: ElementLocation
  block: number | null
  inCode: boolean
}

/** A block that is there as it is: the text of the page beside ours. */
const asOdd = (block: BlockSnapshot & { place: ElementLocation; actual: string }): OddText => ({
  text: block.actual,
  own: block.text,
  place: block.place,
  block: block.index,
  inCode: block.tag === 'pre'
})
const isThere = (block: BlockSnapshot): block is BlockSnapshot & { place: ElementLocation; actual: string } =>
  block.place !== null && block.actual !== null

/**
 * Changed blocks of ours, headings, and what is not ours in and around the article; not what stands
 * elsewhere in the page.
 */
export function oddTexts({ facts, expected }: Sight): OddText[] {
  const strangers = facts.unexpectedTexts
    .filter(({ scope }) => scope !== 'site')
    .map(({ text, selector, box, inCode }) => ({ text, own: '', place: { selector, box }, block: null, inCode }))
  const headings = facts.document.h1s
    .filter(({ rendered }) => rendered)
    .map(({ text, selector, box }) => ({
      text,
      own: expected.title,
      place: { selector, box },
      block: null,
      inCode: false
    }))
  const known = new Set(strangers.map(({ place }) => place.selector))
  return [
    ...facts.blocks.filter(isThere).map(asOdd),
    ...strangers,
    ...headings.filter(({ place }) => !known.has(place.selector))
  ]
}
