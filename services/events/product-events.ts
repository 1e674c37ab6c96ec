import type { Queue, RunResult } from '../../ports/queue/port.ts'
import { createYielder } from '../../lib/async.ts'
import type { NewEvent, ProductEventWrite, ProductRecord, ProjectRef, Store } from '../../ports/store/port.ts'
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
/** Events that are published with one operation of the store. */
const EVENTS_AT_ONCE = { local: 1, remote: 10 }
/** Conflicts with concurrent changes of products before the rest is left to the next job. */
const MAX_CONFLICTS = 20

export type ProductEvents = ReturnType<typeof createProductEvents>

/**
 * Publishes `products.optimized` events: gathers the products of a project whose outputs changed
 * since they were last published.
 */
export function createProductEvents({ store, queue }: { store: Store; queue: Queue }) {
  const { withLease, leaseMs } = createLeases({ store })

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
    const maxProducts = EVENTS_AT_ONCE[store.isRemote ? 'remote' : 'local'] * EVENT_PRODUCTS
    // The size of a batch is fixed: the pacer only pauses.
    const pacer = createPacer({ accountId, min: maxProducts, max: maxProducts, isRemote: store.isRemote })
    for (let conflicts = 0; conflicts < MAX_CONFLICTS && !signal.aborted; ) {
      const { products, hasMore } = await store.products.pendingEvents(place, maxProducts)
      if (products.length === 0) return 'empty'
      const groups = await toEventGroups(products)
      const last = groups.at(-1)!
      const waitMs = hasMore || last.isFull ? 0 : msUntilDue(last.products)
      // An event is not due yet, or gets the products that follow.
      const isLeft = waitMs > 0 || (hasMore && !last.isFull && groups.length > 1)
      const published = isLeft ? groups.slice(0, -1) : groups
      const added =
        published.length === 0 ? [] : await store.events.addProductEvents(published.map(toEventWrite(place)))
      if (added.includes(true)) await queue.add('fan-out-events', { accountId }, { key: accountId })
      if (waitMs > 0) await publishLater(place, waitMs)
      if (added.includes(false)) conflicts++
      else if (!hasMore) return waitMs > 0 ? 'stopped' : 'empty'
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
        hasMore: async () => state === 'empty' && (await store.products.hasPending(place, 'publish'))
      })
      if (!done) await publishLater(place, leaseMs)
      return state === 'slice-over' ? 'continue' : undefined
    }
  }
}

/** Milliseconds until an event that is not full is due. 0: it has waited long enough. */
function msUntilDue(products: ProductRecord[]): number {
  const quietAt = Date.parse(products.at(-1)!.eventPendingSince!) + QUIET_MS
  const latest = Date.parse(products[0]!.eventPendingSince!) + MAX_WAIT_MS
  return Math.max(0, Math.min(quietAt, latest) - Date.now())
}

/** The products of one event. `isFull`: no other product fits. */
interface EventGroup {
  products: ProductRecord[]
  isFull: boolean
}

/** Divides products among events in order, as many as fit into each one; at least one. */
async function toEventGroups(products: ProductRecord[]): Promise<EventGroup[]> {
  const groups: EventGroup[] = []
  const pause = createYielder()
  let bytes = Infinity
  for (const product of products) {
    await pause()
    const length = Buffer.byteLength(JSON.stringify(toOutputs(product))) + 1
    let group = groups.at(-1)
    if (group === undefined || group.isFull || bytes + length > EVENT_BYTES) {
      if (group !== undefined) group.isFull = true
      group = { products: [], isFull: false }
      groups.push(group)
      bytes = ENVELOPE_BYTES
    }
    bytes += length
    group.products.push(product)
    group.isFull = group.products.length === EVENT_PRODUCTS
  }
  return groups
}

const toEventWrite =
  (place: ProjectRef) =>
  ({ products }: EventGroup): ProductEventWrite => ({
    event: newProductEvent(place, products),
    products: products.map((product) => ({
      id: product.id,
      ifVersion: product.version,
      digest: outputsDigest(product)
    }))
  })

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
