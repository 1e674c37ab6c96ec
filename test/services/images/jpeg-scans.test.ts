import sharp from 'sharp'
import t from 'tap'
import { encode } from '../../../services/images/encode.ts'
import { inspectImage } from '../../../services/images/inspect.ts'
import { maxScansOf, readScans, withoutFurtherImages } from '../../../services/images/jpeg-scans.ts'
import { halves, jpegWithScans, photograph } from './sample-images.ts'

const countScans = (bytes: Buffer): number => readScans(bytes).count

t.test('scans are counted as decoders find them', async (t) => {
  const photo = await photograph(300, 200)
  t.equal(countScans(photo), 1)
  t.equal(countScans(await sharp(photo).jpeg({ progressive: true }).toBuffer()), 10)
  t.equal(countScans(await halves(40, 20).jpeg({ mozjpeg: true }).toBuffer()) > 1, true)
  for (const scans of [1, 2, 7, 300]) t.equal(countScans(jpegWithScans(scans)), scans)
})

t.test('data of other segments, and after the image, has no scans', async (t) => {
  const scan = Buffer.from([0xff, 0xda, 0, 8, 1, 1, 0, 1, 63, 0])
  const comment = Buffer.concat([Buffer.from([0xff, 0xfe, 0, 2 + scan.length]), scan])
  const image = jpegWithScans(3, { between: comment })
  t.equal(countScans(image), 3)
  t.equal(countScans(Buffer.concat([image, scan, image])), 3)
  t.equal(countScans(jpegWithScans(3, { between: Buffer.from([0xff, 0xff, 0xff]) })), 3, 'fill bytes')
  t.equal(countScans(jpegWithScans(3, { between: Buffer.from([0xff, 0, 0xff, 0xd3, 5]) })), 3, 'restarts')
})

t.test('any data has an end', async (t) => {
  const image = jpegWithScans(5)
  for (let length = 0; length < image.length; length++) t.ok(countScans(image.subarray(0, length)) <= 5)
  t.equal(countScans(Buffer.alloc(500, 0xff)), 0)
})

t.test('large images may have fewer scans than small ones', async (t) => {
  t.equal(maxScansOf(1), 100)
  t.equal(maxScansOf(12_000_000), 100)
  t.equal(maxScansOf(100_000_000), 20)
})

t.test('a JPEG file with too many scans is refused, and says what to do', async (t) => {
  await t.rejects(inspectImage(jpegWithScans(101)), {
    code: 'malformed_image',
    message:
      'The JPEG file has 101 scans. With so many pixels, it may have at most 100. ' +
      'Save it again as a baseline or progressive JPEG.'
  })
  await t.rejects(inspectImage(jpegWithScans(21, { width: 9_900, height: 9_900 })), /has 21 scans.* at most 20/)
  const most = jpegWithScans(100)
  const { bytes } = await encode(most, await inspectImage(most), { format: 'png' })
  t.equal((await sharp(bytes).metadata()).width, 64)
})

t.test('images after the first one in a JPEG file are not given to decoders', async (t) => {
  const [one, other] = [jpegWithScans(3), jpegWithScans(500)]
  t.ok(withoutFurtherImages(Buffer.concat([one, other])).equals(one))
  t.equal(withoutFurtherImages(one).length, one.length)
  const truncated = one.subarray(0, -2)
  t.equal(withoutFurtherImages(truncated).length, truncated.length, 'a file without an end remains')
  const png = await halves(40, 20).png().toBuffer()
  t.equal(withoutFurtherImages(png), png)
  const photo = await photograph(300, 200)
  t.ok(withoutFurtherImages(photo).equals(photo))
})
