import { presenceOf } from './presence.ts'
import type { Found, Rule, Sight } from './rule.ts'
import { unplacedBlocks } from './unplaced-blocks.ts'
import { articlePlaces, rounded, shareOf } from './weight.ts'

const LARGE_PART = 0.3

export const contentTruncated: Rule = {
  category: 'content',
  severity: 'critical',
  scope: 'article',
  version: 1,
  message: 'A large part of the text is missing.',
  advice: 'Put the whole of htmlContent into the page: look for an excerpt, a limit of characters, or a paywall.',
  find
}

/** More than the part is gone, or nothing is left but the beginning. */
function find(sight: Sight): Found | null {
  const presence = presenceOf(sight)
  const { gone } = unplacedBlocks(sight)
  const share = shareOf(gone, sight.facts.blocks)
  if (presence !== 'teaser' && (presence !== 'here' || share <= LARGE_PART)) return null
  return {
    extent: share,
    places: articlePlaces(sight.facts),
    count: Math.max(1, gone.length),
    evidence: {
      share: rounded(share),
      blocks: gone.length,
      missing: gone.slice(0, 4).map(({ text }) => text.slice(0, 120))
    }
  }
}
