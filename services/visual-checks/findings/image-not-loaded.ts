import { findImages, isNeverLoaded, ownImages } from './own-images.ts'
import type { Rule } from './rule.ts'

export const imageNotLoaded: Rule = {
  category: 'media',
  severity: 'high',
  scope: 'article',
  version: 2,
  message: 'An image of the blog is never loaded: nothing or a placeholder stands for it.',
  advice: 'Check the script that loads images on scroll, or use loading="lazy" alone.',
  find: (sight) => findImages(sight, ownImages(sight).filter(isNeverLoaded), {})
}
