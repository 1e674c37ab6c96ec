import type { BlockSnapshot } from '../../../ports/browser/port/page-snapshot.ts'
import { withoutMarkup } from './garbled.ts'
import { normalText } from './normal-text.ts'
import type { Sight } from './rule.ts'
import { isFound } from './same-text.ts'
import { isLong } from './scripts.ts'
import { weightOfAll } from './weight.ts'

/** Where a page breaks its lines, and whether it puts a space before a mark, does not count. */
const pressed = (text: string): string => normalText(text).replaceAll(' ', '')

/** What entities do not stand for. */
const plainLettersOf = (text: string): string => normalText(text).replace(/[^a-z0-9]+/g, '')

/**
 * Blocks of ours with words that are no block of the page, parted in those whose text a reader
 * finds all the same, run together with other text (`merged`), those that stand there with entities
 * or tags among their letters (`marked`), and those that are gone.
 */
export function unplacedBlocks({ facts }: Pick<Sight, 'facts'>): {
  merged: BlockSnapshot[]
  marked: BlockSnapshot[]
  gone: BlockSnapshot[]
} {
  const unplaced = facts.blocks.filter((block) => !isFound(block) && /[\p{L}\p{N}]/u.test(block.text))
  const shown = unplaced.length === 0 ? '' : pressed(facts.document.text)
  const plain = unplaced.length === 0 ? '' : plainLettersOf(withoutMarkup(facts.document.text))
  const holds =
    (least: number) =>
    ({ text }: BlockSnapshot) =>
      isLong(text, least) && shown.includes(pressed(text))
  // Where most of it has run together, a heading or a number has too; elsewhere the same words may
  // stand by chance.
  const isMerged = holds(weightOfAll(unplaced.filter(holds(25))) > weightOfAll(facts.blocks) / 2 ? 1 : 25)
  const isMarkedUp = ({ text }: BlockSnapshot) =>
    withoutMarkup(facts.document.text) !== facts.document.text &&
    plainLettersOf(text).length >= 6 &&
    plain.includes(plainLettersOf(text))
  const apart = unplaced.filter((block) => !isMerged(block))
  return {
    merged: unplaced.filter(isMerged),
    marked: apart.filter(isMarkedUp),
    gone: apart.filter((block) => !isMarkedUp(block))
  }
}
