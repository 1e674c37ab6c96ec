import { missingImages } from './missing-images.ts'
import { presenceOf } from './presence.ts'
import type { Found, Rule, Sight } from './rule.ts'
import { articlePlaces } from './weight.ts'

export const imageMissing: Rule = {
  category: 'media',
  severity: 'medium',
  scope: 'article',
  version: 2,
  message: 'An image of the blog is not in the page.',
  advice: 'Keep the images of htmlContent: look for a filter that removes them.',
  find
}

function find(sight: Sight): Found | null {
  const { expectedImages } = sight.facts
  const gone = missingImages(sight)
  // Where our text is no text of an article, nobody looked for its pictures.
  if (sight.facts.article === null || presenceOf(sight) !== 'here') return null
  return gone.length === 0
    ? null
    : {
        extent: gone.length / expectedImages.length,
        places: articlePlaces(sight.facts),
        count: gone.length,
        evidence: { expected: expectedImages.length, missing: gone.slice(0, 5).map(({ src }) => src.slice(0, 300)) }
      }
}
