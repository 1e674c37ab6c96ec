import { isFlattened } from './flattened.ts'
import { presenceOf } from './presence.ts'
import type { Found, Rule, Sight } from './rule.ts'
import { unplacedBlocks } from './unplaced-blocks.ts'
import { articlePlaces } from './weight.ts'

const HALF = 0.5
/**
 * What holds to nine tenths is as it was meant; what lies between that and nearly all is for a
 * person to judge.
 */
const ENOUGH = 0.9
const NEARLY_ALL = 0.97

export const blogCssPartlyOverridden: Rule = {
  category: 'style',
  severity: 'medium',
  scope: 'article',
  version: 2,
  message: "The site's CSS overrides part of the blog's own.",
  advice: 'Make the rules of the site less general than the blog, or without !important: see the named declarations.',
  find
}

/**
 * Declarations for elements that are not in the page, where it has lost some of the text or made
 * its headings into paragraphs: these are told.
 */
function lostWithElements(sight: Sight): number {
  const { blocks, css } = sight.facts
  const isLost = unplacedBlocks(sight).gone.length > 0 || blocks.some((block) => isFlattened(block, sight.facts))
  return isLost ? css.broken.filter(({ actual }) => actual === null).length : 0
}

function find(sight: Sight): Found | null {
  const { declarations, broken } = sight.facts.css
  const holding = sight.facts.css.applied + lostWithElements(sight)
  const share = declarations === 0 ? 1 : holding / declarations
  if (presenceOf(sight) !== 'here' || share < HALF || share >= NEARLY_ALL) return null
  return {
    extent: 1 - share,
    places: articlePlaces(sight.facts),
    evidence: {
      declarations,
      holding,
      broken: broken.slice(0, 5),
      properties: [...new Set(broken.map(({ property }) => property))].sort()
    },
    ...(share >= ENOUGH ? { confidence: 'review' as const } : {})
  }
}
