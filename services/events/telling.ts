import type { Queue } from '../../ports/queue/port.ts'
import type { NewEvent, ProductRecord, ProjectPlace, Store } from '../../ports/store/port.ts'
import { EVENT_BYTES, EVENT_PRODUCTS } from '../../schemas/event.ts'
import { outputsDigest, outputsOf } from '../optimizer/outputs.ts'
import { createOneAtATime, LEASE_MS } from '../one-at-a-time.ts'
import { projectKey } from '../products/following.ts'
import { newEvent } from './envelope.ts'

/**
 * An event that is not full goes out so long after the last change, and at most so long after the
 * first.
 */
const QUIET_MS = 5_000
const MOST_WAIT_MS = 60_000
/** Room for the envelope. */
const ENVELOPE_BYTES = 1024
/**
 * How often products are read again because they changed meanwhile, before the next job has a try.
 */
const MOST_TRIES = 20

export type Telling = ReturnType<typeof createTelling>

/**
 * Gathers products whose outputs changed since they were told last into events
 * `products.optimized`.
 */
export function createTelling({ store, queue }: { store: Store; queue: Queue }) {
  const alone = createOneAtATime({ store })

  /** Not before so many milliseconds: 0 when an event is full, or has waited long enough. */
  function waitMs(products: ProductRecord[], count: number, latestAt: string): number {
    if (count >= EVENT_PRODUCTS || fitting(products).length < products.length) return 0
    const now = Date.now()
    const quietAt = Date.parse(latestAt) + QUIET_MS
    const latest = Date.parse(products[0]!.untoldAt!) + MOST_WAIT_MS
    return Math.max(0, Math.min(quietAt, latest) - now)
  }

  const later = ({ accountId, projectId }: ProjectPlace, delayMs: number) =>
    queue.add(
      'tell-products',
      { accountId, projectId },
      { key: `${projectKey({ accountId, projectId })} later`, delayMs }
    )

  /** Makes every event that is due; true when no product waits any more. */
  async function tellDue(place: ProjectPlace, signal: AbortSignal): Promise<boolean> {
    const { accountId } = place
    for (let tries = 0; tries < MOST_TRIES && !signal.aborted; ) {
      const { products, count, latestAt } = await store.products.untold(place, EVENT_PRODUCTS)
      if (products.length === 0) return true
      const delayMs = waitMs(products, count, latestAt!)
      if (delayMs > 0) {
        await later(place, delayMs)
        return false
      }
      const told = fitting(products)
      const marks = told.map((product) => ({
        id: product.id,
        ifVersion: product.version,
        digest: outputsDigest(product)
      }))
      if (!(await store.events.addTelling(tellingOf(place, told), marks))) {
        tries++
        continue
      }
      await queue.add('fan-out-events', { accountId }, { key: accountId })
    }
    return false
  }

  return {
    /**
     * Makes every event that is due; one that is not, or that another process is at, is left to a
     * later job.
     */
    async tell(place: ProjectPlace, signal: AbortSignal): Promise<void> {
      let emptied = false
      const done = await alone({
        name: `tell ${projectKey(place)}`,
        signal,
        work: async (signal) => {
          emptied = await tellDue(place, signal)
        },
        left: async () => emptied && (await store.products.untold(place, 1)).count > 0
      })
      if (!done) await later(place, LEASE_MS)
    }
  }
}

/** As many of them, from the first on, as an event holds; at least one. */
function fitting(products: ProductRecord[]): ProductRecord[] {
  let bytes = ENVELOPE_BYTES
  const end = products.findIndex((product) => {
    bytes += Buffer.byteLength(JSON.stringify(outputsOf(product))) + 1
    return bytes > EVENT_BYTES
  })
  return end < 0 ? products : products.slice(0, Math.max(1, end))
}

function tellingOf({ accountId, projectId }: ProjectPlace, products: ProductRecord[]): NewEvent {
  return newEvent({
    accountId,
    projectId,
    type: 'products.optimized',
    key: products.map(({ id, version }) => `${id} ${version}`).join('\n'),
    timestamp: new Date().toISOString(),
    data: { projectId, products: products.map(outputsOf) }
  })
}
