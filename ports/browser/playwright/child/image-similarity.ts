/// <reference lib="dom" />
import type { BrowserContext } from 'playwright'
import { setTimeout as wait } from 'node:timers/promises'
import type { ImageSimilarity, ImageSnapshot } from '../../port/media-snapshot.ts'
import type { ViewportSnapshot } from '../../port/page-snapshot.ts'
import type { ImageRequests } from './fetch-image.ts'

/** Images are compared as squares of this many pixels. */
const SIZE = 16
/** Only the first images are compared: a site that replaces images replaces all of them. */
const MAX_PAIRS = 4
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
    .filter((image) => image.index !== null && image.naturalWidth > 1)
    .filter((image) => !image.matchedByUrl || !hasPathOf(image.src, expectedImages[image.index!]!.src))
    .slice(0, MAX_PAIRS)
  if (uncertain.length === 0) return images
  const page = await context.newPage()
  try {
    const load = async (address: string, aspect: number | null): Promise<number[][] | null> => {
      const url = /^data:/i.test(address) ? address : await requests.download(address)
      if (url === null) return null
      const input = { url, size: SIZE, maxPixels: MAX_PIXELS, aspect }
      const pixels = page.evaluate(decodePixels, input).catch(() => null) // Not an image, or too large.
      return await Promise.race([pixels, wait(TIMEOUT_MS, null, { ref: false })])
    }
    const compared = new Map<ImageSnapshot, ImageSimilarity>()
    await Promise.all(
      uncertain.map(async (image) => {
        const aspect = image.naturalWidth / (image.naturalHeight || 1)
        const [actual, expected] = await Promise.all([
          load(image.src, null),
          load(expectedImages[image.index!]!.src, aspect)
        ])
        if (actual !== null && expected !== null) compared.set(image, compareWithCrops(actual[0]!, expected))
      })
    )
    return images.map((image) => ({ ...image, similarity: compared.get(image) ?? null }))
  } finally {
    await page.close()
  }
}

/** Whether an address contains the path of another one, directly or as a parameter of an image service. */
function hasPathOf(address: string, other: string): boolean {
  const path = URL.canParse(other, 'http://site.invalid') ? new URL(other, 'http://site.invalid').pathname : other
  return [address, ...[address].flatMap(decoded)].some((one) => one.includes(path))
}

/** The address without percent-encoding, if it is valid. */
function decoded(address: string): string[] {
  try {
    return [decodeURIComponent(address)]
  } catch {
    return []
  }
}

/**
 * Runs in an empty page. Decodes an image and scales it to a square of `size` pixels on white: the
 * red, green and blue of each pixel, 0 to 255. With an aspect ratio, also the crops that a site may
 * have made of the image: at its middle, its start and its end, and without its edges. Rejects if the
 * data is not an image, or too large.
 */
async function decodePixels(input: {
  url: string
  size: number
  maxPixels: number
  aspect: number | null
}): Promise<number[][]> {
  const { url, size, maxPixels, aspect } = input
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
  const context = canvas.getContext('2d', { willReadFrequently: true })!
  const { naturalWidth: width, naturalHeight: height } = image
  const crops = [{ x: 0, y: 0, width, height }]
  if (aspect !== null) {
    crops.push({ x: 0.1 * width, y: 0.1 * height, width: 0.8 * width, height: 0.8 * height })
    const [cropWidth, cropHeight] = [Math.min(width, height * aspect), Math.min(height, width / aspect)]
    for (const share of [0.5, 0, 1]) {
      const [x, y] = [(width - cropWidth) * share, (height - cropHeight) * share]
      crops.push({ x, y, width: cropWidth, height: cropHeight })
    }
  }
  return crops.map((crop) => {
    context.fillStyle = '#fff'
    context.fillRect(0, 0, size, size)
    context.imageSmoothingQuality = 'high'
    context.drawImage(image, crop.x, crop.y, crop.width, crop.height, 0, 0, size, size)
    return [...context.getImageData(0, 0, size, size).data].filter((_, at) => at % 4 !== 3)
  })
}

/** Compares an image with several crops of another one. The most similar crop counts. */
export function compareWithCrops(image: readonly number[], crops: readonly (readonly number[])[]): ImageSimilarity {
  return crops
    .map((crop) => compareImagePixels(image, crop))
    .reduce((best, one) => (one.shapeCorrelation > best.shapeCorrelation ? one : best))
}

/** Compares two images of the same size, as the red, green and blue of each pixel, 0 to 255. */
export function compareImagePixels(one: readonly number[], other: readonly number[]): ImageSimilarity {
  const difference = one.reduce((sum, value, at) => sum + Math.abs(value - other[at]!), 0) / one.length / 255
  return {
    colorDifference: rounded(difference),
    shapeCorrelation: rounded(correlation(lightness(one), lightness(other))),
    edgeDifference: edgeDifferenceOf(lightness(one), lightness(other))
  }
}

/** The smallest step of lightness (of 255) between neighbors that is an edge. */
const MIN_EDGE = 8
/** With fewer edges, there is nothing to compare. */
const MIN_EDGES = 12

/**
 * Compares the directions of the edges between neighbors, to the right and below, like a difference
 * hash. It does not depend on colors, brightness and contrast, only on where a picture is lighter.
 */
function edgeDifferenceOf(one: readonly number[], other: readonly number[]): number | null {
  const size = Math.sqrt(one.length)
  let [edges, different] = [0, 0]
  for (let at = 0; at < one.length; at++) {
    const neighbors = [...(at % size < size - 1 ? [at + 1] : []), ...(at + size < one.length ? [at + size] : [])]
    for (const next of neighbors) {
      const [a, b] = [one[next]! - one[at]!, other[next]! - other[at]!]
      if (Math.max(Math.abs(a), Math.abs(b)) < MIN_EDGE) continue
      edges += 1
      if (a * b <= 0 || Math.min(Math.abs(a), Math.abs(b)) < MIN_EDGE / 4) different += 1
    }
  }
  return edges < MIN_EDGES ? null : rounded(different / edges)
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
