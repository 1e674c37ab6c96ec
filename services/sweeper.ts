import type { Store } from '../ports/store/port.ts'
import { RULES_VERSION } from './blogs/content/index.ts'
import type { Blogs } from './blogs/index.ts'
import type { Idempotency } from './idempotency.ts'

const PORTION = 100

/** The store is the truth: what is due there and was not done is done now. */
export function createSweeper ({ store, blogs, idempotency }: { store: Store, blogs: Blogs, idempotency: Idempotency }) {
  async function publishDue (signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const due = await store.blogs.due(new Date().toISOString(), PORTION)
      for (const { accountId, id } of due) await blogs.publishDue(accountId, id)
      if (due.length < PORTION) return
    }
  }

  /** Blogs that were made by older rules are made anew from their source. */
  async function composeStale (signal: AbortSignal): Promise<void> {
    let afterId: string | null = null
    while (!signal.aborted) {
      const stale: { accountId: string, id: string }[] = await store.blogs.staleRules(RULES_VERSION, { afterId, limit: PORTION })
      for (const { accountId, id } of stale) await blogs.compose({ accountId, projectIds: null }, id)
      if (stale.length < PORTION) return
      afterId = stale.at(-1)!.id
    }
  }

  return {
    /** Ends early when the signal says so; the next sweep goes on. */
    async sweep (signal: AbortSignal): Promise<void> {
      await publishDue(signal)
      await composeStale(signal)
      await idempotency.sweep()
    }
  }
}
