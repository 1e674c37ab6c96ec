import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'
import { openFiles } from '../ports/files/open.ts'
import { openSqliteStore } from '../ports/store/sqlite/index.ts'
import { createImages } from '../services/images/index.ts'
import type { ImageRecord } from '../ports/store/port.ts'

/**
 * Measures the first request for a variant of an image: `node bench/images.ts`.
 *
 * Compares the service over the embedded adapters (look up the variant, read the original, resize,
 * store, read the result) with sharp alone doing the same work on the same bytes (read, resize,
 * write, read). Five alternating rounds. Prints the ratio of the medians.
 */
const ROUNDS = 5
const IMAGE_COUNT = 4
const CASES = [
  { width: 640, format: 'jpeg' },
  { width: 1280, format: 'webp' },
  { width: 640, format: 'avif' }
] as const
type Case = (typeof CASES)[number]

const dir = await mkdtemp(join(tmpdir(), 'bench-images-'))
const store = await openSqliteStore({ path: join(dir, 'store.db') })
const files = await openFiles({ dataDir: dir })
const images = createImages({ images: store.images, files, memoryBytes: 1024 ** 3, origin: '' })

const records: ImageRecord[] = []
for (let i = 0; i < IMAGE_COUNT; i++) {
  const bytes = await createPhoto(i)
  await writeFile(join(dir, `${i}.jpg`), bytes)
  records.push(
    (await images.upload({ accountId: 'bench', blogId: 'bench', name: `${i}.jpg`, alt: '', load: async () => bytes }))
      .image
  )
}

for (const variant of CASES) {
  const service: number[] = []
  const raw: number[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    for (const { filename } of records) {
      await files.remove(`images/bench/${filename}/${variant.width}.${variant.format}`)
    }
    const times = [await timed(() => resizeByService(variant)), await timed(() => resizeBySharp(variant))] as const
    // The first round is the warm-up.
    if (round > 0) {
      service.push(times[0])
      raw.push(times[1])
    }
  }
  const [a, b] = [median(service), median(raw)]
  console.log(
    `${variant.width} ${variant.format}: service ${a.toFixed(1)} ms, ` +
      `sharp alone ${b.toFixed(1)} ms per image, ratio ${(b / a).toFixed(3)}`
  )
}
await files.close()
await store.close()
await rm(dir, { recursive: true })

async function resizeByService(variant: Case): Promise<void> {
  for (const image of records) await buffer(await (await images.deliver({ image, ...variant })).open())
}

async function resizeBySharp({ width, format }: Case): Promise<void> {
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

/** Returns the milliseconds per image. */
async function timed(work: () => Promise<void>): Promise<number> {
  const start = performance.now()
  await work()
  return (performance.now() - start) / IMAGE_COUNT
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
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
