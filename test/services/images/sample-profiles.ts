import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'

export type ProfileFormat = 'jpeg' | 'png' | 'webp' | 'avif'

const u16 = (value: number): Buffer => Buffer.from([value >> 8, value & 255])
const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
const text = (value: string): Buffer => Buffer.from(value, 'latin1')
/** A number with 16 bits before and after its point. */
const fixed = (value: number): Buffer => u32(Math.round(value * 65_536))
const xyz = (...values: number[]): Buffer => Buffer.concat([text('XYZ '), u32(0), ...values.map(fixed)])

/** A table of so many elements that are all the same matrix, which changes no color (ICC.1:2022, section 10.16). */
function elements(count: number): Buffer {
  const matrix = Buffer.concat([text('matf'), u32(0), u16(3), u16(3), Buffer.alloc(48)])
  for (const at of [0, 4, 8]) matrix.writeFloatBE(1, 12 + 4 * at)
  const position = Buffer.concat([u32(16 + 8 * count), u32(matrix.length)])
  return Buffer.concat([text('mpet'), u32(0), u16(3), u16(3), u32(count), Buffer.alloc(8 * count, position), matrix])
}

/** A color profile with the primaries of sRGB and other curves, and further tags. */
export function profileWith(further: Record<string, Buffer>): Buffer {
  const name = Buffer.concat([text('mluc'), u32(0), u32(1), u32(12), text('enUS'), u32(2), u32(28), u16(65)])
  const curve = Buffer.concat([text('curv'), u32(0), u32(1), u16(0x0133), u16(0)])
  const tags = Object.entries({
    desc: name,
    cprt: name,
    wtpt: xyz(0.9642, 1, 0.8249),
    rXYZ: xyz(0.436, 0.2225, 0.0139),
    gXYZ: xyz(0.385, 0.7169, 0.0971),
    bXYZ: xyz(0.143, 0.0606, 0.7141),
    rTRC: curve,
    gTRC: curve,
    bTRC: curve,
    ...further
  })
  let at = 132 + 12 * tags.length
  const table: Buffer[] = []
  const data: Buffer[] = []
  for (const [signature, content] of tags) {
    const padded = Buffer.concat([content, Buffer.alloc(-content.length & 3)])
    table.push(text(signature), u32(at), u32(content.length))
    data.push(padded)
    at += padded.length
  }
  const header = Buffer.alloc(128)
  u32(at).copy(header)
  header.write('lcms', 4, 'latin1')
  u32(0x04300000).copy(header, 8)
  header.write('mntrRGB XYZ ', 12, 'latin1')
  header.write('acsp', 36, 'latin1')
  for (const [index, value] of [0.9642, 1, 0.8249].entries()) fixed(value).copy(header, 68 + 4 * index)
  return Buffer.concat([header, u32(tags.length), ...table, ...data])
}

/** Like `profileWith({})`, and with tables of which decoders take a long time for many elements. */
export const slowProfile = (count: number): Buffer => profileWith({ D2B0: elements(count), D2B1: elements(count) })

/** A profile of a length. */
function profileOf(length: number): Buffer {
  const [shortest, withTag] = [profileWith({}), profileWith({ free: Buffer.alloc(0) })]
  return length < withTag.length ? shortest : profileWith({ free: Buffer.alloc(length - withTag.length) })
}

/** An image with a color profile. `partLength`: of the profile in each segment of a JPEG file. */
export async function imageWithProfile(format: ProfileFormat, profile: Buffer, partLength = 65_000): Promise<Buffer> {
  const image = sharp({ create: { width: 64, height: 48, channels: 3, background: { r: 200, g: 30, b: 90 } } })
  const bytes = await image[format]().toBuffer()
  switch (format) {
    case 'jpeg': {
      const count = Math.ceil(profile.length / partLength)
      const segments = Array.from({ length: count }, (_, index) => {
        const part = profile.subarray(index * partLength, (index + 1) * partLength)
        const data = Buffer.concat([text('ICC_PROFILE\0'), Buffer.from([index + 1, count]), part])
        return Buffer.concat([Buffer.from([0xff, 0xe2]), u16(data.length + 2), data])
      })
      // Decoders order the parts by their numbers.
      return Buffer.concat([bytes.subarray(0, 2), ...segments.toReversed(), bytes.subarray(2)])
    }
    case 'png': {
      const content = Buffer.concat([text('iCCPname\0\0'), deflateSync(profile)])
      const chunk = Buffer.concat([u32(content.length - 4), content, u32(crc32(content))])
      return Buffer.concat([bytes.subarray(0, 33), chunk, bytes.subarray(33)])
    }
    case 'webp': {
      const chunk = (type: string, data: Buffer): Buffer => {
        const length = Buffer.alloc(4)
        length.writeUInt32LE(data.length)
        return Buffer.concat([text(type), length, data, Buffer.alloc(data.length & 1)])
      }
      const header = chunk('VP8X', Buffer.from([0x20, 0, 0, 0, 63, 0, 0, 47, 0, 0]))
      const chunks = Buffer.concat([text('WEBP'), header, chunk('ICCP', profile), bytes.subarray(12)])
      return Buffer.concat([chunk('RIFF', chunks)])
    }
    case 'avif': {
      // Written with a usual profile of the same length, which is replaced.
      const folder = mkdtempSync(path.join(tmpdir(), 'profile-'))
      try {
        const file = path.join(folder, 'profile.icc')
        writeFileSync(file, profileOf(profile.length))
        const given = await image.withIccProfile(file).avif().toBuffer()
        const at = given.indexOf('acsp', 0, 'latin1') - 36
        given.fill(0, at, at + profile.length)
        profile.copy(given, at)
        return given
      } finally {
        rmSync(folder, { recursive: true })
      }
    }
  }
}
