import { normalText } from './normal-text.ts'
import { presenceOf } from './presence.ts'
import type { Found, Rule, Sight } from './rule.ts'
import { articlePlaces } from './weight.ts'

export const imageMissing: Rule = {
  category: 'media',
  severity: 'medium',
  scope: 'article',
  version: 1,
  message: 'An image of the blog is not in the page.',
  advice: 'Keep the images of htmlContent: look for a filter that removes them.',
  find
}

/** A site may serve our picture under another address of its own; its description tells it. */
function find (sight: Sight): Found | null {
  const { images, expectedImages } = sight.facts
  if (presenceOf(sight) !== 'here') return null
  const here = new Set(images.map(({ index }) => index))
  const gone = expectedImages.filter(({ alt }, index) => !here.has(index) && !images.some((image) => image.index === null && alt !== '' && normalText(image.alt ?? '') === normalText(alt)))
  return gone.length === 0 ? null : { extent: gone.length / expectedImages.length, places: articlePlaces(sight.facts), count: gone.length, evidence: { expected: expectedImages.length, missing: gone.slice(0, 5).map(({ src }) => src.slice(0, 300)) } }
}
