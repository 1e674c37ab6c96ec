import { createHmac, timingSafeEqual } from 'node:crypto'

/** Permission to see a blog in any state until `expiresAt` (milliseconds since 1970). */
export interface Preview {
  blogId: string
  expiresAt: number
}

/** Domain separation: signatures for other purposes with the same secret are invalid here. */
const PURPOSE = 'svc-preview-v1'

/**
 * Creates a preview token: `<expiry, base 36>.<HMAC-SHA256, base64url>`, at most 60 characters of
 * `[A-Za-z0-9._-]`. The caller limits the expiry.
 */
export function signPreview(preview: Preview, secret: string | Uint8Array): string {
  const expiry = preview.expiresAt.toString(36)
  return `${expiry}.${sign(preview.blogId, expiry, secret).toString('base64url')}`
}

/**
 * Whether a token is valid for this secret and blog and has not expired; false for any malformed
 * input. Compares in constant time. `now` in milliseconds since 1970.
 */
export function verifyPreview(
  token: string,
  expected: { blogId: string; now: number },
  secret: string | Uint8Array
): boolean {
  const match = /^([0-9a-z]{1,12})\.([A-Za-z0-9_-]{43})$/.exec(token)
  if (match === null) return false
  const [, expiry = '', given = ''] = match
  const wanted = sign(expected.blogId, expiry, secret)
  // Compared as text: the last character of base64url carries spare bits, and only one spelling is
  // the token.
  if (!timingSafeEqual(Buffer.from(given), Buffer.from(wanted.toString('base64url')))) return false
  return Number.parseInt(expiry, 36) > expected.now
}

function sign(blogId: string, expiry: string, secret: string | Uint8Array): Buffer {
  return createHmac('sha256', secret).update(`${PURPOSE}\n${blogId}\n${expiry}`).digest()
}
