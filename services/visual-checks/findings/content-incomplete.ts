import type { BlockSnapshot } from '../../../ports/browser/port/page-snapshot.ts'
import { missingImages } from './missing-images.ts'
import { placeholdersBetween } from './placeholders.ts'
import { presenceOf } from './presence.ts'
import type { Found, Rule, Sight } from './rule.ts'
import { isLong } from './scripts.ts'
import { unplacedBlocks } from './unplaced-blocks.ts'
import { articlePlaces, rounded, shareOf } from './weight.ts'

/** More than this is a text that was cut off. */
const LARGE_PART = 0.3
const LEAST_SHARE = 0.005
/** So many are no oddity of one cell or label. */
const MANY = 3

export const contentIncomplete: Rule = {
  category: 'content',
  severity: 'high',
  scope: 'article',
  version: 2,
  message: 'Parts of the text are missing.',
  advice:
    'Compare the named paragraphs with htmlContent: an old revision, a filter, or a template that drops elements.',
  find
}

function find(sight: Sight): Found | null {
  const { gone } = unplacedBlocks(sight)
  const share = shareOf(gone, sight.facts.blocks)
  if (
    presenceOf(sight) !== 'here' ||
    share > LARGE_PART ||
    (share <= LEAST_SHARE && gone.length < MANY && !gone.some(({ text }) => isLong(text)))
  ) {
    return null
  }
  return isToldOtherwise(gone, sight)
    ? null
    : {
        extent: share,
        places: articlePlaces(sight.facts),
        count: Math.max(1, gone.length),
        evidence: {
          share: rounded(share),
          blocks: gone.map(({ index }) => index).slice(0, 20),
          missing: gone.slice(0, 4).map(({ text }) => text.slice(0, 120))
        },
        expected: gone[0]!.text.slice(0, 300)
      }
}

/**
 * Captions that went with their pictures are told by these; where a placeholder stands for each
 * paragraph, it is told.
 */
function isToldOtherwise(gone: readonly BlockSnapshot[], sight: Sight): boolean {
  if (gone.every(({ tag }) => tag === 'figcaption')) return gone.length <= missingImages(sight).length
  return gone.length <= placeholdersBetween(sight)
}
