import type { BlockFact } from '../../../ports/browser/facts.ts'
import { normalText } from './normal-text.ts'
import type { Sight } from './rule.ts'
import { isFound } from './same-text.ts'
import { isLong } from './scripts.ts'

/** Blocks of ours with words that are no block of the page, parted in those whose text a reader finds all the same, run together with other text (`merged`), and those that are gone. */
export function unplacedBlocks ({ facts }: Pick<Sight, 'facts'>): { merged: BlockFact[], gone: BlockFact[] } {
  const unplaced = facts.blocks.filter((block) => !isFound(block) && /[\p{L}\p{N}]/u.test(block.text))
  const shown = unplaced.length === 0 ? '' : normalText(facts.document.text)
  const isMerged = ({ text }: BlockFact) => isLong(text, 25) && shown.includes(normalText(text))
  return { merged: unplaced.filter(isMerged), gone: unplaced.filter((block) => !isMerged(block)) }
}
