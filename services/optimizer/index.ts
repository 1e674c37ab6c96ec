import { setImmediate } from 'node:timers/promises'
import type { Queue } from '../../ports/queue/port.ts'
import type { ProductRecord, ProjectRef, Store } from '../../ports/store/port.ts'
import { createLeases } from '../leases.ts'
import { projectKey } from '../products/follow-up-jobs.ts'
import { createBatchOptimizer } from './batch.ts'
import type { SeoProvider } from './provider/index.ts'

export { outputsDigest, toOutputs as outputsOf } from './outputs.ts'
export { RULES_VERSION } from './rules/index.ts'
export { createSeoProvider, type SeoProvider } from './provider/index.ts'

const BATCH_SIZE = 200
/**
 * With a provider a portion takes a call for each product, and what it did is lost when the process
 * ends.
 */
const PROVIDER_BATCH_SIZE = 20
/**
 * Portions without a product saved, because others changed them at the same moment, before the rest
 * is left for the next time.
 */
const MAX_BATCHES_WITHOUT_PROGRESS = 3

/**
 * Works out the outputs of the products that wait for it, and lets them be told. The store is the
 * truth: every run may be broken off and done again.
 */
export function createOptimizer({
  store,
  queue,
  provider
}: {
  store: Store
  queue: Queue
  provider: SeoProvider | null
}) {
  const batch = createBatchOptimizer({ store, provider })
  const { withLease, leaseMs } = createLeases({ store })

  async function addEventJob(place: ProjectRef, saved: ProductRecord[]): Promise<void> {
    if (saved.some(({ eventPendingSince }) => eventPendingSince !== null)) {
      await queue.add('publish-product-events', place, { key: projectKey(place) })
    }
  }

  /**
   * Works portions off until none is left (`emptied`), too many were fruitless, or the signal says
   * so.
   */
  async function optimizePending(
    place: ProjectRef,
    signal: AbortSignal
  ): Promise<{ count: number; failures: unknown[]; emptied: boolean }> {
    const failures: unknown[] = []
    let count = 0
    for (let withoutProgress = 0; withoutProgress < MAX_BATCHES_WITHOUT_PROGRESS && !signal.aborted; ) {
      const due = await store.products.pending(place, 'optimize', provider === null ? BATCH_SIZE : PROVIDER_BATCH_SIZE)
      if (due.length === 0) return { count, failures, emptied: true }
      const done = await batch.work(due, { place, signal })
      failures.push(...done.failures)
      count += done.optimized.length
      withoutProgress = done.completed === 0 ? withoutProgress + 1 : 0
      await addEventJob(place, done.optimized)
      await setImmediate()
    }
    return { count, failures, emptied: false }
  }

  return {
    /**
     * Works on the project's products that wait until none is left or the signal says so; returns
     * how many were worked on, those left out that had not changed.
     * Where another process is at it, they are left to that one, and looked for again a little
     * later. Products that could not be worked on become `failed`, the others are done first.
     * @throws Error that says how many failed; its cause is the first reason.
     */
    async work(place: ProjectRef, signal: AbortSignal): Promise<number> {
      const failures: unknown[] = []
      let count = 0
      let emptied = false
      const done = await withLease({
        name: `optimize ${projectKey(place)}`,
        signal,
        async work(signal) {
          const turn = await optimizePending(place, signal)
          failures.push(...turn.failures)
          count += turn.count
          emptied = turn.emptied
        },
        hasMore: async () => emptied && (await store.products.pending(place, 'optimize', 1)).length > 0
      })
      if (!done) await queue.add('optimize-products', place, { key: `${projectKey(place)} later`, delayMs: leaseMs })
      if (failures.length > 0) {
        throw new Error(`${failures.length} products of project ${place.projectId} could not be optimized`, {
          cause: failures[0]
        })
      }
      return count
    }
  }
}
