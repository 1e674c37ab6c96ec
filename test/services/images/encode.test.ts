import t from 'tap'
import sharp from 'sharp'
import { baseFormat, encode, estimateCost } from '../../../services/images/encode.ts'
import type { EncodedImage } from '../../../services/images/encode.ts'
import { inspectImage } from '../../../services/images/inspect.ts'
import { alike, animation, colorAt, gifThatClaims, halves, photograph, pngThatClaims } from './sample-images.ts'

const GIB = 1024 ** 3

t.test('every accepted image needs at most 1 GiB', async (t) => {
  const largest = { width: 10_000, height: 10_000, frames: 1, animated: false, transparent: true, palette: true }
  const cases = [
    { ...largest, type: 'image/jpeg' as const },
    { ...largest, type: 'image/png' as const },
    { ...largest, type: 'image/webp' as const, height: 5000 },
    { ...largest, type: 'image/avif' as const, height: 4000 },
    { ...largest, type: 'image/gif' as const },
    { ...largest, type: 'image/gif' as const, height: 2500, frames: 2, animated: true },
    { ...largest, type: 'image/webp' as const, height: 2500, frames: 2, animated: true },
    { ...largest, type: 'image/webp' as const, height: 2500 },
    { ...largest, type: 'image/avif' as const, height: 800 }
  ]
  for (const facts of cases) {
    for (const transparent of [true, false]) {
      const format = baseFormat({ ...facts, transparent })
      const { bytes } = estimateCost(facts, { format })
      t.ok(bytes <= GIB, `${facts.type} ${facts.width} × ${facts.height} as ${format}: ${bytes}`)
    }
  }
})

t.test('AVIF and WebP images that are too large for their format become JPEG or PNG', async (t) => {
  const large = { width: 5000, height: 6000, frames: 1, animated: false, palette: false }
  for (const type of ['image/avif', 'image/webp'] as const) {
    t.equal(baseFormat({ ...large, type, transparent: false }), 'jpeg')
    t.equal(baseFormat({ ...large, type, transparent: true }), 'png')
  }
  t.equal(baseFormat({ ...large, type: 'image/jpeg', transparent: false }), 'jpeg')
  t.equal(baseFormat({ ...large, type: 'image/webp', height: 5000, transparent: false }), 'webp')
})

t.test('a large JPEG is encoded line by line', async (t) => {
  const bytes = await sharp({ create: { width: 6000, height: 5000, channels: 3, background: '#7a5' } })
    .jpeg()
    .toBuffer()
  t.equal((await sharp((await asDelivered(bytes)).bytes).metadata()).isProgressive, false)
  t.equal((await sharp((await asDelivered(await photograph(80, 80))).bytes).metadata()).isProgressive, true)
})

async function asDelivered(bytes: Buffer): Promise<EncodedImage> {
  const facts = await inspectImage(bytes)
  return encode(bytes, facts, { format: baseFormat(facts), base: true })
}

t.test('the EXIF orientation is applied', async (t) => {
  for (let orientation = 1; orientation <= 8; orientation++) {
    const upright = await halves(80, 40).png().toBuffer()
    const exif = await sharp(upright).jpeg({ quality: 95 }).withMetadata({ orientation }).toBuffer()
    const delivered = await asDelivered(exif)
    const turned = orientation > 4
    t.same([delivered.width, delivered.height], turned ? [40, 80] : [80, 40], `orientation ${orientation}`)
    // The position of the red half in the stored image, by the table of the EXIF standard.
    const [x, y] =
      [
        [10, 20],
        [70, 20],
        [70, 20],
        [10, 20],
        [20, 10],
        [20, 10],
        [20, 70],
        [20, 70]
      ][orientation - 1] ?? []
    t.ok(
      alike(await colorAt(delivered.bytes, x ?? 0, y ?? 0), [254, 0, 0]),
      `orientation ${orientation} shows red at ${x},${y}`
    )
  }
})

t.test('delivered images have no location or camera metadata', async (t) => {
  const icc = await sharp(await photograph(64, 64))
    .withMetadata({ orientation: 3 })
    .withIccProfile('p3')
    .withExif({
      IFD0: { Copyright: 'Ada SECRET', Make: 'Camera SECRET' },
      IFD3: {
        GPSLatitudeRef: 'N',
        GPSLatitude: '51/1 30/1 3230/100',
        GPSLongitudeRef: 'W',
        GPSLongitude: '0/1 7/1 3944/100'
      }
    })
    .jpeg()
    .toBuffer()
  const before = await sharp(icc).metadata()
  t.ok(before.exif?.includes('SECRET') && before.icc, 'the upload has metadata')
  const facts = await inspectImage(icc)
  for (const format of ['jpeg', 'png', 'webp', 'avif'] as const) {
    const { bytes } = await encode(icc, facts, { format, width: 32 })
    const after = await sharp(bytes).metadata()
    t.same(
      [after.exif, after.icc, after.xmp, after.iptc, after.orientation],
      [undefined, undefined, undefined, undefined, undefined],
      format
    )
    t.notOk(bytes.includes('SECRET'), `${format} holds no trace of it`)
  }
})

t.test('CMYK images are converted to sRGB', async (t) => {
  const cmyk = await sharp({ create: { width: 40, height: 40, channels: 3, background: '#cc3322' } })
    .toColourspace('cmyk')
    .jpeg({ quality: 95 })
    .toBuffer()
  t.equal((await sharp(cmyk).metadata()).space, 'cmyk')
  const delivered = await asDelivered(cmyk)
  t.equal((await sharp(delivered.bytes).metadata()).space, 'srgb')
  const [r = 0, g = 0, b = 0] = await colorAt(delivered.bytes, 20, 20)
  t.ok(r > 170 && g < 90 && b < 80, `red stays red: ${r} ${g} ${b}`)
})

t.test('wide-gamut images are converted to sRGB', async (t) => {
  const p3 = await sharp({ create: { width: 40, height: 40, channels: 3, background: '#d04020' } })
    .withIccProfile('p3')
    .png()
    .toBuffer()
  t.ok((await sharp(p3).metadata()).icc)
  const raw = await sharp(p3, { ignoreIcc: true }).raw().toBuffer()
  t.notOk(alike([...raw.subarray(0, 3)], [208, 64, 32]), 'the upload has other numbers than sRGB')
  t.ok(alike(await colorAt((await asDelivered(p3)).bytes, 5, 5), [208, 64, 32]))
})

t.test('16-bit PNG images are converted to 8 bits', async (t) => {
  const deep = await sharp(await photograph(40, 40))
    .toColourspace('rgb16')
    .png()
    .toBuffer()
  t.equal((await sharp(deep).metadata()).depth, 'ushort')
  t.equal((await sharp((await asDelivered(deep)).bytes).metadata()).depth, 'uchar')
})

t.test('transparency is preserved, except in JPEG, which has a white background', async (t) => {
  const clear = await sharp({
    create: { width: 40, height: 40, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } }
  })
    .png()
    .toBuffer()
  const facts = await inspectImage(clear)
  t.equal(baseFormat(facts), 'png')
  for (const format of ['png', 'webp', 'avif'] as const) {
    t.equal((await colorAt((await encode(clear, facts, { format })).bytes, 5, 5))[3], 0, format)
  }
  t.ok(alike(await colorAt((await encode(clear, facts, { format: 'jpeg' })).bytes, 5, 5), [255, 255, 255]))
})

t.test('an image with few colors keeps them exactly, and is no larger than with a full palette', async (t) => {
  const few = await sharp(await halves(200, 200).png().toBuffer())
    .png({ palette: true })
    .toBuffer()
  const delivered = await asDelivered(few)
  t.same((await colorAt(delivered.bytes, 3, 3)).slice(0, 3), [255, 0, 0])
  t.ok((await sharp(delivered.bytes).metadata()).isPalette)
})

t.test('animations stay animated as WebP; other formats show the first frame', async (t) => {
  for (const format of ['gif', 'webp'] as const) {
    const moving = await animation(format, 5)
    const facts = await inspectImage(moving)
    t.match(facts, { animated: true, width: 64, height: 64 })
    const delivered = await asDelivered(moving)
    t.match(await sharp(delivered.bytes).metadata(), { format: 'webp', pages: 5 }, format)
    t.same([delivered.width, delivered.height], [64, 64])
    const narrow = await encode(moving, facts, { format: 'webp', width: 32 })
    t.match(await sharp(narrow.bytes).metadata(), { pages: 5, height: 32, width: 32 })
    const still = await encode(moving, facts, { format: 'png' })
    t.same([still.width, still.height], [64, 64])
  }
})

t.test('a still GIF is delivered as PNG', async (t) => {
  const still = await halves(20, 20).gif().toBuffer()
  t.equal(baseFormat(await inspectImage(still)), 'png')
})

t.test('images are never enlarged', async (t) => {
  const small = await photograph(100, 50)
  t.match(await encode(small, await inspectImage(small), { format: 'webp', width: 640 }), { width: 100, height: 50 })
})

t.test('truncated images are rejected in every format', async (t) => {
  const photo = sharp(await photograph(300, 200))
  for (const format of ['jpeg', 'png', 'webp', 'avif', 'gif'] as const) {
    const whole = await photo.clone()[format]().toBuffer()
    await t.resolves(asDelivered(whole), `${format}, whole`)
    await t.rejects(
      asDelivered(whole.subarray(0, Math.floor(whole.length * 0.6))),
      { code: 'malformed_image' },
      `${format}, cut off`
    )
    await t.rejects(asDelivered(whole.subarray(0, 20)), { code: 'malformed_image' }, `${format}, its head alone`)
  }
})

t.test('decompression bombs are rejected before decoding', async (t) => {
  const bomb = pngThatClaims(60_000, 60_000)
  t.ok(bomb.length < 1000)
  await t.rejects(inspectImage(bomb), { code: 'malformed_image', message: /more than 100000000 pixels/ })
  await t.rejects(inspectImage(pngThatClaims(20_000, 100)), { code: 'malformed_image', message: /20000 × 100/ })
  await t.rejects(inspectImage(gifThatClaims(60, 1000)), {
    code: 'malformed_image',
    message: /60 frames of 1000 × 1000/
  })
  t.match(await inspectImage(gifThatClaims(40, 1000)), { animated: true, width: 1000 })
})

t.test('an animation of too many frames or other chunks is rejected before its metadata is read', async (t) => {
  const animation = (frames: number, name = 'ANMF') => {
    const frame = Buffer.from(`${name}\x1e\0\0\0${'\0'.repeat(30)}`, 'latin1')
    const parts = Buffer.concat([
      Buffer.from('WEBPVP8X\x0a\0\0\0\x02\0\0\0\x2b\x01\0\xc7\0\0ANIM\x06\0\0\0\0\0\0\0\0\0', 'latin1'),
      ...Array.from({ length: frames }, () => frame)
    ])
    const head = Buffer.from('RIFF\0\0\0\0', 'latin1')
    head.writeUInt32LE(parts.length, 4)
    return Buffer.concat([head, parts])
  }
  for (const file of [animation(1_999), animation(1_999, 'abcd'), animation(300_000, 'abcd')]) {
    await t.rejects(inspectImage(file), { code: 'malformed_image', message: /more than 2000 frames/ })
  }
  await t.rejects(inspectImage(animation(1_998)), { code: 'malformed_image', message: /^(?!.*2000 frames)/ })
})

t.test('other file types are rejected by name', async (t) => {
  const samples: [string | Buffer, RegExp][] = [
    ['<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>', /SVG/],
    ['<?xml version="1.0"?>\n<!-- a comment -->\n<svg/>', /SVG/],
    ['\ufeff<svg width="1"></svg>', /SVG/],
    // What begins like another type, and what libvips takes for SVG all the same.
    ['<!--ftypavif--><svg width="1" xmlns="http://www.w3.org/2000/svg"/>', /is an SVG document/],
    ['<!--ftypavis--><SVG width="1" xmlns="http://www.w3.org/2000/svg"/>', /is an SVG document/],
    ['GIF89a<svg width="1" xmlns="http://www.w3.org/2000/svg"/>', /is an SVG document/],
    ['RIFF1234WEBPVP8 <svg width="1" xmlns="http://www.w3.org/2000/svg"/>', /is an SVG document/],
    ['    ftypavif, and a text that goes on', /unknown type/],
    ['<!DOCTYPE html><script>alert(1)</script>', /HTML/],
    ['  <script>alert(1)</script>', /HTML/],
    ['<?xml version="1.0"?><feed/>', /XML/],
    ['%PDF-1.7', /PDF/],
    ['just words', /a text file/],
    ['', /empty/],
    [
      await sharp(await photograph(8, 8))
        .tiff()
        .toBuffer(),
      /TIFF/
    ],
    [Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1'), /HEIC/],
    [Buffer.from('\0\0\0\x18ftypisom\0\0\0\0isommp42', 'latin1'), /video/],
    [Buffer.from([1, 2, 3, 4, 5, 6, 7, 8]), /unknown type/]
  ]
  for (const [sample, found] of samples) {
    await t.rejects(
      inspectImage(Buffer.from(sample as string)),
      { code: 'malformed_image', message: found },
      String(found)
    )
  }
})

t.test('a script with an image signature is rejected', async (t) => {
  const script = '/*<script>alert(document.domain)</script>*/'
  for (const disguise of [
    `GIF89a${script}`,
    `\x89PNG\r\n\x1a\n<svg onload="alert(1)">${script}</svg>`,
    `\xff\xd8\xff${script}`,
    `RIFF\0\0\0\0WEBPVP8 ${script}`
  ]) {
    await t.rejects(
      asDelivered(Buffer.from(disguise, 'latin1')),
      { code: 'malformed_image' },
      JSON.stringify(disguise.slice(0, 8))
    )
  }
  const appended = Buffer.concat([await photograph(40, 40), Buffer.from(script)])
  const commented = await sharp(await halves(20, 20).png().toBuffer())
    .withExif({ IFD0: { ImageDescription: script } })
    .png()
    .toBuffer()
  t.ok(commented.includes('<script>'))
  for (const polyglot of [appended, commented]) {
    t.notOk((await asDelivered(polyglot)).bytes.includes('<script>'), 'the delivered image has no script')
  }
})
