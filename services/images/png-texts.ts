import { constants, crc32, deflateSync, inflateSync } from 'node:zlib'
import { clearProfileTags } from './profiles.ts'

/** The first bytes of every PNG file (PNG, third edition, section 5.2). */
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
/** The length, the type and the checksum of a chunk. */
const CHUNK_OVERHEAD = 12
const typeOf = (name: string): number => Buffer.from(name, 'latin1').readUInt32BE()
/** Texts, which no delivered image contains (section 11.3.3). */
const TEXTS: ReadonlySet<number> = new Set(['tEXt', 'zTXt', 'iTXt'].map(typeOf))
const PROFILE = typeOf('iCCP')
const END = typeOf('IEND')
/** Set in the types of chunks that decoders may ignore (section 5.4). */
const ANCILLARY_BIT = 0x20000000
/** Encoders write up to about ten of those. Decoders take 0.4 s for 49,000 of them; more than this are removed. */
const MAX_ANCILLARY = 100
/** Encoders write chunks of 8 KB or more: a file of 20 MB has 2,500. What follows so many chunks is removed. */
const MAX_CHUNKS = 50_000
/** Color profiles of cameras and screens have up to some hundred kilobytes. */
const MAX_PROFILE_BYTES = 1024 * 1024
/** The name of a profile, the byte after it, and its compression method (section 11.3.2.3). */
const MAX_PROFILE_NAME = 79

/**
 * Returns a PNG file without texts, without a color profile that cannot be read, has more than 1 MiB, or is not the
 * first one, and without ancillary chunks after the first hundred. A profile keeps only the tags that decoders need
 * (`profiles.ts`). Decoders decompress texts and profiles before any limit of pixels: chunks of 50 KB become texts of
 * 50 MB. Returns other files as they are, and so the rest of a file whose chunks are malformed, which the decoder
 * reports.
 */
export function withoutPngTexts(bytes: Buffer): Buffer {
  if (!bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE)) return bytes
  /** What remains before `start`, from where nothing was removed. */
  const parts: Buffer[] = []
  let start = 0
  let at = SIGNATURE.length
  let ancillary = 0
  let hasProfile = false
  for (let count = 1; at + CHUNK_OVERHEAD <= bytes.length; count++) {
    if (count > MAX_CHUNKS) return Buffer.concat([...parts, bytes.subarray(start, at)])
    const end = at + CHUNK_OVERHEAD + bytes.readUInt32BE(at)
    if (end > bytes.length) break
    const type = bytes.readUInt32BE(at + 4)
    let isDropped = TEXTS.has(type)
    let replacement: Buffer | null = null
    if (!isDropped && (type & ANCILLARY_BIT) !== 0) isDropped = ++ancillary > MAX_ANCILLARY
    if (type === PROFILE) {
      // A file has at most one profile (section 5.6). A second one is not even read: each may take milliseconds.
      const given = bytes.subarray(at, end)
      const cleared = hasProfile || isDropped ? null : clearProfileChunk(given)
      hasProfile = true
      isDropped = cleared !== given
      if (isDropped) replacement = cleared
    }
    if (isDropped) {
      if (start < at) parts.push(bytes.subarray(start, at))
      if (replacement !== null) parts.push(replacement)
      start = end
    }
    at = end
    if (type === END) break
  }
  return start === 0 ? bytes : Buffer.concat([...parts, bytes.subarray(start)])
}

/**
 * A chunk whose profile has no tags that decoders do not need: the same one, if there are none. Null if the profile is
 * damaged or too long: the image is shown without it.
 */
function clearProfileChunk(chunk: Buffer): Buffer | null {
  const data = chunk.subarray(8, -4)
  const nameEnd = data.subarray(0, MAX_PROFILE_NAME + 1).indexOf(0)
  if (nameEnd === -1) return null
  let profile: Buffer
  try {
    profile = inflateSync(data.subarray(nameEnd + 2), { maxOutputLength: MAX_PROFILE_BYTES })
  } catch {
    return null
  }
  if (!clearProfileTags(profile)) return chunk
  const compressed = deflateSync(profile, { level: constants.Z_BEST_SPEED })
  const body = Buffer.concat([chunk.subarray(4, 8 + nameEnd + 2), compressed])
  const cleared = Buffer.alloc(body.length + 8)
  cleared.writeUInt32BE(body.length - 4)
  body.copy(cleared, 4)
  cleared.writeUInt32BE(crc32(body), 4 + body.length)
  return cleared
}
