/// <reference lib="dom" />
import type { BrowserContext } from 'playwright'
import { setTimeout as wait } from 'node:timers/promises'
import type { ImageSimilarity, ImageSnapshot, ViewportSnapshot } from '../../port/page-snapshot.ts'
import type { ImageRequests } from './fetch-image.ts'

/** Images are compared as squares of this many pixels. */
const SIZE = 16
/** Only the first images are compared: a site that replaces images replaces all of them. */
const MAX_PAIRS = 3
const TIMEOUT_MS = 4_000
/** A larger image is not decoded: a few kilobytes may decode to gigabytes. */
const MAX_PIXELS = 50_000_000
/** The standard deviation of the lightness (of 255) below which an image has no shape. */
const MIN_DEVIATION = 4

/**
 * Compares the images that were matched only by their alternative text with the images in the blog's
 * HTML, fetched through the same proxy. An empty page decodes them, so that the sandbox of Chromium
 * contains the decoders. Images that do not load in time are not compared.
 */
export async function compareImages(
  context: BrowserContext,
  { images, expectedImages }: Pick<ViewportSnapshot, 'images' | 'expectedImages'>,
  requests: ImageRequests
): Promise<ViewportSnapshot['images']> {
  const uncertain = images
    .filter(({ index, matchedByUrl, naturalWidth }) => index !== null && !matchedByUrl && naturalWidth > 1)
    .slice(0, MAX_PAIRS)
  if (uncertain.length === 0) return images
  const page = await context.newPage()
  try {
    const load = async (address: string): Promise<number[] | null> => {
      const url = /^data:/i.test(address) ? address : await requests.download(address)
      if (url === null) return null
      const input = { url, size: SIZE, maxPixels: MAX_PIXELS }
      const pixels = page.evaluate(decodePixels, input).catch(() => null) // Not an image, or too large.
      return await Promise.race([pixels, wait(TIMEOUT_MS, null, { ref: false })])
    }
    const compared = new Map<ImageSnapshot, ImageSimilarity>()
    await Promise.all(
      uncertain.map(async (image) => {
        const [actual, expected] = await Promise.all([load(image.src), load(expectedImages[image.index!]!.src)])
        if (actual !== null && expected !== null) compared.set(image, compareImagePixels(actual, expected))
      })
    )
    return images.map((image) => ({ ...image, similarity: compared.get(image) ?? null }))
  } finally {
    await page.close()
  }
}

/**
 * Runs in an empty page. Decodes an image and scales it to a square of `size` pixels on white: the
 * red, green and blue of each pixel, 0 to 255. Rejects if the data is not an image, or too large.
 */
async function decodePixels(input: { url: string; size: number; maxPixels: number }): Promise<number[]> {
  const { url, size, maxPixels } = input
  const image = new Image()
  // Loading reads the size of the image, and decodes nothing yet.
  await new Promise((resolve, reject) => {
    image.onload = resolve
    image.onerror = reject
    image.src = url
  })
  if (image.naturalWidth * image.naturalHeight > maxPixels) throw new Error('The image is too large.')
  await image.decode()
  const canvas = new OffscreenCanvas(size, size)
  const context = canvas.getContext('2d')!
  context.fillStyle = '#fff'
  context.fillRect(0, 0, size, size)
  context.imageSmoothingQuality = 'high'
  context.drawImage(image, 0, 0, size, size)
  return [...context.getImageData(0, 0, size, size).data].filter((_, at) => at % 4 !== 3)
}

/** Compares two images of the same size, as the red, green and blue of each pixel, 0 to 255. */
export function compareImagePixels(one: readonly number[], other: readonly number[]): ImageSimilarity {
  const difference = one.reduce((sum, value, at) => sum + Math.abs(value - other[at]!), 0) / one.length / 255
  return {
    colorDifference: rounded(difference),
    shapeCorrelation: rounded(correlation(lightness(one), lightness(other)))
  }
}

/** Of each pixel, by the weights of ITU-R BT.601. */
const lightness = (pixels: readonly number[]): number[] =>
  Array.from(
    { length: pixels.length / 3 },
    (_, at) => 0.299 * pixels[3 * at]! + 0.587 * pixels[3 * at + 1]! + 0.114 * pixels[3 * at + 2]!
  )

/** Pearson's correlation. 1 if both images are even, 0 if one is. */
function correlation(one: readonly number[], other: readonly number[]): number {
  const [a, b] = [deviations(one), deviations(other)]
  const [deviationA, deviationB] = [standardDeviation(a), standardDeviation(b)]
  if (deviationA < MIN_DEVIATION || deviationB < MIN_DEVIATION) {
    return deviationA < MIN_DEVIATION && deviationB < MIN_DEVIATION ? 1 : 0
  }
  return a.reduce((sum, value, at) => sum + value * b[at]!, 0) / a.length / deviationA / deviationB
}

function deviations(values: readonly number[]): number[] {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  return values.map((value) => value - mean)
}

const standardDeviation = (deviations: readonly number[]): number =>
  Math.sqrt(deviations.reduce((sum, value) => sum + value ** 2, 0) / deviations.length)
const rounded = (value: number): number => Math.round(value * 100) / 100
