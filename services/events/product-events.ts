import type { Queue, RunResult } from '../../ports/queue/port.ts'
import type { NewEvent, ProductRecord, ProjectRef, Store } from '../../ports/store/port.ts'
import { EVENT_BYTES, EVENT_PRODUCTS } from '../../schemas/event.ts'
import { createLeases } from '../leases.ts'
import { outputsDigest, toOutputs } from '../optimizer/outputs.ts'
import { createPacer } from '../pacing.ts'
import { projectKey } from '../products/follow-up-jobs.ts'
import { newEvent } from './envelope.ts'

/** An event that is not full is published this long after the last change, */
const QUIET_MS = 5_000
/** and at most this long after the first change. */
const MAX_WAIT_MS = 60_000
/** Reserved for the envelope. */
const ENVELOPE_BYTES = 1024
/** Conflicts with concurrent changes of products before the rest is left to the next job. */
const MAX_CONFLICTS = 20

export type ProductEvents = ReturnType<typeof createProductEvents>

/**
 * Publishes `products.optimized` events: gathers the products of a project whose outputs changed
 * since they were last published.
 */
export function createProductEvents({ store, queue }: { store: Store; queue: Queue }) {
  const { withLease, leaseMs } = createLeases({ store })

  /** Milliseconds until the event is due. 0: it is full, or has waited long enough. */
  function msUntilDue(products: ProductRecord[], count: number, latestAt: string): number {
    if (count >= EVENT_PRODUCTS || thatFit(products).length < products.length) return 0
    const now = Date.now()
    const quietAt = Date.parse(latestAt) + QUIET_MS
    const latest = Date.parse(products[0]!.eventPendingSince!) + MAX_WAIT_MS
    return Math.max(0, Math.min(quietAt, latest) - now)
  }

  const publishLater = ({ accountId, projectId }: ProjectRef, delayMs: number) =>
    queue.add(
      'publish-product-events',
      { accountId, projectId },
      { key: `${projectKey({ accountId, projectId })} later`, delayMs }
    )

  /** Publishes events that are due. `empty`: no product is pending any more. */
  async function publishDue(
    place: ProjectRef,
    { signal, isSliceOver }: { signal: AbortSignal; isSliceOver: () => boolean }
  ): Promise<'empty' | 'slice-over' | 'stopped'> {
    const { accountId } = place
    // The size of an event is fixed: the pacer only pauses.
    const pacer = createPacer({ accountId, min: EVENT_PRODUCTS, max: EVENT_PRODUCTS })
    for (let conflicts = 0; conflicts < MAX_CONFLICTS && !signal.aborted; ) {
      const { products, count, latestAt } = await store.products.pendingEvents(place, EVENT_PRODUCTS)
      if (products.length === 0) return 'empty'
      const delayMs = msUntilDue(products, count, latestAt!)
      if (delayMs > 0) {
        await publishLater(place, delayMs)
        return 'stopped'
      }
      const published = thatFit(products)
      const marks = published.map((product) => ({
        id: product.id,
        ifVersion: product.version,
        digest: outputsDigest(product)
      }))
      if (!(await store.events.addProductEvent(newProductEvent(place, published), marks))) {
        conflicts++
        continue
      }
      await queue.add('fan-out-events', { accountId }, { key: accountId })
      await pacer.rest()
      if (isSliceOver()) return 'slice-over'
    }
    return 'stopped'
  }

  return {
    /**
     * Publishes every event that is due. Events that are not due yet, or that another process is
     * publishing, are left to a later job. Resolves with `continue` if the slice ended before.
     */
    async publish(place: ProjectRef, signal: AbortSignal, isSliceOver = () => false): Promise<RunResult> {
      let state = 'stopped' as Awaited<ReturnType<typeof publishDue>>
      const done = await withLease({
        name: `publish product events ${projectKey(place)}`,
        signal,
        work: async (signal) => {
          state = await publishDue(place, { signal, isSliceOver })
        },
        hasMore: async () => state === 'empty' && (await store.products.pendingEvents(place, 1)).count > 0
      })
      if (!done) await publishLater(place, leaseMs)
      return state === 'slice-over' ? 'continue' : undefined
    }
  }
}

/** The first products, as many as fit into an event; at least one. */
function thatFit(products: ProductRecord[]): ProductRecord[] {
  let bytes = ENVELOPE_BYTES
  const end = products.findIndex((product) => {
    bytes += Buffer.byteLength(JSON.stringify(toOutputs(product))) + 1
    return bytes > EVENT_BYTES
  })
  return end < 0 ? products : products.slice(0, Math.max(1, end))
}

function newProductEvent({ accountId, projectId }: ProjectRef, products: ProductRecord[]): NewEvent {
  return newEvent({
    accountId,
    projectId,
    type: 'products.optimized',
    key: products.map(({ id, version }) => `${id} ${version}`).join('\n'),
    timestamp: new Date().toISOString(),
    data: { projectId, products: products.map(toOutputs) }
  })
}
