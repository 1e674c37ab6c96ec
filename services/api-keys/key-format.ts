import { hash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const SECRET_LENGTH = 43
const CHECKSUM_LENGTH = 6

/** The prefix of all keys of this service. */
export const keyPrefix = (brand: string) => `${brand}_pk_`

/** Matches all keys of this service, for secret scanners and log redaction. */
export const keyPattern = (brand: string) => new RegExp(`${keyPrefix(brand)}[0-9A-Za-z]{20,}`, 'g')

/**
 * Generates a key: prefix, 43 base62 characters (256 random bits, without bias) and 6 base62
 * characters of the CRC32 of everything before them.
 */
export function generateKey(brand: string): string {
  const body = keyPrefix(brand) + randomBase62(SECRET_LENGTH)
  return body + checksum(body)
}

/**
 * Whether a text has the form and the checksum of a key: detects a mistyped key without a lookup.
 */
export function isWellFormedKey(text: string, brand: string): boolean {
  const prefix = keyPrefix(brand)
  if (
    text.length !== prefix.length + SECRET_LENGTH + CHECKSUM_LENGTH ||
    !text.startsWith(prefix) ||
    !/^[0-9A-Za-z]+$/.test(text.slice(prefix.length))
  ) {
    return false
  }
  return text.slice(-CHECKSUM_LENGTH) === checksum(text.slice(0, -CHECKSUM_LENGTH))
}

/** The stored hash of a key: SHA-256 in hex. A slow hash adds nothing to 256 random bits. */
export const hashKey = (value: string) => hash('sha256', value, 'hex')

/**
 * The displayable parts of a key: the prefix with its first 4 secret characters, and the last 4.
 */
export function displayParts(value: string, brand: string): { prefix: string; last4: string } {
  const start = keyPrefix(brand).length
  return { prefix: value.slice(0, start + 4), last4: value.slice(-4) }
}

function randomBase62(length: number): string {
  let text = ''
  while (text.length < length) {
    // Bytes from 248 on are skipped, because 248 is the largest multiple of 62 in a byte.
    for (const byte of randomBytes(length)) if (byte < 248 && text.length < length) text += BASE62[byte % 62]
  }
  return text
}

function checksum(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let place = 0; place < CHECKSUM_LENGTH; place++) {
    digits = BASE62[rest % 62] + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}
