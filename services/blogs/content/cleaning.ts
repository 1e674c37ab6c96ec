import type { BlogImage } from '../../../schemas/blog.ts'

/** An image that was uploaded to the blog. */
export interface OwnImage {
  filename: string
  originalName: string
  alt: string
  width: number
  height: number
}

export interface SanitizeOptions {
  blogId: string
  images: OwnImage[]
  /** The service's own address: images under it are its own. */
  publicUrl: string
  /** An h1 that repeats it at the very beginning is left out: the page has its own. */
  title?: string
}

/** What one pass over a tree knows and gathers. */
export interface Cleaning {
  options: SanitizeOptions
  warn: (warning: string) => void
  images: BlogImage[]
  firstOwnImage: string | null
}
