import sharp from 'sharp'
import t from 'tap'
import { encode } from '../../../services/images/encode.ts'
import { inspectImage } from '../../../services/images/inspect.ts'
import { withoutPngTexts } from '../../../services/images/png-texts.ts'
import { createImageProcessor } from '../../../services/images/processor/index.ts'
import { clearProfiles, clearProfileTags } from '../../../services/images/profiles.ts'
import { imageWithProfile, profileWith, slowProfile, type ProfileFormat } from './sample-profiles.ts'

const FORMATS: ProfileFormat[] = ['jpeg', 'png', 'webp', 'avif']
/** Decoders would take minutes. */
const ELEMENTS = 60_000

/** As in the image process. */
function cleared(format: ProfileFormat, bytes: Buffer): Buffer {
  if (format === 'png') return withoutPngTexts(bytes)
  const result = Buffer.from(bytes)
  clearProfiles(result)
  t.equal(result.length, bytes.length)
  return result
}

async function pixelsOf(bytes: Buffer): Promise<Buffer> {
  const { bytes: png } = await encode(bytes, await inspectImage(bytes), { format: 'png' })
  return await sharp(png).removeAlpha().raw().toBuffer()
}

for (const format of FORMATS) {
  t.test(
    `tables of a profile that take decoders long are removed from a ${format} file, and its colors remain`,
    async (t) => {
      const [slow, usual] = [
        await imageWithProfile(format, slowProfile(3)),
        await imageWithProfile(format, profileWith({}))
      ]
      const { icc } = await sharp(cleared(format, slow)).metadata()
      t.equal((await sharp(slow).metadata()).icc!.includes('D2B0'), true)
      t.ok(icc!.includes('rTRC') && !icc!.includes('D2B0') && !icc!.includes('D2B1'))
      t.ok(cleared(format, usual).equals(usual), 'a usual profile remains as it is')
      t.ok((await pixelsOf(cleared(format, slow))).equals(await pixelsOf(usual)))
      const without = await imageWithProfile(format, Buffer.alloc(profileWith({}).length))
      t.notOk((await pixelsOf(usual)).equals(await pixelsOf(without)), 'the profile changes the colors')
    }
  )

  t.test(`a ${format} file whose profile has many elements is an image like any other`, async (t) => {
    const processor = createImageProcessor({ environment: {} })
    t.teardown(() => processor.close())
    const given = await imageWithProfile(format, slowProfile(ELEMENTS))
    const info = await processor.inspect(given)
    t.match(info, { width: 64, height: 48 })
    t.ok((await processor.encode(given, info, { format: 'png' })).bytes.length > 0)
  })
}

t.test('a profile in many parts of a JPEG file is cleared, and one with contradictory parts is removed', async (t) => {
  const parts = await imageWithProfile('jpeg', slowProfile(3), 50)
  const { icc } = await sharp(cleared('jpeg', parts)).metadata()
  t.ok(icc!.includes('rTRC') && !icc!.includes('D2B'))
  const numberAt = parts.indexOf('ICC_PROFILE') + 12
  const wrong: Record<string, Buffer> = {
    'a part twice': Buffer.concat([parts.subarray(0, 2), parts.subarray(2, 2 + 68), parts.subarray(2)]),
    'a part 0': Buffer.from(parts).fill(0, numberAt, numberAt + 1),
    'a part beyond the last': Buffer.from(parts).fill(200, numberAt, numberAt + 1),
    'another number of parts': Buffer.from(parts).fill(200, numberAt + 1, numberAt + 2)
  }
  for (const [name, bytes] of Object.entries(wrong)) {
    const all = cleared('jpeg', bytes)
    t.notOk(all.includes('D2B0') || all.includes('ICC_PROFILE'), name)
    t.equal((await pixelsOf(all)).length, 64 * 48 * 3, name)
  }
})

t.test('a profile is cleared whatever follows the name of its segments', async (t) => {
  const bytes = await imageWithProfile('jpeg', slowProfile(3))
  bytes[bytes.indexOf('ICC_PROFILE') + 11] = 88
  t.ok((await sharp(bytes).metadata()).icc!.includes('D2B0'), 'decoders read it')
  t.notOk((await sharp(cleared('jpeg', bytes)).metadata()).icc!.includes('D2B0'))
})

t.test('any data is read to its end', async (t) => {
  const profile = slowProfile(2)
  for (let length = 0; length < profile.length; length++) clearProfileTags(Buffer.from(profile.subarray(0, length)))
  for (const format of FORMATS) {
    const bytes = await imageWithProfile(format, profile)
    for (let length = 0; length < bytes.length; length += 7) clearProfiles(Buffer.from(bytes.subarray(0, length)))
  }
  const many = Buffer.concat([profile.subarray(0, 128), Buffer.alloc(4, 0xff), profile.subarray(132)])
  t.equal(clearProfileTags(many), true)
  t.notOk(many.includes('D2B0'))
})
