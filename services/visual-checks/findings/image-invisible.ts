import type { ImageFact } from '../../../ports/browser/facts.ts'
import { findImages, isLoaded, ownImages } from './own-images.ts'
import type { Found, Rule, Sight } from './rule.ts'
import { rounded } from './weight.ts'

const isUnseen = ({ rendered, opacity, visibleShare }: ImageFact): boolean => !rendered || opacity < 0.15 || visibleShare < 0.3

export const imageInvisible: Rule = {
  category: 'media',
  severity: 'high',
  scope: 'article',
  version: 1,
  message: 'An image of the blog is there, but cannot be seen.',
  advice: 'Look for display: none, an opacity of 0, a height of 0 or a clipped element above the image.',
  find
}

function find (sight: Sight): Found | null {
  const images = ownImages(sight).filter((image) => isLoaded(image) && isUnseen(image))
  return findImages(sight, images, images[0] ? { rendered: images[0].rendered, opacity: images[0].opacity, visibleShare: rounded(images[0].visibleShare) } : {})
}
