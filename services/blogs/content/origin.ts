/**
 * Stands for the service's own public address inside stored content (a name reserved by RFC 2606);
 * replaced at delivery, so that a changed `PUBLIC_URL` needs no rendering anew.
 */
export const ORIGIN = 'https://svc-origin.invalid'

/**
 * Grows when the rules of rendering or sanitizing change; blogs of an older version are rendered
 * again from their source.
 */
export const RULES_VERSION = '1'

/** Where images are delivered from, below the public address. */
export const IMAGES_PATH = '/api/v1/blogs/images/'

/** The address that a stored image of a blog has. `filename` is one of `[a-z0-9._-]`. */
export function storedImageUrl(blogId: string, filename: string): string {
  return `${ORIGIN}${IMAGES_PATH}${encodeURIComponent(blogId)}/${encodeURIComponent(filename)}`
}

/**
 * The public address as it is written in front of a path: no slash at its end, and nothing that
 * could end an attribute.
 */
export function escapeOrigin(publicUrl: string): string {
  return publicUrl
    .replace(/\/+$/, '')
    .replaceAll('&', '&amp;')
    .replaceAll('"', '%22')
    .replaceAll('<', '%3C')
    .replaceAll('>', '%3E')
    .replaceAll(/\s/g, '%20')
}

/**
 * Puts the public address where stored HTML has the placeholder. Also right for a stored image
 * address outside of HTML.
 */
export function deliverHtml(storedHtml: string, publicUrl: string): string {
  return storedHtml.replaceAll(ORIGIN + IMAGES_PATH, escapeOrigin(publicUrl) + IMAGES_PATH)
}
