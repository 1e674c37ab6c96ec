import type { ImageFormat, ImageWidth } from '../../schemas/image-options.ts'
import { formatOf } from './inspect.ts'
import { trimEndOf } from '../../lib/text.ts'
import { normalize } from '../../lib/normalize.ts'

/** Key prefix of all images of a blog. */
export const blogPrefix = (blogId: string): string => `images/${blogId}`
/** Key prefix of one image. */
export const imagePrefix = (blogId: string, filename: string): string => `${blogPrefix(blogId)}/${filename}`
/** The uploaded bytes, which are never delivered. */
export const originalKey = (blogId: string, filename: string): string => `${imagePrefix(blogId, filename)}/original`
/** The default variant. */
export const baseKey = (blogId: string, filename: string): string => `${imagePrefix(blogId, filename)}/base`
/** A variant in another width or format. */
export const variantKey = (
  image: { blogId: string; filename: string },
  width: ImageWidth | 'full',
  format: ImageFormat
): string => `${imagePrefix(image.blogId, image.filename)}/${width}.${format}`

const MAX_STEM = 80
/** Hex digits of the hash in a name: 48 bits are unique within one blog. */
const HASH_DIGITS = 12

/**
 * The public file name of an image: its own name in `[a-z0-9_-]`, at most 80 characters, then the
 * start of its hash, so that the content of a name never changes.
 * @param name as uploaded, with or without folders and extension
 * @param content SHA-256 of the uploaded bytes in hex, and the delivered media type
 */
export function imageFilename(originalName: string, content: { hash: string; type: string }): string {
  const last = originalName.split(/[\\/]/).at(-1) ?? ''
  const name = normalize(last.replace(/\.[A-Za-z0-9]{1,5}$/, ''), 'NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '-')
    .slice(0, MAX_STEM)
    .replace(/^[-_]+/, '')
  const stem = trimEndOf(name, /[-_]/)
  const format = formatOf(content.type)
  return `${stem || 'image'}-${content.hash.slice(0, HASH_DIGITS)}.${format === 'jpeg' ? 'jpg' : format}`
}
