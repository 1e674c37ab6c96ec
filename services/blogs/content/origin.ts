import { withoutTrailingSlash } from '../../../lib/text.ts'

/**
 * Placeholder for the public URL in stored content (a name reserved by RFC 2606). It is replaced at
 * delivery, so that a new `PUBLIC_URL` needs no re-rendering.
 */
export const ORIGIN = 'https://svc-origin.invalid'

/**
 * Increment when the rules of rendering or sanitizing change: older blogs are rendered again from
 * their source.
 */
export const RULES_VERSION = '3'

/** Path of images below the public URL. */
export const IMAGES_PATH = '/api/v1/blogs/images/'

/** The stored URL of an image. `filename` matches `[a-z0-9._-]+`. */
export function storedImageUrl(blogId: string, filename: string): string {
  return `${ORIGIN}${IMAGES_PATH}${encodeURIComponent(blogId)}/${encodeURIComponent(filename)}`
}

/** The public URL as a prefix of a path: without a trailing slash, escaped for attributes. */
export function escapeOrigin(publicUrl: string): string {
  return withoutTrailingSlash(publicUrl)
    .replaceAll('&', '&amp;')
    .replaceAll('"', '%22')
    .replaceAll('<', '%3C')
    .replaceAll('>', '%3E')
    .replaceAll(/\s/g, '%20')
}

/** Replaces the placeholder in stored HTML, or in a stored image URL, by the public URL. */
export function deliverHtml(storedHtml: string, publicUrl: string): string {
  return storedHtml.replaceAll(ORIGIN + IMAGES_PATH, escapeOrigin(publicUrl) + IMAGES_PATH)
}
