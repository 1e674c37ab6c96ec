import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import t from 'tap'
import { withoutPngTexts } from '../../../services/images/png-texts.ts'
import { halves } from './sample-images.ts'

const HEADER_END = 33

function chunk(type: string, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  checksum.writeUInt32BE(crc32(content))
  return Buffer.concat([length, content, checksum])
}
const compressed = (name: string, data: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${name}\0\0`), deflateSync(data)])
const plain = await halves(40, 20).png().toBuffer()
const withChunks = (...chunks: Buffer[]): Buffer =>
  Buffer.concat([plain.subarray(0, HEADER_END), ...chunks, plain.subarray(HEADER_END)])

t.test('texts are removed, and what remains is the same image', async (t) => {
  const texts = [
    chunk('tEXt', Buffer.from('Comment\0Hello')),
    chunk('zTXt', compressed('Comment', Buffer.alloc(5_000_000, 'a'))),
    chunk('iTXt', Buffer.from('Comment\0\0\0\0\0Hello'))
  ]
  const given = withChunks(...texts)
  t.ok(
    (await sharp(given).metadata()).comments?.some(({ text }) => text.length === 5_000_000),
    'it has texts'
  )
  t.ok(withoutPngTexts(given).equals(plain))
})

t.test('a color profile remains, unless it is too long or damaged', async (t) => {
  const { icc } = await sharp(await halves(4, 4).withIccProfile('p3').png().toBuffer()).metadata()
  t.ok(icc)
  const unchanged = withChunks(chunk('iCCP', compressed('P3', icc!)))
  t.equal(withoutPngTexts(unchanged), unchanged, 'without copying it')
  t.same((await sharp(withoutPngTexts(unchanged)).metadata()).icc, icc)
  for (const data of [
    compressed('Long', Buffer.alloc(1024 * 1024 + 1)),
    Buffer.from('Damaged\0\0no data'),
    Buffer.from('No name'),
    Buffer.concat([Buffer.from(`${'n'.repeat(100)}\0\0`), deflateSync(icc!)])
  ]) {
    t.ok(withoutPngTexts(withChunks(chunk('iCCP', data))).equals(plain))
  }
})

t.test('only the first color profile is read', async (t) => {
  const { icc } = await sharp(await halves(4, 4).withIccProfile('p3').png().toBuffer()).metadata()
  const profile = chunk('iCCP', compressed('P3', icc!))
  t.ok(withoutPngTexts(withChunks(profile, profile, profile)).equals(withChunks(profile)))
  const tooLong = chunk('iCCP', compressed('Long', Buffer.alloc(1024 * 1024 + 1)))
  t.ok(withoutPngTexts(withChunks(tooLong, profile)).equals(plain), 'no other one takes the place of a damaged one')
})

t.test('other files, and the rest of a malformed file, are returned as they are', async (t) => {
  for (const bytes of [
    Buffer.alloc(0),
    Buffer.from('tEXt'),
    await halves(4, 4).jpeg().toBuffer(),
    plain,
    plain.subarray(0, 20),
    plain.subarray(0, -6)
  ]) {
    t.equal(withoutPngTexts(bytes), bytes)
  }
  const many = withChunks(...Array.from({ length: 60_000 }, () => chunk('tEXt', Buffer.alloc(0))))
  t.ok(withoutPngTexts(many).equals(plain.subarray(0, HEADER_END)), 'a file of too many chunks ends early')
  const cut = withChunks(chunk('tEXt', Buffer.from('a\0b'))).subarray(0, -6)
  t.ok(withoutPngTexts(cut).equals(plain.subarray(0, -6)))
  const tooLong = Buffer.concat([plain.subarray(0, HEADER_END), Buffer.from([0xff, 0xff, 0xff, 0xff]), plain])
  t.equal(withoutPngTexts(tooLong), tooLong)
})

t.test('ancillary chunks after the first hundred are removed', async (t) => {
  const [gamma, unknown] = [chunk('gAMA', Buffer.from([0, 0, 0xb1, 0x8f])), chunk('prVt', Buffer.from('private'))]
  // The encoder of the image writes one, too, which follows: its size in meters.
  const few = withChunks(gamma, ...Array<Buffer>(98).fill(unknown))
  t.equal(withoutPngTexts(few), few)
  const withoutSize = (image: Buffer): Buffer => {
    const at = image.indexOf('pHYs') - 4
    return Buffer.concat([image.subarray(0, at), image.subarray(at + 21)])
  }
  const many = withChunks(gamma, ...Array<Buffer>(49_000).fill(unknown))
  t.ok(withoutPngTexts(many).equals(withoutSize(withChunks(gamma, ...Array<Buffer>(99).fill(unknown)))))
  t.equal((await sharp(withoutPngTexts(many)).metadata()).width, 40)
  const mixed = withChunks(...Array.from({ length: 99 }, () => [unknown, chunk('tEXt', Buffer.from('a\0b'))]).flat())
  t.ok(withoutPngTexts(mixed).equals(withChunks(...Array<Buffer>(99).fill(unknown))), 'texts do not count')
})
