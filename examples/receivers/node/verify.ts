import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * Whether `header` (X-Svc-Signature) is `sha256=` and the HMAC-SHA256 of the body's raw bytes; the
 * key is the whole secret, `whsec_` included.
 */
export function verifySignature(body: Buffer, header: string | undefined, secret: string): boolean {
  const expected = Buffer.from(`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`)
  const given = Buffer.from(header ?? '')
  return given.length === expected.length && timingSafeEqual(given, expected)
}
