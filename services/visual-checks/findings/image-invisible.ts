import { findImages, isInvisible, ownImages } from './own-images.ts'
import type { Found, Rule, Sight } from './rule.ts'
import { isWalled } from './walled.ts'
import { rounded } from './weight.ts'

export const imageInvisible: Rule = {
  category: 'media',
  severity: 'high',
  scope: 'article',
  version: 2,
  message: 'An image of the blog is there, but cannot be seen.',
  advice: 'Look for display: none, an opacity of 0, a height of 0 or a clipped element above the image.',
  find
}

function find(sight: Sight): Found | null {
  if (isWalled(sight)) return null
  const images = ownImages(sight).filter(isInvisible)
  return findImages(
    sight,
    images,
    images[0]
      ? { rendered: images[0].rendered, opacity: images[0].opacity, visibleShare: rounded(images[0].visibleShare) }
      : {}
  )
}
