import { createHmac, hash } from 'node:crypto'

/** The size of a block of SHA-256, in bytes. */
const BLOCK = 64
const DIGEST = 32
/** Longer messages are not copied: the digest itself takes nearly all of the time. */
const MAX_COPIED = 16 * 1024

/** A key of HMAC-SHA256, prepared for many messages. */
export interface HmacKey {
  key: Buffer
  /** The key, padded to a block, xor 0x36. */
  inner: Buffer
  /** The key, padded to a block, xor 0x5c, and space for a digest. */
  outer: Buffer
}

/** Prepares a key of any length. */
export function toHmacKey(key: Buffer): HmacKey {
  const block = Buffer.alloc(BLOCK)
  if (key.length > BLOCK) hash('sha256', key, 'buffer').copy(block)
  else key.copy(block)
  const outer = Buffer.alloc(BLOCK + DIGEST)
  for (const [index, byte] of block.entries()) outer[index] = byte ^ 0x5c
  return { key, inner: block.map((byte) => byte ^ 0x36) as Buffer, outer }
}

/** An inner block, a head, and a body. Messages are signed at once, so that one buffer is enough. */
const scratch = Buffer.alloc(BLOCK + MAX_COPIED)

/** `head`: text before the body. */
export interface HmacMessage {
  head?: string
  body: Buffer
}

/**
 * HMAC-SHA256 (RFC 2104) of a head and a body. The digests of the inner and of the outer message take one call of
 * `crypto.hash` each: for a body of 2 KB, the objects that `createHmac` needs take as long as the digests.
 */
export function hmacSha256(key: HmacKey, { head = '', body }: HmacMessage, encoding: 'hex' | 'base64'): string {
  // A character has up to three bytes.
  if (head.length * 3 + body.length > MAX_COPIED) {
    return createHmac('sha256', key.key).update(head).update(body).digest(encoding)
  }
  scratch.set(key.inner)
  const start = head === '' ? BLOCK : BLOCK + scratch.write(head, BLOCK)
  scratch.set(body, start)
  key.outer.write(hash('sha256', scratch.subarray(0, start + body.length), 'latin1'), BLOCK, 'latin1')
  return hash('sha256', key.outer, encoding)
}
