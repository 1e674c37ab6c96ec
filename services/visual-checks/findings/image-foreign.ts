import type { ImageFact } from '../../../ports/browser/facts.ts'
import { normalText } from './normal-text.ts'
import { findImages, isLoaded } from './own-images.ts'
import type { Found, Rule, Sight } from './rule.ts'

/** Smaller ones are icons, faces, marks. */
const LEAST_PX = 100

/** A picture that our HTML describes with the same words is ours under another address. */
const isForeign = (image: ImageFact, { facts }: Sight): boolean =>
  image.index === null &&
  image.between &&
  image.inArticle &&
  image.rendered &&
  isLoaded(image) &&
  image.box !== null &&
  image.box.width >= LEAST_PX &&
  image.box.height >= LEAST_PX &&
  !facts.expectedImages.some(({ alt }) => alt !== '' && normalText(alt) === normalText(image.alt ?? ''))

/**
 * Has the description of ours and is another picture: far apart in color, or somewhat and in its
 * light and dark too. The same one in another size, format or cut is not.
 */
const isAnother = ({ likeness, rendered }: ImageFact): boolean =>
  likeness !== null &&
  rendered &&
  (likeness.apart > 0.25 ||
    (likeness.apart > 0.12 && likeness.shape < 0.3) ||
    (likeness.apart > 0.2 && likeness.shape < 0.8))

export const imageForeign: Rule = {
  category: 'media',
  severity: 'medium',
  scope: 'article',
  version: 2,
  message: 'A picture among the text is none of the blog.',
  advice:
    'Check which picture the template puts there; images of the blog are to be taken from htmlContent as they are.',
  find
}

function find(sight: Sight): Found | null {
  const images = sight.facts.images.filter((image) => isForeign(image, sight) || isAnother(image))
  const likeness = images.find((image) => image.likeness !== null)?.likeness
  return findImages(sight, images, likeness === undefined ? {} : { likeness })
}
