import { problem } from '../../errors.ts'
import { KeyedSignals } from '../../lib/async.ts'
import type { Browser } from '../../ports/browser/port.ts'
import type { Files } from '../../ports/files/port.ts'
import type { Limits } from '../../ports/limits/port.ts'
import type { Outbound } from '../../ports/outbound/port.ts'
import type { Queue } from '../../ports/queue/port.ts'
import type { ReadScope, Store, VisualCheckRecord } from '../../ports/store/port.ts'
import type { Page } from '../../schemas/page.ts'
import {
  VIEWPORT_NAMES,
  type VisualCheck,
  type VisualCheckInput,
  type VisualCheckList
} from '../../schemas/visual-check.ts'
import type { Blogs } from '../blogs/index.ts'
import type { Counters } from '../counters.ts'
import { newOperation, type Operation } from '../ids.ts'
import { parsePageUrl } from './page-url.ts'
import { createCheckQuota } from './quota.ts'
import { createCheckRunner } from './run-check.ts'
import { getFileKey, getFolder } from './screenshots/index.ts'
import { toResponse, toSummary } from './to-response.ts'

export type VisualChecks = ReturnType<typeof createVisualChecks>

export interface ScreenshotKey {
  blogId: string
  checkId: string
  name: string
}

interface Dependencies {
  store: Store
  queue: Queue
  files: Files
  limits: Limits
  browser: Browser
  outbound: Outbound
  blogs: Blogs
  counts: Counters
  /** For each account. 0: no limit. */
  checksPerHour: number
  publicUrl: () => string
}

/** Times in milliseconds. */
export interface VisualCheckOptions {
  /** A run that started earlier is considered dead. Must be longer than a run may take. */
  staleAfterMs: number
  /** How many runs may begin on a check. */
  maxAttempts: number
  /** How often `wait` looks for a check that another process has finished. */
  pollIntervalMs: number
  /** How long finished checks and their screenshots are kept. */
  retentionMs: number
  sweepBatchSize: number
}

const DEFAULT_OPTIONS: VisualCheckOptions = {
  staleAfterMs: 120_000,
  maxAttempts: 3,
  pollIntervalMs: 500,
  retentionMs: 30 * 24 * 3_600_000,
  sweepBatchSize: 100
}

const isoTimeBefore = (ms: number): string => new Date(Date.now() - ms).toISOString()

/** Checks whether the page of a published blog shows the blog. Checks run in the background. */
export function createVisualChecks(dependencies: Dependencies, options: Partial<VisualCheckOptions> = {}) {
  const { store, queue, files, browser, outbound, blogs, publicUrl } = dependencies
  const { staleAfterMs, maxAttempts, pollIntervalMs, retentionMs, sweepBatchSize } = { ...DEFAULT_OPTIONS, ...options }
  const finished = new KeyedSignals()
  const runner = createCheckRunner(
    { ...dependencies, onFinished: (id) => finished.notify(id) },
    { staleAfterMs, maxAttempts }
  )
  const quota = createCheckQuota(dependencies)
  const enqueue = ({ accountId, id }: { accountId: string; id: string }) =>
    queue.add('run-visual-check', { accountId, checkId: id }, { key: id })

  async function read(reader: ReadScope, blogId: string, id: string): Promise<VisualCheckRecord> {
    await blogs.get(reader, blogId)
    const check = await store.visualChecks.find(reader.accountId, id)
    if (check?.blogId === blogId) return check
    throw problem('visual_check_not_found', `The blog has no visual check ${id}.`)
  }

  return {
    read,
    run: runner.run,
    /** The state of the sandbox of Chromium in this process. */
    sandbox: () => browser.sandbox(),
    toResponse: (check: VisualCheckRecord): VisualCheck => toResponse(check, publicUrl()),

    /**
     * Stores and queues a check. A retry returns the stored check. Throws `blog_not_found` (also for
     * unpublished blogs), `blog_gone`, `url_not_allowed`, `too_many_visual_checks`, `busy` if the
     * queue is full, and `unavailable` if this process cannot run checks, such as without a sandbox.
     */
    async request(
      reader: ReadScope,
      blogId: string,
      {
        url,
        viewports,
        environment = 'live',
        screenshots = 'thumbs',
        operation: { id, isRetry } = newOperation()
      }: VisualCheckInput & { operation?: Operation | undefined }
    ): Promise<VisualCheckRecord> {
      const { projectId, status } = await blogs.get(reader, blogId)
      if (status !== 'published') throw problem('blog_not_found', `The blog ${blogId} is not published.`)
      const requested = isRetry ? await store.visualChecks.find(reader.accountId, id) : null
      if (requested !== null) {
        if (requested.finishedAt === null) await enqueue(requested)
        return requested
      }
      await browser.assertAvailable()
      const check: VisualCheckRecord = {
        id,
        accountId: reader.accountId,
        projectId,
        blogId,
        url: parsePageUrl(url, outbound),
        finalUrl: null,
        environment,
        // In our own order: equal requests give equal checks.
        viewports: VIEWPORT_NAMES.filter((name) => viewports?.includes(name) ?? true),
        detail: screenshots,
        status: 'queued',
        overallScore: null,
        reason: null,
        attempts: 0,
        createdAt: new Date().toISOString(),
        startedAt: null,
        finishedAt: null,
        result: null
      }
      await quota.add(check)
      await enqueue(check)
      return check
    },

    /** Waits for the end of a check, at most `ms` milliseconds. Returns the check as it is then. */
    async wait({ accountId, id }: Pick<VisualCheckRecord, 'accountId' | 'id'>, ms: number): Promise<VisualCheckRecord> {
      const deadlineMs = performance.now() + ms
      const subscription = finished.subscribe(id)
      try {
        for (;;) {
          const check = await store.visualChecks.find(accountId, id)
          if (check === null) throw problem('visual_check_not_found', `The visual check ${id} was removed.`)
          const leftMs = deadlineMs - performance.now()
          if (check.finishedAt !== null || leftMs <= 0) return check
          await subscription.wait(Math.min(leftMs, pollIntervalMs))
        }
      } finally {
        subscription.close()
      }
    },

    /** Lists the checks of a blog, the newest first. */
    async list(reader: ReadScope, blogId: string, { page, pageSize }: Page): Promise<VisualCheckList> {
      await blogs.get(reader, blogId)
      const { checks, totalCount } = await store.visualChecks.list(
        { accountId: reader.accountId, blogId },
        { page, pageSize }
      )
      return { visualChecks: checks.map(toSummary), totalCount, page, totalPages: Math.ceil(totalCount / pageSize) }
    },

    /** Returns a screenshot (WebP). Throws `screenshot_not_found`, also after the retention time. */
    async screenshot(reader: ReadScope, { blogId, checkId, name }: ScreenshotKey): Promise<Buffer> {
      const { result } = await read(reader, blogId, checkId)
      const exists = result?.screenshots.some((screenshot) => screenshot.name === name) ?? false
      const bytes = exists ? await files.read(getFileKey(checkId, name)) : null
      if (bytes === null) throw problem('screenshot_not_found', `The visual check has no screenshot "${name}".`)
      return bytes
    },

    /** Queues checks whose run died, and removes checks after the retention time. */
    async sweep(signal: AbortSignal): Promise<void> {
      for (const check of await store.visualChecks.unfinished(isoTimeBefore(staleAfterMs), sweepBatchSize)) {
        await enqueue(check)
      }
      while (!signal.aborted) {
        const expired = await store.visualChecks.finishedBefore(isoTimeBefore(retentionMs), sweepBatchSize)
        for (const { accountId, id } of expired) {
          await files.removeAll(getFolder(id))
          await store.visualChecks.delete(accountId, id)
        }
        if (expired.length < sweepBatchSize) return
      }
    }
  }
}
