import { readFileSync } from 'node:fs'
import sharp from 'sharp'
import t from 'tap'
import { clearExif } from '../../../services/images/exif.ts'
import { createImageProcessor } from '../../../services/images/processor/index.ts'
import { halves } from './sample-images.ts'

const FORMATS = ['jpeg', 'png', 'webp', 'avif'] as const
const LENGTH = 60_000

/** An image with EXIF data of 60 KB, with an orientation that is not the usual one if `orientation` is set. */
async function withExif(format: (typeof FORMATS)[number], orientation?: number): Promise<Buffer> {
  const image = halves(40, 20).withExif({ IFD0: { Copyright: 'x'.repeat(LENGTH) } })
  const bytes = await image[format]().toBuffer()
  return orientation === undefined ? bytes : await sharp(bytes).withMetadata({ orientation })[format]().toBuffer()
}

/** Overwrites the EXIF data of a file with a directory whose entries all refer to this directory. */
function refersToItself(bytes: Buffer): Buffer {
  const result = Buffer.from(bytes)
  const tiff = result.subarray(Math.max(bytes.indexOf('II*\0', 0, 'latin1'), bytes.indexOf('MM\0*', 0, 'latin1')))
  const count = Math.floor((LENGTH - 10) / 12)
  tiff.write('MM\0*\0\0\0\x08', 'latin1')
  tiff.writeUInt16BE(count, 8)
  for (let at = 10; at < 10 + count * 12; at += 12) {
    tiff.writeUInt16BE(0x8769, at)
    tiff.writeUInt16BE(4, at + 2)
    tiff.writeUInt32BE(1, at + 4)
    tiff.writeUInt32BE(8, at + 8)
  }
  return result
}

for (const format of FORMATS) {
  t.test(`EXIF data of a ${format} file is removed, except for the orientation`, async (t) => {
    const given = await withExif(format, 6)
    const cleared = Buffer.from(given)
    clearExif(cleared)
    t.equal(cleared.length, given.length)
    t.ok(given.includes('xxxxxxxx'))
    if (format !== 'avif') t.notOk(cleared.includes('xxxxxxxx'))
    const [before, after] = await Promise.all([given, cleared].map((file) => sharp(file).metadata()))
    t.same(after!.autoOrient, before!.autoOrient)
    const [pixels, same] = await Promise.all([given, cleared].map((file) => sharp(file).autoOrient().raw().toBuffer()))
    t.ok(pixels!.equals(same!))
  })
}

t.test('files without EXIF data, and malformed ones, stay as they are', async (t) => {
  for (const format of [...FORMATS, 'gif'] as const) {
    const given = await halves(40, 20)[format]().toBuffer()
    for (const end of [given.length, given.length - 40, 100, 30, 16, 12, 3, 0]) {
      const copy = Buffer.from(given.subarray(0, end))
      clearExif(copy)
      t.ok(copy.equals(given.subarray(0, end)), `${format} ${end}`)
    }
  }
})

t.test('JPEG segments are found as decoders find them', async (t) => {
  const given = await withExif('jpeg')
  const fill = Buffer.from('no marker\xff\x00\xff\xff\x01\xff\xd0\xff\xff', 'latin1')
  const odd = Buffer.concat([given.subarray(0, 2), fill, given.subarray(3)])
  t.equal((await sharp(odd, { failOn: 'none' }).metadata()).exif?.length, LENGTH + 200)
  clearExif(odd)
  t.equal((await sharp(odd, { failOn: 'none' }).metadata()).exif, undefined)
})

t.test('EXIF data that refers to itself takes the image process no time', async (t) => {
  const processor = createImageProcessor({ environment: { PATH: process.env.PATH ?? '' } })
  t.teardown(() => processor.close())
  const cpuMs = (): number => {
    const [, , ...fields] = readFileSync(`/proc/${processor.pid()}/stat`, 'latin1').split(' ')
    return (Number(fields[11]) + Number(fields[12])) * 10
  }
  await processor.inspect(await halves(40, 20).jpeg().toBuffer())
  for (const format of FORMATS) {
    const startMs = cpuMs()
    const given = refersToItself(await withExif(format))
    const facts = await processor.inspect(Buffer.from(given))
    await processor.encode(Buffer.from(given), facts, { format: 'jpeg', base: true })
    await processor.crop(given, facts)
    t.same([facts.width, facts.height], [40, 20])
    t.ok(cpuMs() - startMs < 1500, `${format}: ${cpuMs() - startMs} ms`)
  }
})
