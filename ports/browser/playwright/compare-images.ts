import type { BrowserContext } from 'playwright'
import { setTimeout as wait } from 'node:timers/promises'
import type { ImageSnapshot, ImageSimilarity, ViewportSnapshot } from '../port/page-snapshot.ts'
import { likenessOf } from './likeness.ts'
import { dotsOf } from './page/dots.ts'

const DOTS = 16
/** The first ones; a site that puts others in their place does so with all. */
const MOST_PAIRS = 3
const LONGEST_MS = 4_000

/**
 * Compares the pictures that are known for ours by their description alone with those that our HTML
 * names, over the same way out. The bytes are decoded in an empty page, where Chromium keeps them
 * shut in.
 * One that does not come in time, or is no picture, is not compared.
 */
export async function compareImages(
  context: BrowserContext,
  { images, expectedImages, base }: Pick<ViewportSnapshot, 'images' | 'expectedImages'> & { base: string }
): Promise<ViewportSnapshot['images']> {
  const doubted = images
    .filter(({ index, matchedByUrl, naturalWidth }) => index !== null && !matchedByUrl && naturalWidth > 1)
    .slice(0, MOST_PAIRS)
  if (doubted.length === 0) return images
  const page = await context.newPage()
  try {
    const dots = async (address: string): Promise<number[] | null> => {
      const data = await download(context, { address, base })
      if (data === null) return null
      const drawn = page.evaluate(dotsOf, { address: data, dots: DOTS }).catch(() => null) // It is no picture.
      return await Promise.race([drawn, wait(LONGEST_MS, null, { ref: false })])
    }
    const compared = new Map<ImageSnapshot, ImageSimilarity>()
    await Promise.all(
      doubted.map(async (image) => {
        const [shown, own] = await Promise.all([dots(image.src), dots(expectedImages[image.index!]!.src)])
        if (shown !== null && own !== null) compared.set(image, likenessOf(shown, own))
      })
    )
    return images.map((image) => ({ ...image, similarity: compared.get(image) ?? null }))
  } finally {
    await page.close()
  }
}

async function download(
  context: BrowserContext,
  { address, base }: { address: string; base: string }
): Promise<string | null> {
  if (!URL.canParse(address, base)) return null
  const { href, protocol } = new URL(address, base)
  if (protocol === 'data:') return href
  const answer = await context.request.get(href, { timeout: LONGEST_MS, maxRedirects: 3 }).catch(() => null) // Whatever the reason, it does not come.
  const type = answer?.headers()['content-type'] ?? ''
  if (answer === null || !answer.ok() || !/^image\/[\w.+-]+/.test(type)) return null
  return `data:${type.split(';')[0]};base64,${(await answer.body()).toString('base64')}`
}
