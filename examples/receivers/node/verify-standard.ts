import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * The same question by Standard Webhooks, which also refuses what is older than five minutes.
 * `headers`: names in lower case.
 */
export function verifyStandard(body: Buffer, headers: Record<string, string>, secret: string): boolean {
  const { 'webhook-id': id = '', 'webhook-timestamp': timestamp = '', 'webhook-signature': signatures = '' } = headers
  if (id === '' || !/^\d{1,12}$/.test(timestamp) || Math.abs(Date.now() / 1000 - Number(timestamp)) > 300) return false
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const expected = Buffer.from(
    `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')}`
  )
  return signatures
    .split(' ')
    .map((one) => Buffer.from(one)) // two of them while the secret is being rotated
    .some((given) => given.length === expected.length && timingSafeEqual(given, expected))
}
