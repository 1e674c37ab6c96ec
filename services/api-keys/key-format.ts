import { hash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const SECRET_LENGTH = 43
const CHECKSUM_LENGTH = 6

/** The fixed text that every key of this service begins with. */
export const keyPrefix = (brand: string) => `${brand}_pk_`

/** Matches every key of this service, for secret scanners and for redacting logs. */
export const keyPattern = (brand: string) => new RegExp(`${keyPrefix(brand)}[0-9A-Za-z]{20,}`, 'g')

/**
 * A new key: prefix, 43 base62 characters (256 random bits, without bias), 6 base62 characters of
 * CRC32 over all before them.
 */
export function generateKey(brand: string): string {
  const body = keyPrefix(brand) + randomBase62(SECRET_LENGTH)
  return body + checksum(body)
}

/** Whether the text can be a key of this service at all; tells a mistyped one without a look-up. */
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

/** What is stored of a key: SHA-256, hex. A slow hash buys nothing at 256 random bits. */
export const hashKey = (value: string) => hash('sha256', value, 'hex')

/** What may be shown of a key: its first 4 secret characters and its last 4. */
export function displayParts(value: string, brand: string): { prefix: string; last4: string } {
  const start = keyPrefix(brand).length
  return { prefix: value.slice(0, start + 4), last4: value.slice(-4) }
}

function randomBase62(length: number): string {
  let text = ''
  while (text.length < length) {
    // Bytes from 248 up are thrown away: 248 is the largest multiple of 62 in a byte.
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
