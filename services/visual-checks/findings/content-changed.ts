import type { BlockSnapshot } from '../../../ports/browser/port/page-snapshot.ts'
import { entitiesShown, tagsShown, wrongCharacters } from './garbled.ts'
import { presenceOf } from './presence.ts'
import type { Found, Rule, Sight } from './rule.ts'
import { isFlattened } from './flattened.ts'
import { isUnchanged } from './same-text.ts'
import { unplacedBlocks } from './unplaced-blocks.ts'
import { articlePlaces, placesOf, rounded, shareOf } from './weight.ts'

/** From here on the text is one heap: its headings, lists and tables are lost. */
const FLAT_SHARE = 0.5

export const contentChanged: Rule = {
  category: 'content',
  severity: 'medium',
  scope: 'article',
  version: 2,
  message: 'The text differs from what was written.',
  advice: 'Publish the current revision of htmlContent, without changing its text or taking its paragraphs apart.',
  find
}

/** What is charged as markup or characters shown wrongly is not charged as changed too. */
function isChanged({ similarity, text, actual, place }: BlockSnapshot): boolean {
  if (
    actual === null ||
    place === null ||
    similarity <= 0 ||
    isUnchanged({ similarity, text, actual } as BlockSnapshot)
  ) {
    return false
  }
  return tagsShown(actual, text) + entitiesShown(actual, text) + wrongCharacters(actual, text) === 0
}

/**
 * Blocks that are like ours and not the same, and such as have lost their form: their text is
 * there, run together with other text.
 */
function find(sight: Sight): Found | null {
  const { facts } = sight
  if (presenceOf(sight) !== 'here' && unplacedBlocks(sight).merged.length === 0) return null
  const different = facts.blocks.filter(isChanged)
  const { merged } = unplacedBlocks(sight)
  const flattened = facts.blocks.filter((block) => isFlattened(block, facts))
  const all = [...new Set([...different, ...merged, ...flattened])]
  if (all.length === 0) return null
  const first = different[0]
  const places = different.length + flattened.length > 0 ? placesOf([...different, ...flattened]) : articlePlaces(facts)
  const isFlat = shareOf(merged, facts.blocks) > FLAT_SHARE
  return {
    extent: shareOf(all, facts.blocks),
    places,
    ...(isFlat ? { severity: 'high' as const } : {}),
    count: all.length,
    evidence: {
      share: rounded(shareOf(all, facts.blocks)),
      changed: different.length,
      merged: merged.length,
      headingsLost: flattened.length
    },
    expected: (first ?? all[0]!).text.slice(0, 300),
    ...(first ? { actual: first.actual!.slice(0, 300) } : {})
  }
}
