import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'
import { openFiles } from '../ports/files/open.ts'
import { openSqliteStore } from '../ports/store/sqlite/index.ts'
import { STORAGE_LIMITS } from '../schemas/account.ts'
import { createGeneratedFiles } from '../services/generated-files.ts'
import { createImages } from '../services/images/index.ts'
import { createImageProcessor } from '../services/images/processor/index.ts'
import type { ImageRecord } from '../ports/store/port.ts'
import type { Bench, BenchRow } from './harness/bench.ts'
import { measureInTurn } from './harness/in-turn.ts'

type Images = ReturnType<typeof createImages>

/** Images that one measurement resizes. */
const IMAGE_COUNT = 4
const CASES = [
  { width: 640, format: 'jpeg' },
  { width: 1280, format: 'webp' },
  { width: 640, format: 'avif' }
] as const
type Case = (typeof CASES)[number]

export const bench: Bench = {
  summary:
    'The first request for a variant of an image over the embedded adapters (look up, read the original, resize, ' +
    'store, read), compared with sharp alone doing the same work on the same bytes.',
  async run({ rounds }) {
    const dir = await mkdtemp(join(tmpdir(), 'bench-images-'))
    const store = await openSqliteStore({ path: join(dir, 'store.db') })
    const files = await openFiles({ dataDir: dir })
    const storage = { limits: async () => STORAGE_LIMITS.samurai }
    const generatedFiles = createGeneratedFiles({ store, files, storage })
    const processor = createImageProcessor({ environment: {} })
    const images = createImages({
      ...{ images: store.images, files, generatedFiles, processor },
      ...{ memoryBytes: 1024 ** 3, origin: '' }
    })
    try {
      const records: ImageRecord[] = []
      for (let i = 0; i < IMAGE_COUNT; i++) {
        const bytes = await createPhoto(i)
        await writeFile(join(dir, `${i}.jpg`), bytes)
        const uploaded = await images.upload({
          accountId: 'bench',
          blogId: 'bench',
          name: `${i}.jpg`,
          alt: '',
          load: async () => bytes
        })
        records.push(uploaded.image)
      }
      const rows: BenchRow[] = []
      for (const variant of CASES) {
        const values = await measureInTurn(
          [
            {
              name: 'service',
              measure: async () => {
                for (const { filename } of records) {
                  await files.remove(`images/bench/${filename}/${variant.width}.${variant.format}`)
                }
                return await timePerImage(() => resizeByService(images, records, variant))
              }
            },
            { name: 'sharp', measure: async () => await timePerImage(() => resizeBySharp(dir, variant)) }
          ],
          rounds
        )
        rows.push({
          name: `${variant.width} px ${variant.format.toUpperCase()}`,
          unit: 'ms per image',
          values: values.get('service')!,
          baseline: { name: 'sharp alone', values: values.get('sharp')! }
        })
      }
      return rows
    } finally {
      await processor.close()
      await files.close()
      await store.close()
      await rm(dir, { recursive: true })
    }
  }
}

async function resizeByService(images: Images, records: ImageRecord[], variant: Case): Promise<void> {
  for (const image of records) await buffer(await (await images.deliver({ image, ...variant })).open())
}

async function resizeBySharp(dir: string, { width, format }: Case): Promise<void> {
  for (let i = 0; i < IMAGE_COUNT; i++) {
    const resized = sharp(await readFile(join(dir, `${i}.jpg`)))
      .autoOrient()
      .resize({ width })
    const writers = {
      jpeg: () => resized.jpeg({ quality: 82, mozjpeg: true }),
      webp: () => resized.webp({ quality: 80 }),
      avif: () => resized.avif({ quality: 55, effort: 2 })
    }
    const output = join(dir, `${i}.out`)
    await writeFile(output, await writers[format]().toBuffer())
    await readFile(output)
  }
}

/** Milliseconds per image. */
async function timePerImage(work: () => Promise<void>): Promise<number> {
  const start = performance.now()
  await work()
  return (performance.now() - start) / IMAGE_COUNT
}

/** A JPEG of 2400 × 1600 pixels with the noise of a photograph. */
function createPhoto(seed: number): Promise<Buffer> {
  const [width, height] = [2400, 1600]
  const pixels = Buffer.alloc(width * height * 3)
  for (let i = 0; i < pixels.length; i++) {
    pixels[i] =
      128 + 60 * Math.sin((i % (width * 3)) / (90 + seed)) + 50 * Math.cos(i / width / 300) + ((i * 7919 + seed) % 17)
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 92 })
    .toBuffer()
}
