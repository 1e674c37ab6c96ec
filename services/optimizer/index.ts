import type { Queue, RunResult } from '../../ports/queue/port.ts'
import type { ProductRecord, ProjectRef, Store } from '../../ports/store/port.ts'
import { createLeases } from '../leases.ts'
import { batchSizes, createPacer } from '../pacing.ts'
import { projectKey } from '../products/follow-up-jobs.ts'
import { createBatchOptimizer } from './batch.ts'
import type { SeoProvider } from './provider/index.ts'
import { isSuggestionDue } from './suggestions.ts'

export { outputsDigest, toOutputs } from './outputs.ts'
export { RULES_VERSION } from './rules/index.ts'
export { createSeoProvider, type SeoProvider } from './provider/index.ts'

const BATCH_SIZE = { local: { min: 10, max: 200 }, remote: { min: 50, max: 1_000, first: 250 } }
/**
 * A provider is called once per product, and the results of a batch are lost if the process ends:
 * at most 8 paid calls.
 */
const PROVIDER_BATCH_SIZE = { min: 4, max: 8 }
/**
 * Consecutive batches without any saved product, because of concurrent changes, before the run
 * ends.
 */
const MAX_BATCHES_WITHOUT_PROGRESS = 3

/**
 * Optimizes pending products and queues the publication of their events. The pending state is in
 * the store: every run may be interrupted and repeated.
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
  /** The size of the last batch, with which the next run begins: how large it may be depends on the server. */
  let lastSize: number | undefined

  async function addEventJob(project: ProjectRef, saved: ProductRecord[]): Promise<void> {
    if (saved.some(({ eventPendingSince }) => eventPendingSince !== null)) {
      await queue.add('publish-product-events', project, { key: projectKey(project) })
    }
  }

  /**
   * Products that a provider gave no texts for and that are due again, if it can be called now. The
   * sweeper adds jobs for them.
   */
  async function findSuggestionsDue(project: ProjectRef, limit: number): Promise<ProductRecord[]> {
    const waiting = await store.products.pending(project, 'suggest', limit)
    const now = new Date().toISOString()
    const due = waiting.filter((product) => isSuggestionDue(product, now))
    if (due.length === 0 || provider === null) return due
    return due.slice(0, await provider.availableCalls(project.accountId))
  }

  /**
   * Optimizes batches until no product is pending (`drained`), the slice is over, too many batches
   * made no progress, or the signal is aborted.
   */
  async function optimizePending(
    project: ProjectRef,
    { signal, isSliceOver }: { signal: AbortSignal; isSliceOver: () => boolean }
  ): Promise<{ count: number; failures: unknown[]; state: 'drained' | 'slice-over' | 'stopped' }> {
    const failures: unknown[] = []
    const pacer = createPacer({
      accountId: project.accountId,
      ...(provider === null ? batchSizes(store, BATCH_SIZE, lastSize) : PROVIDER_BATCH_SIZE)
    })
    let count = 0
    /** Whether all products with changes are done, except for those that changed since they were read. */
    let isDrained = false
    for (let withoutProgress = 0; withoutProgress < MAX_BATCHES_WITHOUT_PROGRESS && !signal.aborted; ) {
      const size = pacer.size()
      const changed: ProductRecord[] = isDrained ? [] : await store.products.pending(project, 'optimize', size)
      const isLookingForSuggestions: boolean = changed.length === 0 && (count === 0 || provider !== null)
      const due = isLookingForSuggestions ? await findSuggestionsDue(project, size) : changed
      if (due.length === 0) return { count, failures, state: 'drained' }
      const result = await batch.optimize(due, { project, signal })
      isDrained = isLookingForSuggestions || (due.length < size && result.completed === due.length)
      failures.push(...result.failures)
      count += result.optimized.length
      withoutProgress = result.completed === 0 ? withoutProgress + 1 : 0
      await addEventJob(project, result.optimized)
      await pacer.rest()
      if (provider === null && store.isRemote) lastSize = pacer.size()
      if (isSliceOver()) return { count, failures, state: 'slice-over' }
    }
    return { count, failures, state: 'stopped' }
  }

  /**
   * Optimizes the pending products of a project under its lease. Returns the number of optimized
   * products, and whether the slice ended before the work.
   */
  async function optimize(
    project: ProjectRef,
    { signal, isSliceOver }: { signal: AbortSignal; isSliceOver: () => boolean }
  ): Promise<{ count: number; isSliceOver: boolean }> {
    const failures: unknown[] = []
    let count = 0
    let state = 'stopped' as Awaited<ReturnType<typeof optimizePending>>['state']
    const acquired = await withLease({
      name: `optimize ${projectKey(project)}`,
      signal,
      async work(signal) {
        const result = await optimizePending(project, { signal, isSliceOver })
        failures.push(...result.failures)
        count += result.count
        state = result.state
      },
      hasMore: async () => state === 'drained' && (await store.products.hasPending(project, 'optimize'))
    })
    if (!acquired) {
      await queue.add('optimize-products', project, { key: `${projectKey(project)} later`, delayMs: leaseMs })
    }
    if (failures.length > 0) {
      // The error ends this job, so another one continues.
      if (state === 'slice-over') await queue.add('optimize-products', project, { key: projectKey(project) })
      throw new Error(`${failures.length} products of project ${project.projectId} could not be optimized`, {
        cause: failures[0]
      })
    }
    return { count, isSliceOver: state === 'slice-over' }
  }

  return {
    /**
     * Optimizes all pending products of a project until none is left or the signal is aborted.
     * Returns the number of optimized products, without unchanged ones.
     * If another process holds the lease, a delayed job is queued instead. Products that cannot be
     * optimized become `failed`, and the others are still completed.
     * @throws Error with the number of failed products; its cause is the first failure.
     */
    async optimizeProject(project: ProjectRef, signal: AbortSignal): Promise<number> {
      return (await optimize(project, { signal, isSliceOver: () => false })).count
    },

    /** The same for one slice. Resolves with `continue` if the slice ended before the work. */
    async optimizeSlice(project: ProjectRef, signal: AbortSignal, isSliceOver: () => boolean): Promise<RunResult> {
      return (await optimize(project, { signal, isSliceOver })).isSliceOver ? 'continue' : undefined
    }
  }
}
