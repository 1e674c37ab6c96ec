import type { ImageFormat, ImageWidth } from '../../schemas/image.ts'
import { formatOf } from './inspect.ts'

/** Everything that is kept of a blog's images. */
export const blogPrefix = (blogId: string): string => `images/${blogId}`
/** Everything that is kept of one image. */
export const imagePrefix = (blogId: string, filename: string): string => `${blogPrefix(blogId)}/${filename}`
/** The bytes as they were uploaded. They are never delivered. */
export const originalKey = (blogId: string, filename: string): string => `${imagePrefix(blogId, filename)}/original`
/** What is delivered when neither a width nor a format is asked for. */
export const baseKey = (blogId: string, filename: string): string => `${imagePrefix(blogId, filename)}/base`
/** A narrower one, or one in another format. */
export const variantKey = (
  image: { blogId: string; filename: string },
  width: ImageWidth | 'full',
  format: ImageFormat
): string => `${imagePrefix(image.blogId, image.filename)}/${width}.${format}`

const MAX_STEM = 80
/**
 * Hex digits of the hash in a name: 48 bits, which two pictures of one blog do not share by chance.
 */
const HASH_DIGITS = 12

/**
 * The name that an image is delivered under: the words of its own name in `[a-z0-9_-]`, at most 80
 * characters, then the beginning of its hash, so that
 * whatever has this name never changes.
 * @param name as it was uploaded, with or without folders and extension
 * @param content SHA-256 of the uploaded bytes in hex, and the media type that is delivered
 */
export function imageFilename(name: string, content: { hash: string; type: string }): string {
  const last = name.split(/[\\/]/).at(-1) ?? ''
  const stem = last
    .replace(/\.[A-Za-z0-9]{1,5}$/, '')
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '-')
    .slice(0, MAX_STEM)
    .replace(/^[-_]+|[-_]+$/g, '')
  const format = formatOf(content.type)
  return `${stem || 'image'}-${content.hash.slice(0, HASH_DIGITS)}.${format === 'jpeg' ? 'jpg' : format}`
}
