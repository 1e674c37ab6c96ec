import { createYielder } from '../lib/async.ts'
import type { Limits } from '../ports/limits/port.ts'
import type { RunResult } from '../ports/queue/port.ts'
import type { BlogVector, Store } from '../ports/store/port.ts'
import { relatedBatches, type RelatedList } from './blogs/related/index.ts'
import { createPacer } from './pacing.ts'

/** Blogs whose terms are read at once. */
const PAGE = 100
/** Pending writes that one run covers; the sweeper starts another run for the rest. */
const MAX_MARKS = 10_000
/** Lists are computed and written in batches, so that the process can serve requests in between. */
const BATCH_SIZE = 20
/** Computations that wait for their next slice in this process; each holds the terms of its blogs. */
const MAX_SUSPENDED = 4
/** A computation that has not been continued for this time is dropped: another process continued. */
const SUSPENDED_MS = 60_000

/** A computation, and the pending writes that were made before it. */
interface Computation {
  marks: Awaited<ReturnType<Store['blogs']['pendingRelated']>>
  batches: Iterator<RelatedList[]>
}

/** Computes the related blogs of all published blogs of an account. */
export function createRelatedBlogs({ store, limits }: { store: Store; limits: Limits }) {
  const suspended = new Map<string, Computation & { timer: NodeJS.Timeout }>()

  async function vectors(accountId: string): Promise<BlogVector[]> {
    const all: BlogVector[] = []
    let afterId: string | null = null
    const pause = createYielder()
    while (true) {
      await pause()
      const page: BlogVector[] = await store.blogs.vectors(accountId, { afterId, limit: PAGE })
      all.push(...page)
      // A page may be short because blogs were deleted meanwhile.
      if (page.length === 0) return all
      afterId = page.at(-1)!.id
    }
  }

  async function begin(accountId: string): Promise<Computation> {
    const marks = await store.blogs.pendingRelated(accountId, MAX_MARKS)
    return { marks, batches: relatedBatches(await vectors(accountId), BATCH_SIZE) }
  }

  function suspend(accountId: string, computation: Computation): void {
    const timer = setTimeout(() => suspended.delete(accountId), SUSPENDED_MS).unref()
    suspended.set(accountId, { ...computation, timer })
  }

  function resume(accountId: string): Computation | undefined {
    const computation = suspended.get(accountId)
    if (computation === undefined) return undefined
    suspended.delete(accountId)
    clearTimeout(computation.timer)
    return computation
  }

  return {
    /**
     * Idempotent: the lists depend on the published blogs alone. Resolves with `continue` if the
     * slice ended before the work; the next run in this process continues the computation.
     */
    async refresh(accountId: string, isSliceOver = () => false): Promise<RunResult> {
      const resumed = resume(accountId)
      const computation = resumed ?? (await begin(accountId))
      const { marks, batches } = computation
      const pause = createYielder()
      // The size of a batch is fixed: the pacer only pauses.
      const pacer = createPacer({ accountId, min: BATCH_SIZE, max: BATCH_SIZE })
      for (let next = batches.next(); next.done !== true; next = batches.next()) {
        if (next.value.length > 0) {
          await store.blogs.setRelated(accountId, next.value)
          await pacer.rest()
        }
        await pause()
        // A run that could not be continued would start again and never end.
        if (isSliceOver() && suspended.size < MAX_SUSPENDED) {
          suspend(accountId, computation)
          return 'continue'
        }
      }
      await limits.bumpEpoch(accountId, 'content')
      await store.blogs.clearPendingRelated(accountId, marks)
      // Blogs may have changed since the computation began, and another process may have seen that.
      const isOutdated = resumed !== undefined && (await store.blogs.pendingRelated(accountId, 1)).length > 0
      return isOutdated ? 'continue' : undefined
    }
  }
}
