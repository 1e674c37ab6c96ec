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
import { newId } from '../ids.ts'
import { checkFolder, pictureKey } from './check-files.ts'
import { createCheckLimits } from './check-limits.ts'
import { pageAddress } from './page-address.ts'
import { createCheckRunning, STALE_MS } from './running.ts'
import { shownCheck, shownSummary } from './shown.ts'

export type VisualChecks = ReturnType<typeof createVisualChecks>
/** Which picture of which check of which blog. */
export interface PicturePlace {
  blogId: string
  checkId: string
  name: string
}

/** How often a request that waits looks whether another process has ended its check. */
const LOOK_MS = 500
const SWEEP_PORTION = 100
/** For how long ended checks and their pictures are kept. */
const KEPT_MS = 30 * 24 * 3_600_000

interface Parts {
  store: Store
  queue: Queue
  files: Files
  limits: Limits
  browser: Browser
  outbound: Outbound
  blogs: Blogs
  counts: Counters
  checksPerHour: number
  publicUrl: () => string /** Default half a second. */
  lookMs?: number
}

/**
 * A published blog is looked at in its page: asked for, queued, looked at in the background, and
 * kept for a while.
 */
export function createVisualChecks(parts: Parts) {
  const { store, queue, files, outbound, blogs, publicUrl, lookMs = LOOK_MS } = parts
  const finished = new KeyedSignals()
  const running = createCheckRunning({ ...parts, ended: (id) => finished.notify(id) })
  const admission = createCheckLimits(parts)
  const start = ({ accountId, id }: { accountId: string; id: string }) =>
    queue.add('run-visual-check', { accountId, checkId: id }, { key: id })

  async function read(reader: ReadScope, blogId: string, id: string): Promise<VisualCheckRecord> {
    await blogs.get(reader, blogId)
    const check = await store.visualChecks.find(reader.accountId, id)
    if (check?.blogId !== blogId)
      throw problem('visual_check_not_found', `There is no visual check ${id} of this blog.`)
    return check
  }

  return {
    read,
    run: running.run,
    shown: (check: VisualCheckRecord): VisualCheck => shownCheck(check, publicUrl()),

    /**
     * Writes a check down and queues it. Throws `blog_not_found`, also for one that is not
     * published, `blog_gone`, `url_not_allowed`, `too_many_visual_checks`, and `busy` where it
     * would wait too long.
     */
    async request(
      reader: ReadScope,
      blogId: string,
      { url, viewports, environment = 'live', screenshots = 'thumbs' }: VisualCheckInput
    ): Promise<VisualCheckRecord> {
      const { projectId, status } = await blogs.get(reader, blogId)
      if (status !== 'published') throw problem('blog_not_found', `The blog ${blogId} is not published.`)
      const check: VisualCheckRecord = {
        id: newId(),
        accountId: reader.accountId,
        projectId,
        blogId,
        url: pageAddress(url, outbound),
        finalUrl: null,
        environment,
        // In our own order, so that the same question is the same check.
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
      await admission.add(check)
      await start(check)
      return check
    },

    /** The check when it has ended, or as it is after `ms` milliseconds. */
    async wait({ accountId, id }: Pick<VisualCheckRecord, 'accountId' | 'id'>, ms: number): Promise<VisualCheckRecord> {
      const untilMs = performance.now() + ms
      const subscription = finished.subscribe(id)
      try {
        for (;;) {
          const check = await store.visualChecks.find(accountId, id)
          if (check === null) throw problem('visual_check_not_found', `The visual check ${id} was removed.`)
          const leftMs = untilMs - performance.now()
          if (check.finishedAt !== null || leftMs <= 0) return check
          await subscription.wait(Math.min(leftMs, lookMs))
        }
      } finally {
        subscription.close()
      }
    },

    /** The newest first. */
    async list(reader: ReadScope, blogId: string, { page, pageSize }: Page): Promise<VisualCheckList> {
      await blogs.get(reader, blogId)
      const { checks, totalCount } = await store.visualChecks.list(
        { accountId: reader.accountId, blogId },
        { page, pageSize }
      )
      return { visualChecks: checks.map(shownSummary), totalCount, page, totalPages: Math.ceil(totalCount / pageSize) }
    },

    /**
     * The bytes of a picture, WebP. Throws `screenshot_not_found`, also after the time for which
     * they are kept.
     */
    async picture(reader: ReadScope, { blogId, checkId, name }: PicturePlace): Promise<Buffer> {
      const { result } = await read(reader, blogId, checkId)
      const known = result?.screenshots.some((screenshot) => screenshot.name === name) ?? false
      const bytes = known ? await files.read(pictureKey(checkId, name)) : null
      if (bytes === null) throw problem('screenshot_not_found', `The visual check has no picture "${name}".`)
      return bytes
    },

    /** Queues what was left behind, and forgets what is old. */
    async sweep(signal: AbortSignal): Promise<void> {
      for (const left of await store.visualChecks.unfinished(
        new Date(Date.now() - STALE_MS).toISOString(),
        SWEEP_PORTION
      )) {
        await start(left)
      }
      while (!signal.aborted) {
        const old = await store.visualChecks.finishedBefore(new Date(Date.now() - KEPT_MS).toISOString(), SWEEP_PORTION)
        for (const { accountId, id } of old) {
          await files.removeAll(checkFolder(id))
          await store.visualChecks.delete(accountId, id)
        }
        if (old.length < SWEEP_PORTION) return
      }
    }
  }
}
