import sharp from 'sharp'
import {
  createKnownInputs,
  createPatternInputs,
  type HostileInput
} from '../../../test/fixtures/isolation/hostile-inputs.ts'
import { mapConcurrently } from '../../../lib/async.ts'
import { MAX_BYTES, postBlog, times, type Kind } from './kind.ts'

/** Blogs that images are uploaded to, each of which may have 500. */
const BLOGS = 20
/** Noise cannot be compressed: with three bytes for each pixel, a PNG file has 1 MB. */
const PIXELS = 575
/** Images that are prepared. Each upload has other bytes behind the image, or it would be the existing one. */
const IMAGES = 4
const PATTERN_LENGTH = 900_000

const lengthOf = ({ body = '' }: HostileInput): number =>
  Buffer.byteLength(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body))

/** Kinds of requests with files, and the inputs of the stress test of isolation, by name. */
export const FILE_KINDS: Record<string, Kind> = {
  images: {
    title: 'PNG files of 1 MB',
    async prepare({ client, random }) {
      const blogs = await mapConcurrently(times(BLOGS, Number), 1, async (index) => {
        const { id } = await client.fetchJson<{ id: string }>(postBlog(`Images ${index}`, 'A post.'))
        return id
      })
      const raw = { width: PIXELS, height: PIXELS, channels: 3 } as const
      const images = await mapConcurrently(times(IMAGES, Number), 1, async () => {
        const noise = Buffer.from(times(PIXELS * PIXELS * 3, () => Math.floor(random() * 256)))
        return await sharp(noise, { raw }).png().toBuffer()
      })
      return (index) => ({
        method: 'POST',
        path: `/api/v1/blogs/${blogs[index % BLOGS]}/images?filename=image-${index}.png`,
        headers: { 'content-type': 'image/png' },
        body: Buffer.concat([images[index % IMAGES]!, Buffer.from(String(index))])
      })
    }
  },
  'known-inputs': {
    title: 'the known inputs of `test/stress/isolation.stress.test.ts` of up to 1 MB, in turn',
    prepare() {
      const inputs = createKnownInputs().filter((input) => lengthOf(input) <= MAX_BYTES)
      return (index) => inputs[index % inputs.length]!
    }
  },
  'random-patterns': {
    title: 'random patterns of that test in text fields, imports and queries, of up to 900 KB',
    prepare:
      ({ random }) =>
      () => {
        for (;;) {
          // A character may have several bytes.
          const [input] = createPatternInputs(random, 1, PATTERN_LENGTH)
          if (lengthOf(input!) <= MAX_BYTES) return input!
        }
      }
  }
}
