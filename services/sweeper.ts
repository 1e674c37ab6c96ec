import type { Queue } from '../ports/queue/port.ts'
import type { Store } from '../ports/store/port.ts'
import type { Audit } from './audit.ts'
import { RULES_VERSION } from './blogs/content/index.ts'
import type { Blogs } from './blogs/index.ts'
import type { Idempotency } from './idempotency.ts'
import type { Imports } from './imports/index.ts'
import { QUEUED_AHEAD_MS, queuePublication } from './blogs/publication.ts'
import { projectKey } from './products/follow-up-jobs.ts'
import { readSweepPages } from './sweep-pages.ts'
import type { VisualChecks } from './visual-checks/index.ts'
import type { Webhooks } from './webhooks/index.ts'

/** Publications of each account that a sweep queues, earliest first. The others are queued by the next sweeps. */
const MAX_QUEUED = 10_000

/** The job that does the pending work of a project's products. */
const PRODUCT_JOBS = [
  ['optimize', 'optimize-products'],
  ['suggest', 'optimize-products'],
  ['imageCheck', 'check-product-images'],
  ['publish', 'publish-product-events']
] as const

interface Parts {
  store: Store
  queue: Queue
  audit: Audit
  blogs: Blogs
  idempotency: Idempotency
  imports: Imports
  visualChecks: VisualChecks
  webhooks: Webhooks
}

/** Finds due work in the store that was not done, and does it or adds its job again. */
export function createSweeper({ store, queue, audit, blogs, idempotency, imports, visualChecks, webhooks }: Parts) {
  /** Adds jobs for projects with pending products. Each job processes its whole project. */
  async function queueProductWork(signal: AbortSignal): Promise<void> {
    for (const [work, name] of PRODUCT_JOBS) {
      const places = readSweepPages((page) => store.products.pendingProjects(work, page), signal)
      for await (const place of places) await queue.add(name, place, { key: projectKey(place) })
    }
  }

  /** Queues publications that are due soon or whose job was lost. The queue serves the accounts in turn. */
  async function queuePublications(signal: AbortSignal): Promise<void> {
    const until = new Date(Date.now() + QUEUED_AHEAD_MS).toISOString()
    const queued = new Map<string, number>()
    const due = readSweepPages((page) => store.blogs.dueToPublish(until, page), signal)
    for await (const { accountId, id, publishAt } of due) {
      const count = queued.get(accountId) ?? 0
      if (count === MAX_QUEUED) continue
      queued.set(accountId, count + 1)
      await queuePublication(queue, { accountId, id, at: Date.parse(publishAt) })
    }
  }

  /** Renders blogs again that were rendered by older rules. */
  async function composeStale(signal: AbortSignal): Promise<void> {
    const stale = readSweepPages((page) => store.blogs.renderedByOtherRules(RULES_VERSION, page), signal)
    for await (const { accountId, id } of stale) await blogs.recompose({ accountId, projectIds: null }, id)
  }

  async function queueRelated(signal: AbortSignal): Promise<void> {
    for await (const accountId of readSweepPages(store.blogs.pendingRelatedAccounts, signal)) {
      await queue.add('refresh-related', { accountId }, { key: accountId })
    }
  }

  const steps: Array<(signal: AbortSignal) => Promise<unknown>> = [
    queuePublications,
    imports.sweep,
    queueProductWork,
    webhooks.sweep,
    visualChecks.sweep,
    visualChecks.addScheduled,
    queueRelated,
    idempotency.sweep,
    audit.sweep,
    store.maintain,
    // After an upgrade, this takes longer than a sweep may take, and no step would come after it.
    composeStale
  ]

  return {
    /**
     * Ends early when the signal aborts; the next sweep continues. A step that fails does not stop
     * the others. Throws an AggregateError of all failures at the end.
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
        const messages = errors.map((error) => (error as Error).message).join('; ')
        throw new AggregateError(errors, `${errors.length} of ${steps.length} steps of the sweep failed: ${messages}`)
      }
    }
  }
}
