import type { ImageSnapshot } from '../../../ports/browser/port/page-snapshot.ts'
import { normalText } from './normal-text.ts'
import { findImages, isLoaded } from './own-images.ts'
import type { Found, Rule, Sight } from './rule.ts'

/** Smaller ones are icons, faces, marks. */
const LEAST_PX = 100

/** A picture that our HTML describes with the same words is ours under another address. */
const isForeign = (image: ImageSnapshot, { facts }: Sight): boolean =>
  image.index === null &&
  image.betweenBlocks &&
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
const isAnother = ({ similarity, rendered }: ImageSnapshot): boolean =>
  similarity !== null &&
  rendered &&
  (similarity.colorDifference > 0.25 ||
    (similarity.colorDifference > 0.12 && similarity.shapeCorrelation < 0.3) ||
    (similarity.colorDifference > 0.2 && similarity.shapeCorrelation < 0.8))

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
  const likeness = images.find((image) => image.similarity !== null)?.similarity
  return findImages(sight, images, likeness === undefined ? {} : { likeness })
}
