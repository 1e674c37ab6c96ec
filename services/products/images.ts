import type { OutboundResponse, Outbound } from '../../ports/outbound/port.ts'
import type { ProductWarning } from '../../schemas/product.ts'
import { loadSharp } from '../images/sharp.ts'
import type { Queue } from '../../ports/queue/port.ts'
import type { ImageCheck, ProductRecord, ProjectRef, Store } from '../../ports/store/port.ts'
import { createLeases } from '../leases.ts'
import { projectKey } from './follow-up-jobs.ts'

/**
 * What shops and Google Merchant Center want of a picture:
 * https://support.google.com/merchants/answer/6324350
 */
const MIN_PIXELS = 100
const MAX_MEGAPIXELS = 64
const MAX_BYTES = 16 * 1024 * 1024

const warn = (code: string, message: string): ProductWarning => ({ code, message })

/**
 * What is to be said against a picture, by what its address answered; null for a good one. Of a
 * long one the beginning is enough.
 */
export async function imageWarning(answer: OutboundResponse): Promise<ProductWarning | null> {
  if (!answer.ok) return fetchWarning(answer)
  const { status, headers, body } = answer
  if (status < 200 || status > 299) return warn('picture_missing', `imageUrl answered ${status}.`)
  const bytes = Number(headers['content-length'] ?? body.length)
  if (bytes > MAX_BYTES) {
    return warn('picture_too_large', `The picture has ${bytes} bytes; 16 MB is the most that shops take.`)
  }
  const size = await sizeOf(body)
  if (size === null) return warn('picture_unreadable', 'imageUrl is not a JPEG, PNG, WebP, AVIF or GIF picture.')
  const { width, height } = size
  if (width < MIN_PIXELS || height < MIN_PIXELS) {
    return warn(
      'picture_too_small',
      `The picture is ${width} × ${height}; shops want at least ${MIN_PIXELS} × ${MIN_PIXELS}.`
    )
  }
  if (width * height > MAX_MEGAPIXELS * 1_000_000) {
    return warn(
      'picture_too_large',
      `The picture is ${width} × ${height}; ${MAX_MEGAPIXELS} megapixels is the most that shops take.`
    )
  }
  return null
}

function fetchWarning({ error, status, detail }: Extract<OutboundResponse, { ok: false }>): ProductWarning {
  if (error === 'blocked') return warn('picture_refused', 'imageUrl is an address that may not be reached from here.')
  if (error === 'redirect') {
    return warn('picture_redirected', `imageUrl answered ${status}; give the address that it leads to.`)
  }
  return warn('picture_unreachable', `imageUrl could not be fetched: ${detail}`)
}

/** Width and height by the picture's own head; null where it is none that we read. */
async function sizeOf(bytes: Buffer): Promise<{ width: number; height: number } | null> {
  const sharp = await loadSharp()
  try {
    const { width, height } = await sharp(bytes, { failOn: 'none' }).metadata()
    return { width, height }
  } catch {
    return null // Whatever the decoder has against it, it is no picture to show: the warning says so.
  }
}

/** Products that are looked at together; their pictures are fetched at the same time. */
const BATCH_SIZE = 20
/** Enough for the head of a picture, wherever its size stands in it. */
const HEAD_BYTES = 256 * 1024
/** What was found at an address is taken to hold for so long, because variants share pictures. */
const CACHE_TTL_MS = 10 * 60_000
const CACHE_SIZE = 5000

/** What is known of an address; undefined when the looking was broken off. */
type CheckResult = ProductWarning | null | undefined

export type ProductImages = ReturnType<typeof createProductImages>

/**
 * Looks whether products' pictures are there, through the guarded door. A dead one is a warning on
 * the product, no more.
 */
export function createProductImages({ store, queue, outbound }: { store: Store; queue: Queue; outbound: Outbound }) {
  const { withLease, leaseMs } = createLeases({ store })
  const known = new Map<string, { at: number; finding: Promise<CheckResult> }>()

  async function find(url: string, signal: AbortSignal): Promise<CheckResult> {
    const answer = await outbound.send({
      url,
      method: 'GET',
      headers: { accept: 'image/*' },
      maxBytes: HEAD_BYTES,
      signal
    })
    if (!signal.aborted) return await imageWarning(answer)
    known.delete(url)
    return undefined
  }

  /** Null for a good picture, and when the signal says stop. */
  async function warningOf(url: string, signal: AbortSignal): Promise<ProductWarning | null> {
    while (!signal.aborted) {
      let cached = known.get(url)
      if (cached === undefined || Date.now() - cached.at >= CACHE_TTL_MS) {
        cached = { at: Date.now(), finding: find(url, signal) }
        known.set(url, cached)
        if (known.size > CACHE_SIZE) known.delete(known.keys().next().value!)
      }
      const finding = await cached.finding
      // Where somebody else's looking was broken off, we look ourselves.
      if (finding !== undefined) return finding
    }
    return null
  }

  async function checkProduct(product: ProductRecord, signal: AbortSignal): Promise<ProductRecord> {
    const url = product.imageUrl
    const now = () => new Date().toISOString()
    const picture: ImageCheck | null =
      url === null ? null : { url, warning: await warningOf(url, signal), checkedAt: now() }
    const news = (picture?.warning?.code ?? null) !== (product.imageCheck?.warning?.code ?? null)
    return {
      ...product,
      imageCheck: picture,
      imageCheckPendingSince: null,
      version: product.version + 1,
      updatedAt: news ? now() : product.updatedAt
    }
  }

  async function checkAll(place: ProjectRef, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const due = await store.products.pending(place, 'imageCheck', BATCH_SIZE)
      if (due.length === 0) return
      const after = await Promise.all(due.map((product) => checkProduct(product, signal)))
      if (signal.aborted) return
      // One that changed meanwhile is left for the next round.
      await store.products.saveMany(after.map((product) => ({ product, ifVersion: product.version - 1 })))
    }
  }

  return {
    /**
     * Looks at every picture of the project that waits for it, until the signal says stop; where
     * another process is at it, they are left to that one, and looked for again a little later.
     */
    async check({ accountId, projectId }: ProjectRef, signal: AbortSignal): Promise<void> {
      const place = { accountId, projectId }
      const done = await withLease({
        name: `pictures ${projectKey(place)}`,
        signal,
        work: (signal) => checkAll(place, signal),
        hasMore: async () => (await store.products.pending(place, 'imageCheck', 1)).length > 0
      })
      if (!done) {
        await queue.add('check-product-images', place, { key: `${projectKey(place)} later`, delayMs: leaseMs })
      }
    }
  }
}
