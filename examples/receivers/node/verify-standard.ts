import { createHmac, timingSafeEqual } from 'node:crypto'

/** Verifies the headers of Standard Webhooks (names in lower case) and rejects replays. */
export function verifyStandard(body: Buffer, headers: Record<string, string>, secret: string): boolean {
  const { 'webhook-id': id = '', 'webhook-timestamp': timestamp = '', 'webhook-signature': signatures = '' } = headers
  if (id === '' || !/^\d{1,12}$/.test(timestamp) || Math.abs(Date.now() / 1000 - Number(timestamp)) > 300) return false
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const digest = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')
  const expected = Buffer.from(`v1,${digest}`)
  // During a rotation of the secret there are two signatures.
  const isExpected = (given: Buffer) => given.length === expected.length && timingSafeEqual(given, expected)
  return signatures.split(' ').some((signature) => isExpected(Buffer.from(signature)))
}
