import { ApiError } from '../../errors.ts'
import type { Browser } from '../../ports/browser/port.ts'
import type { Files } from '../../ports/files/port.ts'
import type { Queue } from '../../ports/queue/port.ts'
import type { Store, VisualCheckOutcome, VisualCheckRecord, VisualCheckResult } from '../../ports/store/port.ts'
import type { Blogs } from '../blogs/index.ts'
import { increment, type Counters } from '../counters.ts'
import { pictureKey } from './check-files.ts'
import { completedEvent } from './completed-event.ts'
import { expectedOf } from './expected.ts'
import { drawPictures } from './pictures/index.ts'
import { shownCheck } from './shown.ts'
import { sinceOf } from './since.ts'
import { judgedEnd, reachVerdict, unseenEnd, type Verdict } from './verdict.ts'

/** So often somebody begins to work on a check, whoever ends in the middle. */
const MOST_ATTEMPTS = 3
/** Longer than the job of a run may take: whoever began before that is gone. */
export const STALE_MS = 120_000

interface Parts {
  store: Store
  queue: Queue
  files: Files
  browser: Browser
  blogs: Blogs
  counts: Counters
  publicUrl: () => string
  ended: (id: string) => void
}
type Judged = Extract<Verdict, { judged: object }>

/**
 * Works checks off. Twice is harmless: whoever did not begin the run that goes on has nothing to
 * say.
 */
export function createCheckRunning({ store, queue, files, browser, blogs, counts, publicUrl, ended }: Parts) {
  const now = () => new Date().toISOString()
  const failed = (reason: string): VisualCheckOutcome => ({
    status: 'failed',
    overallScore: null,
    reason,
    finalUrl: null,
    result: null,
    finishedAt: now()
  })

  async function keepPictures(
    { id, detail }: VisualCheckRecord,
    { judged: { findings }, sighting: { screenshots: pictures } }: Judged
  ): Promise<VisualCheckResult['screenshots']> {
    const screenshots: VisualCheckResult['screenshots'] = []
    for await (const { bytes, name, kind, viewport, finding, width, height } of drawPictures({
      pictures,
      findings,
      detail
    })) {
      await files.put(pictureKey(id, name), bytes)
      screenshots.push({ name, kind, viewport, finding, width, height })
    }
    return screenshots
  }

  async function work(check: VisualCheckRecord, signal: AbortSignal): Promise<VisualCheckOutcome> {
    const { accountId, blogId, url, viewports, detail } = check
    const blog = await store.blogs.find(accountId, blogId)
    if (blog === null) return failed('The blog was deleted meanwhile.')
    const expected = expectedOf(await blogs.toDraftResponse(blog), check)
    const { title, html, css, language } = expected
    const verdict = await reachVerdict(
      browser,
      { url, accountId, blog: { title, html, css, language }, viewports, screenshotDetail: detail, signal },
      expected
    )
    if (verdict.judged === null) return unseenEnd(verdict.sighting, now())
    const screenshots = await keepPictures(check, verdict)
    const previous = await store.visualChecks.findPrevious(check)
    const since = sinceOf(previous === null ? null : shownCheck(previous, publicUrl()), verdict.judged.findings)
    return judgedEnd(check, verdict, { screenshots, since, finishedAt: now() })
  }

  async function finish(check: VisualCheckRecord, end: VisualCheckOutcome): Promise<void> {
    const { accountId, id, attempts } = check
    if (
      (await store.visualChecks.finish({ accountId, id, attempt: attempts }, end, [completedEvent(check, end)])) ===
      null
    ) {
      return
    }
    increment(counts.visualChecks, end.status)
    ended(id)
    await queue.add('fan-out-events', { accountId }, { key: accountId })
  }

  /** After a run that failed: the check waits for the next one, or has failed with the last. */
  async function afterFailure(check: VisualCheckRecord, error: unknown, signal: AbortSignal): Promise<void> {
    const { accountId, id, attempts } = check
    if (attempts >= MOST_ATTEMPTS && !signal.aborted) return await finish(check, failed(reasonOf(error)))
    await store.visualChecks.release({ accountId, id, attempt: attempts })
  }

  return {
    /**
     * Works a check off. Harmless when it has ended, or somebody else works on it. Throws what made
     * the run fail; the check is then tried again, or has failed.
     */
    async run(accountId: string, id: string, signal: AbortSignal): Promise<void> {
      const atMs = Date.now()
      const check = await store.visualChecks.start({
        accountId,
        id,
        at: new Date(atMs).toISOString(),
        staleBefore: new Date(atMs - STALE_MS).toISOString()
      })
      if (check === null) return
      if (check.attempts > MOST_ATTEMPTS) {
        return await finish(check, failed(`The check was broken off ${MOST_ATTEMPTS} times.`))
      }
      let end: VisualCheckOutcome
      try {
        end = await work(check, signal)
      } catch (error) {
        await afterFailure(check, error, signal)
        throw error
      }
      await finish(check, end)
    }
  }
}

/**
 * What a customer may know of an error: what we refused in words of our own, and nothing of the
 * inside.
 */
const reasonOf = (error: unknown): string =>
  error instanceof ApiError ? error.message : 'The check could not be carried out, for a reason that is ours.'
