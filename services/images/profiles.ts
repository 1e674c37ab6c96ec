import { avifMetadata, boxesOf, containerOf, jpegSegments, type Part, webpChunks } from './containers.ts'

/** The header of a profile, and the number of its tags (ICC.1:2022, sections 7.2 and 7.3). */
const HEADER_LENGTH = 128
/** A signature, an offset and a length. */
const TAG_LENGTH = 12
const SIGNATURE_LENGTH = 4
/** Tags with a signature that is not registered mean nothing to decoders, which reject two equal ones. */
const unknownSignature = (tag: number): string => `x${tag.toString(36).padStart(3, '0')}`
/**
 * The tags by which decoders convert colors: white point, primaries, curves, and tables (section 9.2). Not those with
 * elements of any number (`D2B0`, `B2D0` and others), which are alternatives to them: a decoder takes 19 s for an image
 * of 160 KB whose profile has 20,000 elements (measured), and offsets let all of them share the same few bytes.
 */
const NEEDED: ReadonlySet<string> = new Set(
  (
    'desc cprt wtpt bkpt chad rXYZ gXYZ bXYZ rTRC gTRC bTRC kTRC A2B0 A2B1 A2B2 B2A0 B2A1 B2A2 gamt ' +
    'lumi tech cicp meas view chrm'
  ).split(' ')
)

/** The marker of segments with a part of a color profile, and how they start (section B.4). */
const APP2 = 0xe2
const JPEG_PREFIX = Buffer.from('ICC_PROFILE', 'latin1')
/** After the prefix and a byte that decoders ignore, the number of the part, and the number of parts. */
const [NUMBER_AT, COUNT_AT] = [JPEG_PREFIX.length + 1, JPEG_PREFIX.length + 2]
const JPEG_HEADER_LENGTH = COUNT_AT + 1

/**
 * Removes from a color profile (ICC.1:2022) the tags that decoders do not need, by giving them unknown signatures.
 *
 * @returns whether there were any
 */
export function clearProfileTags(profile: Buffer): boolean {
  let isChanged = false
  if (profile.length < HEADER_LENGTH + 4) return false
  const count = profile.readUInt32BE(HEADER_LENGTH)
  for (let tag = 0, at = HEADER_LENGTH + 4; tag < count && at + TAG_LENGTH <= profile.length; tag++) {
    if (!NEEDED.has(profile.toString('latin1', at, at + SIGNATURE_LENGTH))) {
      profile.write(unknownSignature(tag), at, SIGNATURE_LENGTH, 'latin1')
      isChanged = true
    }
    at += TAG_LENGTH
  }
  return isChanged
}

/**
 * Clears the color profiles of a JPEG, WebP or AVIF file, which keeps its length. Those of PNG files are compressed:
 * `withoutPngTexts` clears them. GIF files have none.
 */
export function clearProfiles(bytes: Buffer): void {
  switch (containerOf(bytes)) {
    case 'jpeg':
      clearParts([...jpegSegments(bytes, APP2)].filter(isPart))
      break
    case 'webp':
      for (const { type, data } of webpChunks(bytes)) if (type === 'ICCP') clearProfileTags(data)
      break
    case 'avif':
      for (const { data } of colorProperties(bytes)) {
        if (/^(?:prof|rICC)/.test(data.toString('latin1', 0, 4))) clearProfileTags(data.subarray(4))
      }
  }
}

const isPart = (data: Buffer): boolean =>
  data.length >= JPEG_HEADER_LENGTH && data.subarray(0, JPEG_PREFIX.length).equals(JPEG_PREFIX)

/**
 * Clears a profile in several segments, which may have any order. Decoders differ in what they do with missing parts,
 * those with the same number, and others: unless the parts have all numbers from 1 to their number, they are removed.
 */
function clearParts(segments: Buffer[]): void {
  const sorted = segments.toSorted((one, other) => one[NUMBER_AT]! - other[NUMBER_AT]!)
  const areAll = sorted.every((segment, at) => segment[NUMBER_AT] === at + 1 && segment[COUNT_AT] === sorted.length)
  if (!areAll) {
    for (const segment of segments) segment.fill(0)
    return
  }
  const parts = sorted.map((segment) => segment.subarray(JPEG_HEADER_LENGTH))
  const profile = Buffer.concat(parts)
  if (!clearProfileTags(profile)) return
  let at = 0
  for (const part of parts) at += profile.copy(part, 0, at, at + part.length)
}

/** The `colr` properties of items (ISO/IEC 23008-12, section 9.3; ISO/IEC 14496-12, section 12.1.5). */
const colorProperties = (bytes: Buffer): Part[] =>
  within(within([...avifMetadata(bytes)], 'iprp'), 'ipco').filter(({ type }) => type === 'colr')

/** The boxes in those of a type. */
const within = (boxes: Part[], wanted: string): Part[] =>
  boxes.flatMap(({ type, data }) => (type === wanted ? [...boxesOf(data)] : []))
