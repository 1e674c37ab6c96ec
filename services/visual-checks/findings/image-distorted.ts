import type { ImageSnapshot } from '../../../ports/browser/port/page-snapshot.ts'
import { findImages, isLoaded, ownImages } from './own-images.ts'
import type { Found, Rule, Sight } from './rule.ts'
import { rounded } from './weight.ts'

const TOLERANCE = 0.12
/** Icons and lines are no pictures. */
const LEAST_PX = 20
const STRIP_PX = 80

const distortionOf = ({ box, naturalWidth, naturalHeight }: ImageSnapshot): number =>
  box && naturalWidth > 0 && naturalHeight > 0 && box.height > 0
    ? box.width / box.height / (naturalWidth / naturalHeight)
    : 1

export const imageDistorted: Rule = {
  category: 'media',
  severity: 'medium',
  scope: 'article',
  version: 2,
  message: 'An image is stretched, squeezed or cut to a strip.',
  advice: 'Set width and height of images in proportion: height: auto, or object-fit: cover.',
  find
}

/**
 * Cut to fit a box so flat or narrow that hardly anything of it is left; a banner is wide, but
 * higher.
 */
function isStrip({ objectFit, rendered, box, naturalWidth, naturalHeight }: ImageSnapshot): boolean {
  if (
    objectFit !== 'cover' ||
    !rendered ||
    box === null ||
    naturalWidth === 0 ||
    box.width <= LEAST_PX ||
    box.height <= LEAST_PX
  ) {
    return false
  }
  const ratio = box.width / box.height / (naturalWidth / naturalHeight)
  return (
    Math.min(box.width, box.height) < STRIP_PX &&
    Math.min(naturalWidth, naturalHeight) > STRIP_PX &&
    Math.min(ratio, 1 / ratio) < 0.25
  )
}

function isDistorted(image: ImageSnapshot): boolean {
  if (isStrip(image)) return true
  if (
    image.objectFit !== 'fill' ||
    !image.rendered ||
    image.box === null ||
    image.box.width <= LEAST_PX ||
    image.box.height <= LEAST_PX
  ) {
    return false
  }
  const ratio = distortionOf(image)
  return isLoaded(image) && (ratio > 1 + TOLERANCE || ratio < 1 - TOLERANCE)
}

function find(sight: Sight): Found | null {
  const images = ownImages(sight).filter(isDistorted)
  return findImages(sight, images, images[0] ? { ratio: rounded(distortionOf(images[0]), 2) } : {})
}
