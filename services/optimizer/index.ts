import { setImmediate } from 'node:timers/promises'
import type { Queue } from '../../ports/queue/port.ts'
import type { ProductRecord, ProjectRef, Store } from '../../ports/store/port.ts'
import { createLeases } from '../leases.ts'
import { projectKey } from '../products/following.ts'
import { createPortion } from './portion.ts'
import type { SeoProvider } from './provider/index.ts'

export { outputsDigest, outputsOf } from './outputs.ts'
export { RULES_VERSION } from './rules/index.ts'
export { createSeoProvider, type SeoProvider } from './provider/index.ts'

const PORTION = 200
/**
 * With a provider a portion takes a call for each product, and what it did is lost when the process
 * ends.
 */
const PROVIDER_PORTION = 20
/**
 * Portions without a product saved, because others changed them at the same moment, before the rest
 * is left for the next time.
 */
const MOST_FRUITLESS = 3

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
  const portion = createPortion({ store, provider })
  const { withLease, leaseMs } = createLeases({ store })

  async function tell(place: ProjectRef, saved: ProductRecord[]): Promise<void> {
    if (saved.some(({ eventPendingSince }) => eventPendingSince !== null)) {
      await queue.add('publish-product-events', place, { key: projectKey(place) })
    }
  }

  /**
   * Works portions off until none is left (`emptied`), too many were fruitless, or the signal says
   * so.
   */
  async function workOff(
    place: ProjectRef,
    signal: AbortSignal
  ): Promise<{ worked: number; failures: unknown[]; emptied: boolean }> {
    const failures: unknown[] = []
    let worked = 0
    for (let fruitless = 0; fruitless < MOST_FRUITLESS && !signal.aborted; ) {
      const due = await store.products.pending(place, 'optimize', provider === null ? PORTION : PROVIDER_PORTION)
      if (due.length === 0) return { worked, failures, emptied: true }
      const done = await portion.work(due, { place, signal })
      failures.push(...done.failures)
      worked += done.optimized.length
      fruitless = done.settled === 0 ? fruitless + 1 : 0
      await tell(place, done.optimized)
      await setImmediate()
    }
    return { worked, failures, emptied: false }
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
      let worked = 0
      let emptied = false
      const done = await withLease({
        name: `optimize ${projectKey(place)}`,
        signal,
        async work(signal) {
          const turn = await workOff(place, signal)
          failures.push(...turn.failures)
          worked += turn.worked
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
      return worked
    }
  }
}
