import { ApiError } from '../../errors.ts'
import type { Browser, PageInspection } from '../../ports/browser/port.ts'
import type { Queue } from '../../ports/queue/port.ts'
import type { Store, VisualCheckOutcome, VisualCheckRecord, VisualCheckResult } from '../../ports/store/port.ts'
import type { Blogs } from '../blogs/index.ts'
import { increment, type Counters } from '../counters.ts'
import type { GeneratedFiles } from '../generated-files.ts'
import type { ImageProcessor } from '../images/processor/index.ts'
import type { StaleClaims } from '../stale-claims.ts'
import { createCompletedEvent, getFailedOutcome, getScoredOutcome } from './check-outcome.ts'
import { checkPage } from './confirm.ts'
import { diffWithPrevious } from './diff.ts'
import type { Evaluation } from './evaluate.ts'
import { getExpectedPage } from './expected-page.ts'
import { getFileKey } from './screenshots/index.ts'
import { findSiteTexts } from './site-texts.ts'
import { toResponse } from './to-response.ts'

interface Dependencies {
  store: Store
  queue: Queue
  generatedFiles: GeneratedFiles
  browser: Browser
  imageProcessor: Pick<ImageProcessor, 'renderScreenshots'>
  blogs: Blogs
  counts: Counters
  publicUrl: () => string
  onFinished: (id: string) => void
}

interface RunOptions {
  /** Of runs. */
  stale: StaleClaims
  maxAttempts: number
}

/**
 * Runs checks. Running a check twice is harmless: only the run that began last can store its
 * result.
 */
export function createCheckRunner(
  { store, queue, generatedFiles, browser, imageProcessor, blogs, counts, publicUrl, onFinished }: Dependencies,
  { stale, maxAttempts }: RunOptions
) {
  async function storeScreenshots(
    { accountId, id, detail }: VisualCheckRecord,
    { screenshots }: PageInspection,
    { findings }: Evaluation
  ): Promise<VisualCheckResult['screenshots']> {
    const stored: VisualCheckResult['screenshots'] = []
    if (detail === 'none' || screenshots.length === 0) return stored
    const rendered = await imageProcessor.renderScreenshots({ screenshots, findings, detail })
    for (const { bytes, ...screenshot } of rendered) {
      await generatedFiles.put({ accountId, kind: 'screenshot', key: getFileKey(id, screenshot.name) }, bytes)
      stored.push(screenshot)
    }
    return stored
  }

  async function inspect(check: VisualCheckRecord, signal: AbortSignal): Promise<VisualCheckOutcome> {
    const { accountId, blogId, url, viewports, detail } = check
    const blog = await store.blogs.find(accountId, blogId)
    if (blog === null) return getFailedOutcome('The blog was deleted before the check started.')
    const expected = getExpectedPage(await blogs.toDraftResponse(blog), check)
    const { title, html, css, language } = expected
    const { evaluation, inspection } = await checkPage(
      browser,
      { url, accountId, blog: { title, html, css, language }, viewports, screenshotDetail: detail, signal },
      { expected, findSiteTexts: async () => await findSiteTexts(store, check) }
    )
    const screenshots = await storeScreenshots(check, inspection, evaluation)
    const previous = await store.visualChecks.findPrevious(check)
    const since = diffWithPrevious(previous === null ? null : toResponse(previous, publicUrl()), evaluation.findings)
    return getScoredOutcome(check, { evaluation, inspection }, { screenshots, since })
  }

  async function finish(check: VisualCheckRecord, outcome: VisualCheckOutcome): Promise<void> {
    const { accountId, id, attempts: attempt } = check
    const finished = await store.visualChecks.finish({ accountId, id, attempt }, outcome, [
      createCompletedEvent(check, outcome)
    ])
    if (finished === null) return
    increment(counts.visualChecks, outcome.status)
    onFinished(id)
    await queue.add('fan-out-events', { accountId }, { key: accountId })
  }

  /** Queues the check for another attempt, or fails it after the last one. */
  async function handleFailure(check: VisualCheckRecord, error: unknown, signal: AbortSignal): Promise<void> {
    const { accountId, id, attempts } = check
    if (attempts >= maxAttempts && !signal.aborted) {
      await finish(check, getFailedOutcome(getPublicReason(error)))
      return
    }
    await store.visualChecks.release({ accountId, id, attempt: attempts })
  }

  return {
    /** Fails a check that no worker has started. Does nothing if a worker starts it meanwhile. */
    async abandon({ accountId, id }: VisualCheckRecord, reason: string): Promise<void> {
      const at = new Date().toISOString()
      const check = await store.visualChecks.start({ accountId, id, at, staleBefore: '' })
      if (check !== null) await finish(check, getFailedOutcome(reason))
    },

    /**
     * Runs a check. Does nothing if the check is finished or running elsewhere. Throws the error of
     * a failed run: the check is then tried again, or has failed.
     */
    async run(accountId: string, id: string, signal: AbortSignal): Promise<void> {
      const nowMs = Date.now()
      const check = await store.visualChecks.start({
        accountId,
        id,
        at: new Date(nowMs).toISOString(),
        staleBefore: stale.before(nowMs)
      })
      if (check === null) return
      if (check.attempts > maxAttempts) {
        await finish(check, getFailedOutcome(`The check was interrupted ${maxAttempts} times.`))
        return
      }
      let outcome: VisualCheckOutcome
      try {
        outcome = await inspect(check, signal)
      } catch (error) {
        await handleFailure(check, error, signal)
        throw error
      }
      await finish(check, outcome)
    }
  }
}

/** Discloses the texts of API errors only: other errors may contain internal details. */
const getPublicReason = (error: unknown): string =>
  error instanceof ApiError ? error.message : 'The check failed because of an internal error.'
