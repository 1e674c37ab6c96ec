import type { Queue } from '../ports/queue/port.ts'
import type { Store } from '../ports/store/port.ts'
import { RULES_VERSION } from './blogs/content/index.ts'
import type { Blogs } from './blogs/index.ts'
import type { Idempotency } from './idempotency.ts'
import type { Imports } from './imports/index.ts'
import { projectKey } from './products/following.ts'
import type { VisualChecks } from './visual-checks/index.ts'
import type { Webhooks } from './webhooks/index.ts'

const PORTION = 100

interface Parts {
  store: Store
  queue: Queue
  blogs: Blogs
  idempotency: Idempotency
  imports: Imports
  visualChecks: VisualChecks
  webhooks: Webhooks
}

/** The store is the truth: what is due there and was not done is done now, or queued again. */
export function createSweeper({ store, queue, blogs, idempotency, imports, visualChecks, webhooks }: Parts) {
  /** Projects whose products wait for something; each job works off its project whole. */
  async function queueProductWork(): Promise<void> {
    for (const place of await store.products.pendingProjects('optimize', PORTION)) {
      await queue.add('optimize-products', place, { key: projectKey(place) })
    }
    for (const place of await store.products.pendingProjects('imageCheck', PORTION)) {
      await queue.add('check-product-images', place, { key: projectKey(place) })
    }
    for (const place of await store.products.pendingEventProjects(PORTION)) {
      await queue.add('publish-product-events', place, { key: projectKey(place) })
    }
  }

  async function publishDue(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const due = await store.blogs.dueToPublish(new Date().toISOString(), PORTION)
      for (const { accountId, id } of due) await blogs.publishDue(accountId, id)
      if (due.length < PORTION) return
    }
  }

  /** Blogs that were made by older rules are made anew from their source. */
  async function composeStale(signal: AbortSignal): Promise<void> {
    let afterId: string | null = null
    while (!signal.aborted) {
      const stale: { accountId: string; id: string }[] = await store.blogs.renderedByOtherRules(RULES_VERSION, {
        afterId,
        limit: PORTION
      })
      for (const { accountId, id } of stale) await blogs.recompose({ accountId, projectIds: null }, id)
      if (stale.length < PORTION) return
      afterId = stale.at(-1)!.id
    }
  }

  async function queueRelated(): Promise<void> {
    for (const accountId of await store.blogs.pendingRelatedAccounts(PORTION)) {
      await queue.add('refresh-related', { accountId }, { key: accountId })
    }
  }

  const steps: Array<(signal: AbortSignal) => Promise<unknown>> = [
    publishDue,
    imports.sweep,
    queueProductWork,
    webhooks.sweep,
    visualChecks.sweep,
    queueRelated,
    composeStale,
    idempotency.sweep
  ]

  return {
    /**
     * Ends early when the signal says so; the next sweep goes on. A step that fails keeps none of
     * the others from its work: what one piece of data breaks must not
     * keep everything else from being found. Throws an AggregateError of what failed, at the end.
     */
    async sweep(signal: AbortSignal): Promise<void> {
      const errors: unknown[] = []
      for (const step of steps) {
        if (signal.aborted) break
        await step(signal).catch((error: unknown) => {
          errors.push(error)
        })
      }
      if (errors.length > 0) {
        throw new AggregateError(
          errors,
          `${errors.length} of ${steps.length} steps of the sweep failed: ${errors.map((error) => (error as Error).message).join('; ')}`
        )
      }
    }
  }
}
