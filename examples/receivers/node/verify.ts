import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * Verifies the header X-Svc-Signature: `sha256=` and the hex HMAC-SHA256 of the raw body. The key is
 * the whole secret, including `whsec_`.
 */
export function verifySignature(body: Buffer, header: string | undefined, secret: string): boolean {
  const expected = Buffer.from(`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`)
  const given = Buffer.from(header ?? '')
  return given.length === expected.length && timingSafeEqual(given, expected)
}
