import { inflateSync } from 'node:zlib'

/** The first bytes of every PNG file (PNG, third edition, section 5.2). */
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
/** The length, the type and the checksum of a chunk. */
const CHUNK_OVERHEAD = 12
/** Texts, which no delivered image contains (section 11.3.3). */
const TEXTS: ReadonlySet<string> = new Set(['tEXt', 'zTXt', 'iTXt'])
/** Encoders write chunks of 8 KB or more: a file of 20 MB has 2,500. What follows so many chunks is removed. */
const MAX_CHUNKS = 50_000
/** Color profiles of cameras and screens have up to some hundred kilobytes. */
const MAX_PROFILE_BYTES = 1024 * 1024
/** The name of a profile, the byte after it, and its compression method (section 11.3.2.3). */
const MAX_PROFILE_NAME = 79

/**
 * Returns a PNG file without texts, and without a color profile that cannot be read, has more than 1 MiB, or is not the
 * first one. Decoders
 * decompress both before any limit of pixels: chunks of 50 KB become texts of 50 MB. Returns other files as they are,
 * and so the rest of a file whose chunks are malformed, which the decoder reports.
 */
export function withoutPngTexts(bytes: Buffer): Buffer {
  if (!bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE)) return bytes
  const parts: Buffer[] = [SIGNATURE]
  let at = SIGNATURE.length
  let isChanged = false
  let hasProfile = false
  for (let count = 1; at + CHUNK_OVERHEAD <= bytes.length; count++) {
    if (count > MAX_CHUNKS) return Buffer.concat(parts)
    const end = at + CHUNK_OVERHEAD + bytes.readUInt32BE(at)
    if (end > bytes.length) break
    const type = bytes.toString('latin1', at + 4, at + 8)
    // A file has at most one profile (section 5.6). A second one is not even read: each may take milliseconds.
    const isDropped =
      TEXTS.has(type) || (type === 'iCCP' && (hasProfile || !isProfile(bytes.subarray(at + 8, end - 4))))
    hasProfile ||= type === 'iCCP'
    if (isDropped) isChanged = true
    else parts.push(bytes.subarray(at, end))
    at = end
    if (type === 'IEND') break
  }
  parts.push(bytes.subarray(at))
  return isChanged ? Buffer.concat(parts) : bytes
}

function isProfile(data: Buffer): boolean {
  const nameEnd = data.subarray(0, MAX_PROFILE_NAME + 1).indexOf(0)
  if (nameEnd === -1) return false
  try {
    inflateSync(data.subarray(nameEnd + 2), { maxOutputLength: MAX_PROFILE_BYTES })
    return true
  } catch {
    return false // Damaged or too long: the image is shown without its profile.
  }
}
