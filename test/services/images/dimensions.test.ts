import sharp from 'sharp'
import t from 'tap'
import { readDimensions } from '../../../services/images/dimensions.ts'
import { detectType } from '../../../services/images/inspect.ts'

const SIZES = [
  [1, 1],
  [300, 200],
  [1_021, 777],
  [2_000, 30]
] as const

/** The size of a file by its detected type. */
function sizeOf(bytes: Buffer) {
  const detected = detectType(bytes)
  return 'type' in detected ? readDimensions(bytes, detected.type) : detected.found
}

t.test('the size is read from the header of all accepted types, as a decoder reads it', async (t) => {
  for (const [width, height] of SIZES) {
    const image = sharp({ create: { width, height, channels: 4, background: { r: 20, g: 90, b: 40, alpha: 0.5 } } })
    const files = {
      png: await image.png().toBuffer(),
      'interlaced png': await image.png({ progressive: true, palette: true }).toBuffer(),
      gif: await image.gif().toBuffer(),
      'lossy webp': await sharp({ create: { width, height, channels: 3, background: 'teal' } })
        .webp()
        .toBuffer(),
      'lossless webp': await image.webp({ lossless: true }).toBuffer(),
      'extended webp': await image
        .webp()
        .withExif({ IFD0: { Copyright: 'x'.repeat(500) } })
        .toBuffer(),
      jpeg: await image.jpeg().toBuffer(),
      'progressive jpeg': await image
        .jpeg({ progressive: true })
        .withExif({ IFD0: { Copyright: 'x' } })
        .toBuffer(),
      avif: await image.avif({ effort: 0 }).toBuffer()
    }
    for (const [name, file] of Object.entries(files)) {
      t.same(sizeOf(file), { width, height }, `${name} ${width} × ${height}`)
      t.same(sizeOf(Buffer.concat([file, Buffer.alloc(100, 0xff)])), { width, height }, `${name} with more bytes`)
    }
  }
})

t.test('a header that is cut or damaged has no size', async (t) => {
  const image = sharp({ create: { width: 300, height: 200, channels: 3, background: 'teal' } })
  const files = [
    await image.png().toBuffer(),
    await image.gif().toBuffer(),
    await image.webp().toBuffer(),
    await image.jpeg().toBuffer(),
    await image.avif({ effort: 0 }).toBuffer()
  ]
  for (const file of files) {
    for (let length = 1; length < Math.min(file.length, 400); length++) {
      const found = sizeOf(file.subarray(0, length))
      if (found !== null && typeof found !== 'string') t.same(found, { width: 300, height: 200 })
    }
  }
  for (const text of [
    '\xff\xd8\xff\xff\xff',
    '\xff\xd8\xff\xe0\0\0',
    '\xff\xd8\xff\xd9',
    'GIF89a',
    'RIFF1234WEBPVP8X',
    'RIFF1234WEBPVP8 '
  ]) {
    t.equal(sizeOf(Buffer.from(text, 'latin1')), null, JSON.stringify(text))
  }
})

t.test('what follows or fills a header takes linear time', async (t) => {
  const frames = Buffer.from('ANMF\x1e\0\0\0' + '\0'.repeat(30), 'latin1')
  const animation = Buffer.concat([
    Buffer.from('RIFF\0\0\x04\0WEBPVP8X\x0a\0\0\0\x02\0\0\0\x2b\x01\0\xc7\0\0', 'latin1'),
    ...Array.from({ length: 6_000 }, () => frames)
  ])
  t.same(sizeOf(animation), { width: 300, height: 200 })
  t.equal(sizeOf(Buffer.concat([Buffer.from([0xff, 0xd8]), Buffer.alloc(262_144, 0xff)])), null)
  const empty = Buffer.from([0xff, 0xe0, 0, 2])
  t.equal(sizeOf(Buffer.concat([Buffer.from([0xff, 0xd8]), ...Array.from({ length: 65_000 }, () => empty)])), null)
})

t.test('a JPEG header has at most a thousand segments and fill bytes before its size', async (t) => {
  const jpeg = await sharp({ create: { width: 300, height: 200, channels: 3, background: 'teal' } })
    .jpeg()
    .toBuffer()
  const withMore = (segments: number, fill: number) =>
    Buffer.concat([
      jpeg.subarray(0, 2),
      ...Array.from({ length: segments }, () => Buffer.from([0xff, 0xe0, 0, 2])),
      Buffer.alloc(fill, 0xff),
      jpeg.subarray(2)
    ])
  for (const [segments, fill] of [
    [900, 0],
    [0, 900],
    [400, 400]
  ] as const) {
    t.same(sizeOf(withMore(segments, fill)), { width: 300, height: 200 })
  }
  t.equal(sizeOf(withMore(1_000, 0)), null)
  t.equal(sizeOf(withMore(0, 1_100)), null)
})
