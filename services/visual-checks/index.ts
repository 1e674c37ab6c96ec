import type { Readable } from 'node:stream'
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
import type { GeneratedFiles } from '../generated-files.ts'
import { newId, newOperation, type Operation } from '../ids.ts'
import { createStaleClaims } from '../stale-claims.ts'
import { readSweepPages } from '../sweep-pages.ts'
import { parsePageUrl } from './page-url.ts'
import { createCheckQuota } from './quota.ts'
import { REPORT_POLICY } from './report/html.ts'
import { toPictures } from './report/pictures.ts'
import { streamHtmlReport } from './report/stream.ts'
import type { ImageProcessor } from '../images/processor/index.ts'
import { createCheckRunner } from './run-check.ts'
import { getFileKey, getFolder } from './screenshots/index.ts'
import { createSchedule } from './schedule.ts'
import { toResponse, toSummary } from './to-response.ts'
import { createCheckWaiter } from './waiting.ts'

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
  generatedFiles: GeneratedFiles
  limits: Limits
  browser: Browser
  imageProcessor: Pick<ImageProcessor, 'renderScreenshots'>
  outbound: Outbound
  blogs: Blogs
  counts: Counters
  /** For each account. 0: no limit. */
  checksPerHour: number
  publicUrl: () => string
}

/** Times in milliseconds. */
export interface VisualCheckOptions {
  /** A run that began so long ago is considered dead (see `createStaleClaims`). Must be longer than a run may take. */
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

/** The cause of a failed check, such as a missing browser, may be gone then. */
const FAILED_RETRY_SECONDS = 30

/** Checks in the history of a report: more than a month of daily checks. */
const HISTORY_LENGTH = 60

const isoTimeBefore = (ms: number): string => new Date(Date.now() - ms).toISOString()

/** Checks whether the page of a published blog shows the blog. Checks run in the background. */
export function createVisualChecks(dependencies: Dependencies, options: Partial<VisualCheckOptions> = {}) {
  const { store, queue, files, generatedFiles, browser, outbound, blogs, publicUrl } = dependencies
  const { staleAfterMs, maxAttempts, pollIntervalMs, retentionMs, sweepBatchSize } = { ...DEFAULT_OPTIONS, ...options }
  const stale = createStaleClaims(store, staleAfterMs)
  const finished = new KeyedSignals()
  const runner = createCheckRunner({ ...dependencies, onFinished: (id) => finished.notify(id) }, { stale, maxAttempts })
  const quota = createCheckQuota(dependencies)
  const schedule = createSchedule({ store, quota, enqueue: (check) => enqueue(check) })
  const waiter = createCheckWaiter({ store, queue, finished, abandon: runner.abandon, pollIntervalMs })
  const enqueue = ({ accountId, id }: { accountId: string; id: string }) =>
    queue.add('run-visual-check', { accountId, checkId: id }, { key: id })

  async function read(reader: ReadScope, blogId: string, id: string): Promise<VisualCheckRecord> {
    await blogs.getMetadata(reader, blogId)
    const check = await store.visualChecks.find(reader.accountId, id)
    if (check?.blogId === blogId) return check
    throw problem('visual_check_not_found', `The blog has no visual check ${id}.`)
  }

  /** The keys of the stored screenshots by name. */
  async function findImages(id: string, screenshots: readonly { name: string }[]): Promise<Map<string, string>> {
    const images = new Map<string, string>()
    for (const { name } of screenshots) {
      const key = getFileKey(id, name)
      if ((await files.size(key)) !== null) images.set(name, key)
    }
    return images
  }

  return {
    read,
    run: runner.run,
    /** The state of the sandbox of Chromium in this process. */
    sandbox: () => browser.sandbox(),
    /** Starts a browser. Rejects with `unavailable` and the cause if this process cannot run checks. */
    startBrowser: async (accountId: string, signal: AbortSignal): Promise<void> =>
      await browser.start({ accountId, signal }),
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
      const { projectId, status } = await blogs.getMetadata(reader, blogId)
      if (status !== 'published') throw problem('blog_not_found', `The blog ${blogId} is not published.`)
      const requested = isRetry ? await store.visualChecks.find(reader.accountId, id) : null
      // A failed check is not repeated under its id: it has ended, and its event was sent.
      if (requested !== null && requested.status !== 'failed') {
        if (requested.finishedAt === null) await enqueue(requested)
        return requested
      }
      await browser.assertAvailable()
      const check = await quota.add({
        id: requested === null ? id : newId(),
        accountId: reader.accountId,
        projectId,
        blogId,
        url: parsePageUrl(url, outbound),
        environment,
        trigger: 'request',
        // In our own order: equal requests give equal checks.
        viewports: VIEWPORT_NAMES.filter((name) => viewports?.includes(name) ?? true),
        detail: screenshots
      })
      await enqueue(check)
      return check
    },

    /**
     * Waits for the end of a check. Returns the unfinished check after `ms` milliseconds, or after
     * `startMs` if it is still behind other checks in the queue.
     */
    async wait(
      check: Pick<VisualCheckRecord, 'accountId' | 'id'>,
      ms: number,
      { startMs = ms, isAborted }: { startMs?: number; isAborted?: () => boolean } = {}
    ): Promise<VisualCheckRecord> {
      return await waiter.wait(check, { startMs, totalMs: ms, ...(isAborted === undefined ? {} : { isAborted }) })
    },

    /**
     * Throws if the check failed because of the service: `visual_check_failed`, or `blog_gone` if the
     * blog was deleted before the check.
     */
    async assertNotFailed(reader: ReadScope, { id, blogId, status, reason }: VisualCheckRecord): Promise<void> {
      if (status !== 'failed') return
      await blogs.getMetadata(reader, blogId)
      throw problem('visual_check_failed', reason ?? 'The check failed.', {
        headers: { 'Retry-After': String(FAILED_RETRY_SECONDS) },
        members: { checkId: id }
      })
    },

    /** Lists the checks of a blog, the newest first. */
    async list(
      reader: ReadScope,
      blogId: string,
      { page, pageSize, url }: Page & { url?: string | undefined }
    ): Promise<VisualCheckList> {
      await blogs.getMetadata(reader, blogId)
      const { checks, totalCount } = await store.visualChecks.list(
        { accountId: reader.accountId, blogId, url: url === undefined ? undefined : (URL.parse(url)?.href ?? url) },
        { page, pageSize }
      )
      return { visualChecks: checks.map(toSummary), totalCount, page, totalPages: Math.ceil(totalCount / pageSize) }
    },

    /** Returns a screenshot (WebP). Throws `screenshot_not_found`, also after its deletion. */
    async screenshot(reader: ReadScope, { blogId, checkId, name }: ScreenshotKey): Promise<Buffer> {
      const { result } = await read(reader, blogId, checkId)
      const exists = result?.screenshots.some((screenshot) => screenshot.name === name) ?? false
      const bytes = exists ? await files.read(getFileKey(checkId, name)) : null
      if (bytes === null) throw problem('screenshot_not_found', `The visual check has no screenshot "${name}".`)
      return bytes
    },

    /**
     * Renders a check as one HTML file. A check in progress has a report without a result. Screenshots
     * that were deleted are left out.
     */
    async report(
      reader: ReadScope,
      blogId: string,
      id: string
    ): Promise<{ html: Readable; contentSecurityPolicy: string }> {
      const check = await read(reader, blogId, id)
      const { since } = check.result ?? {}
      const before = since ? await store.visualChecks.find(reader.accountId, since.checkId) : null
      const isPage = ({ kind }: { kind: string }) => kind !== 'crop'
      const previous = before?.result?.screenshots.filter(isPage) ?? []
      const [history, images, previousImages] = await Promise.all([
        check.overallScore === null ? [] : store.visualChecks.history(check, HISTORY_LENGTH),
        findImages(id, check.result?.screenshots ?? []),
        findImages(since?.checkId ?? '', previous)
      ])
      const context = { images, history, previous: toPictures(previous, previousImages) }
      return {
        html: streamHtmlReport(toResponse(check, publicUrl()), context, files.stream),
        contentSecurityPolicy: REPORT_POLICY
      }
    },

    /** Adds the checks that the schedules of projects are due for. */
    addScheduled: schedule.addDue,

    /** Queues checks whose run died, and removes checks after the retention time. */
    async sweep(signal: AbortSignal): Promise<void> {
      const before = stale.before()
      const unfinished = readSweepPages((page) => store.visualChecks.unfinished(before, page), signal)
      for await (const check of unfinished) await enqueue(check)
      while (!signal.aborted) {
        const expired = await store.visualChecks.finishedBefore(isoTimeBefore(retentionMs), sweepBatchSize)
        for (const { accountId, id } of expired) {
          await generatedFiles.removeAll(getFolder(id))
          await store.visualChecks.delete(accountId, id)
        }
        if (expired.length < sweepBatchSize) return
      }
    }
  }
}
