import type { Page, Request } from 'playwright'
import type { RuntimeSnapshot } from '../port/page-snapshot.ts'

/** What the page asked for and what came of it. */
export interface Requests {
  failures: () => RuntimeSnapshot['failures']
  pending: () => string[]
  /**
   * For how long the network has kept the page from being drawn until now: milliseconds from the
   * first request to the end of the last document, style sheet or script; Infinity while one of
   * these is under way.
   */
  waitMs: () => number
}

const MOST = 50
/** What a browser waits for before it draws. */
const DRAWN_AFTER = /^(?:document|stylesheet|script)$/

/** Listens from now on; `ownHost` is where the page itself is. */
export function watchRequests(page: Page, ownHost: () => string): Requests {
  const open = new Set<Request>()
  const failed = new Map<string, { type: string; reason: string }>()
  const note = (request: Request, reason: string): void => {
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) return
    if (failed.size < MOST && !/\bfavicon\b/.test(request.url())) {
      failed.set(request.url(), { type: request.resourceType(), reason })
    }
  }
  const refusals = new Set<string>()
  page.on('request', (request) => {
    if (!refusals.has(request.url())) open.add(request)
  })
  let [firstMs, lastMs] = [Infinity, 0]
  page.on('requestfinished', (request) => {
    open.delete(request)
    if (!DRAWN_AFTER.test(request.resourceType())) return
    const { startTime, responseEnd } = request.timing()
    firstMs = Math.min(firstMs, startTime)
    if (responseEnd > 0) lastMs = Math.max(lastMs, startTime + responseEnd)
  })
  page.on('requestfailed', (request) => {
    open.delete(request)
    const reason = request.failure()?.errorText ?? 'failed'
    if (reason !== 'net::ERR_ABORTED') note(request, reason)
  })
  page.on('response', (response) => {
    if (response.status() >= 400) note(response.request(), String(response.status()))
  })
  page.on('console', (message) => {
    const refused =
      message.type() === 'error'
        ? /^Refused to apply style from '([^']+)' because its MIME type \('([^']*)'\)/.exec(message.text())
        : null
    if (refused === null) return
    const [, url = '', type = ''] = refused
    if (failed.size < MOST) failed.set(url, { type: 'stylesheet', reason: `${type} is no stylesheet` })
    // No end may ever be told of it, and its beginning may be told after this.
    refusals.add(url)
    for (const request of open) if (request.url() === url) open.delete(request)
  })
  const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : '')
  return {
    waitMs: () =>
      [...open].some((request) => DRAWN_AFTER.test(request.resourceType())) ? Infinity : Math.max(0, lastMs - firstMs),
    failures: () =>
      [...failed].map(([url, { type, reason }]) => ({
        url: url.slice(0, 500),
        type,
        reason,
        sameHost: hostOf(url) === ownHost()
      })),
    pending: () => [...open].map((request) => request.url().slice(0, 500)).slice(0, 10)
  }
}
