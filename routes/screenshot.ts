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
