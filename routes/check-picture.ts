import type { FastifyReply } from 'fastify'

/** A picture never changes; its address holds until it is removed. */
const PICTURE_CACHE = 'private, max-age=3600, immutable'

/** Answers with a picture of a visual check, WebP, for its account alone. */
export async function sendPicture(reply: FastifyReply, bytes: Buffer): Promise<never> {
  // The types of a route speak of what it answers, not of the bytes that bring it.
  return (await reply
    .type('image/webp')
    .headers({ 'cache-control': PICTURE_CACHE, 'content-security-policy': "default-src 'none'; sandbox" })
    .send(bytes)) as never
}
