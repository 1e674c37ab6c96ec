import type { Outbound } from '../../ports/outbound/port.ts'
import type { Queue } from '../../ports/queue/port.ts'
import type { ImageCheck, ProductRecord, ProjectRef, Store } from '../../ports/store/port.ts'
import type { ProductWarning } from '../../schemas/product.ts'
import { createLeases } from '../leases.ts'
import { projectKey } from './following.ts'
import { pictureWarning } from './picture-facts.ts'

/** Products that are looked at together; their pictures are fetched at the same time. */
const PORTION = 20
/** Enough for the head of a picture, wherever its size stands in it. */
const HEAD_BYTES = 256 * 1024
/** What was found at an address is taken to hold for so long, because variants share pictures. */
const KEPT_MS = 10 * 60_000
const MOST_KEPT = 5000

/** What is known of an address; undefined when the looking was broken off. */
type Finding = ProductWarning | null | undefined

export type ProductPictures = ReturnType<typeof createProductPictures>

/**
 * Looks whether products' pictures are there, through the guarded door. A dead one is a warning on
 * the product, no more.
 */
export function createProductPictures({ store, queue, outbound }: { store: Store; queue: Queue; outbound: Outbound }) {
  const { withLease, leaseMs } = createLeases({ store })
  const known = new Map<string, { at: number; finding: Promise<Finding> }>()

  async function find(url: string, signal: AbortSignal): Promise<Finding> {
    const answer = await outbound.send({
      url,
      method: 'GET',
      headers: { accept: 'image/*' },
      maxBytes: HEAD_BYTES,
      signal
    })
    if (!signal.aborted) return await pictureWarning(answer)
    known.delete(url)
    return undefined
  }

  /** Null for a good picture, and when the signal says stop. */
  async function warningOf(url: string, signal: AbortSignal): Promise<ProductWarning | null> {
    while (!signal.aborted) {
      let kept = known.get(url)
      if (kept === undefined || Date.now() - kept.at >= KEPT_MS) {
        kept = { at: Date.now(), finding: find(url, signal) }
        known.set(url, kept)
        if (known.size > MOST_KEPT) known.delete(known.keys().next().value!)
      }
      const finding = await kept.finding
      // Where somebody else's looking was broken off, we look ourselves.
      if (finding !== undefined) return finding
    }
    return null
  }

  async function looked(product: ProductRecord, signal: AbortSignal): Promise<ProductRecord> {
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

  async function lookAtAll(place: ProjectRef, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const due = await store.products.pending(place, 'imageCheck', PORTION)
      if (due.length === 0) return
      const after = await Promise.all(due.map((product) => looked(product, signal)))
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
        work: (signal) => lookAtAll(place, signal),
        hasMore: async () => (await store.products.pending(place, 'imageCheck', 1)).length > 0
      })
      if (!done) {
        await queue.add('check-product-images', place, { key: `${projectKey(place)} later`, delayMs: leaseMs })
      }
    }
  }
}
