import { setTimeout as pause } from 'node:timers/promises'
import { StartError } from '../../../errors.ts'
import type { VisualCheck, VisualCheckInput } from '../../../schemas/visual-check.ts'
import { RequestError } from '../command.ts'
import { waitForCheck, type CheckClient } from './client.ts'
import { slugOf } from './sitemap.ts'

/** The service checks one page of an account at a time; a second one waits in the queue. */
const PARALLEL = 2
const RETRY_MS = 2_000
/** Other checks of the account, or of the service, end within this time. */
const MAX_RETRY_MS = 300_000
const RETRYABLE = ['too_many_unfinished_visual_checks', 'busy']
/** The page shows no published blog of the account, or another page of the site. */
const NO_BLOG = ['blog_not_found', 'blog_gone']

export interface SiteChecks {
  /** In the order of the sitemap. */
  checks: VisualCheck[]
  /** Pages that show no published blog. */
  skipped: string[]
  /** Pages that were not checked, because a limit was reached or a request failed. */
  unchecked: string[]
}

interface SiteOptions {
  project: string | undefined
  input: Omit<VisualCheckInput, 'url'>
  log: (line: string) => void
  /** Between two attempts to add a check. Default: 2 seconds. */
  retryMs?: number
}

/**
 * Checks all pages whose URL ends with the slug of a published blog, two at a time, and logs each
 * result. After a failed request, such as at the hourly limit, the other pages are left unchecked.
 * Throws that RequestError if no page was checked before, and a StartError if no page shows a blog.
 */
export async function checkSite(
  client: CheckClient,
  urls: readonly string[],
  { project, input, log, retryMs = RETRY_MS }: SiteOptions
): Promise<SiteChecks> {
  const found = new Map<string, VisualCheck>()
  const skipped: string[] = []
  let [next, done] = [0, 0]
  const failures: RequestError[] = []

  async function request(slug: string, url: string): Promise<VisualCheck | null> {
    const untilMs = performance.now() + MAX_RETRY_MS
    for (;;) {
      try {
        return await client.request({ slug, project }, { ...input, url })
      } catch (error) {
        if (!(error instanceof RequestError)) throw error
        const { code } = error.problem
        if (NO_BLOG.includes(code)) return null
        if (!RETRYABLE.includes(code) || performance.now() > untilMs) throw error
        await pause(retryMs)
      }
    }
  }

  async function work(): Promise<void> {
    while (next < urls.length && failures.length === 0) {
      const url = urls[next++]!
      const slug = slugOf(url)
      let requested: VisualCheck | null
      try {
        requested = slug === null ? null : await request(slug, url)
      } catch (error) {
        if (!(error instanceof RequestError)) throw error
        failures.push(error)
        return
      }
      if (requested === null) skipped.push(url)
      else found.set(url, await waitForCheck(client, requested, log))
      done += 1
      const check = found.get(url)
      const result = check === undefined ? 'no blog' : (check.overallScore ?? check.status)
      log(`[${done}/${urls.length}] ${String(result).padStart(7)}  ${url}`)
    }
  }

  const workers = await Promise.allSettled(Array.from({ length: PARALLEL }, work))
  for (const worker of workers) if (worker.status === 'rejected') throw worker.reason
  const other = new Set(skipped)
  const unchecked = urls.filter((url) => !found.has(url) && !other.has(url))
  const [error] = failures
  if (found.size === 0) {
    throw error ?? new StartError('No page of the sitemap ends with the slug of a published blog of the account.')
  }
  if (error !== undefined) log(error.message)
  return { checks: urls.flatMap((url) => found.get(url) ?? []), skipped, unchecked }
}
