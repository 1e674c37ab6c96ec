import type { ImageFormat, ImageWidth } from '../../schemas/image.ts'

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
