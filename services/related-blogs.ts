import { setImmediate } from 'node:timers/promises'
import type { Limits } from '../ports/limits/port.ts'
import type { BlogVector, Store } from '../ports/store/port.ts'
import { relatedBatches } from './blogs/related/index.ts'

const PAGE = 2000
/** Pending writes that one run covers; the sweeper starts another run for the rest. */
const MAX_MARKS = 10_000
/** Lists are computed and written in batches, so that the process can serve requests in between. */
const BATCH_SIZE = 50

/** Computes the related blogs of all published blogs of an account. */
export function createRelatedBlogs({ store, limits }: { store: Store; limits: Limits }) {
  async function vectors(accountId: string): Promise<BlogVector[]> {
    const all: BlogVector[] = []
    let afterId: string | null = null
    while (true) {
      const page: BlogVector[] = await store.blogs.vectors(accountId, { afterId, limit: PAGE })
      all.push(...page)
      if (page.length < PAGE) return all
      afterId = page.at(-1)!.id
    }
  }

  return {
    /** Idempotent: the lists depend on the published blogs alone. */
    async refresh(accountId: string): Promise<void> {
      const marks = await store.blogs.pendingRelated(accountId, MAX_MARKS)
      for (const lists of relatedBatches(await vectors(accountId), BATCH_SIZE)) {
        await store.blogs.setRelated(accountId, lists)
        await setImmediate()
      }
      await limits.bumpEpoch(accountId, 'content')
      await store.blogs.clearPendingRelated(accountId, marks)
    }
  }
}
