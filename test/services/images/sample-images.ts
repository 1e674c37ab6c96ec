import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import type { Sharp } from 'sharp'

/** Left half red, right half blue, which shows whether an image was rotated. */
export function halves(width: number, height: number): Sharp {
  return sharp({ create: { width, height, channels: 3, background: '#f00' } }).composite([
    { input: { create: { width: width / 2, height, channels: 3, background: '#00f' } }, left: width / 2, top: 0 }
  ])
}

/**
 * An image that resembles a photograph: soft noise, reproducible for each size.
 */
export function photograph(width: number, height: number): Promise<Buffer> {
  const pixels = Buffer.alloc(width * height * 3)
  for (let i = 0; i < pixels.length; i++) {
    const x = Math.floor(i / 3) % width
    const y = Math.floor(i / 3 / width)
    pixels[i] = 128 + 60 * Math.sin(x / (17 + (i % 3))) + 50 * Math.cos(y / 23) + ((x * 7919 + y * 104729) % 13)
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 92 })
    .toBuffer()
}

/** An animation with the given number of frames, each in one color. */
export async function animation(format: 'gif' | 'webp', frames: number, side = 64): Promise<Buffer> {
  const pictures = Array.from({ length: frames }, (_, i) =>
    sharp({
      create: {
        width: side,
        height: side,
        channels: 3,
        background: { r: (40 * i) % 256, g: 90, b: 255 - ((40 * i) % 256) }
      }
    })
      .png()
      .toBuffer()
  )
  return sharp(await Promise.all(pictures), { join: { animated: true } })
    [format]({ delay: Array(frames).fill(80) as number[] })
    .toBuffer()
}

/** A tiny PNG that declares the given size. */
export function pngThatClaims(width: number, height: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const chunks = [
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(100_000))),
    chunk('IEND', Buffer.alloc(0))
  ]
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...chunks])
}

/**
 * A GIF of one or two kilobytes that declares the given number of square frames, each of which
 * changes a single pixel.
 */
export function gifThatClaims(frames: number, side: number): Buffer {
  const screen = Buffer.alloc(13 + 6)
  screen.write('GIF89a', 'latin1')
  screen.writeUInt16LE(side, 6)
  screen.writeUInt16LE(side, 8)
  screen[10] = 0x80
  const control = [0x21, 0xf9, 4, 0, 5, 0, 0, 0]
  const pixel = [0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0]
  return Buffer.concat([
    screen,
    ...Array.from({ length: frames }, () => Buffer.from([...control, ...pixel])),
    Buffer.from([0x3b])
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

/** The color of a pixel, 0–255 each. */
export async function colorAt(bytes: Buffer, x: number, y: number): Promise<number[]> {
  const { data } = await sharp(bytes)
    .extract({ left: x, top: y, width: 1, height: 1 })
    .raw()
    .toBuffer({ resolveWithObject: true })
  return [...data]
}

/** Whether two colors are similar: each channel differs by at most 12 of 255. */
export function alike(a: number[], b: number[]): boolean {
  return b.every((value, i) => Math.abs(value - (a[i] ?? -1000)) <= 12)
}

/**
 * A gray progressive JPEG file with many scans, of which all but the first say nothing: all coefficients are zero
 * (ITU-T T.81, annex G). `between` is written before the last scan.
 */
export function jpegWithScans(
  scans: number,
  { width = 64, height = 64, between = Buffer.alloc(0) }: { width?: number; height?: number; between?: Buffer } = {}
): Buffer {
  const segment = (marker: number, data: number[]): Buffer =>
    Buffer.from([0xff, marker, (data.length + 2) >> 8, (data.length + 2) & 255, ...data])
  const blocks = Math.ceil(width / 8) * Math.ceil(height / 8)
  const noCodes = Array<number>(15).fill(0)
  // Runs of up to 32,767 blocks without a coefficient: the code of such a run, 14 bits of its length.
  const bits = Array.from({ length: Math.ceil(blocks / 32_767) }, () => '0' + '1'.repeat(14)).join('')
  const bytes = bits.match(/.{1,8}/g)!.flatMap((byte) => {
    const value = Number.parseInt(byte.padEnd(8, '1'), 2)
    return value === 0xff ? [0xff, 0] : [value]
  })
  const scan = Buffer.concat([segment(0xda, [1, 1, 0, 1, 63, 0]), Buffer.from(bytes)])
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xdb, [0, ...Array<number>(64).fill(1)]),
    segment(0xc2, [8, height >> 8, height & 255, width >> 8, width & 255, 1, 1, 0x11, 0]),
    segment(0xc4, [0x00, 1, ...noCodes, 0]),
    segment(0xc4, [0x10, 1, ...noCodes, 0xe0]),
    segment(0xda, [1, 1, 0, 0, 0, 0]),
    Buffer.alloc(Math.ceil(blocks / 8)),
    ...Array<Buffer>(Math.max(0, scans - 2)).fill(scan),
    between,
    ...(scans > 1 ? [scan] : []),
    Buffer.from([0xff, 0xd9])
  ])
}
