import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

/** Sends a WebP screenshot of a visual check. Screenshots never change until they are removed. */
export async function sendScreenshot(reply: FastifyReply, bytes: Buffer): Promise<never> {
  // The type provider expects the response schema, not the bytes.
  return (await reply
    .type('image/webp')
    .headers({
      'cache-control': 'private, max-age=3600, immutable',
      'content-security-policy': "default-src 'none'; sandbox"
    })
    .send(bytes)) as never
}

/** Sends the report of a visual check, which changes until the check has finished. */
export async function sendReport(
  reply: FastifyReply,
  { html, contentSecurityPolicy }: { html: Readable; contentSecurityPolicy: string }
): Promise<never> {
  return (await reply
    .type('text/html; charset=utf-8')
    .headers({
      'cache-control': 'private, no-cache',
      'content-security-policy': contentSecurityPolicy,
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY'
    })
    .send(html)) as never
}
