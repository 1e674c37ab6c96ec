import { findImages, isBroken, ownImages } from './own-images.ts'
import type { Rule } from './rule.ts'

export const imageBroken: Rule = {
  category: 'media',
  severity: 'high',
  scope: 'article',
  version: 1,
  message: 'An image of the blog does not load.',
  advice: 'Check the address of the image, and that it may be loaded from this page.',
  find: (sight) => findImages(sight, ownImages(sight).filter(isBroken), {})
}
