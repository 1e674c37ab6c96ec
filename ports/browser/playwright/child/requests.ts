import type { Page, Request } from 'playwright'
import type { RuntimeSnapshot } from '../../port/page-snapshot.ts'

/** The requests of a page. */
export interface Requests {
  failures: () => RuntimeSnapshot['failures']
  /** URLs that are still loading. */
  pending: () => string[]
  /**
   * How long the network has delayed the first rendering so far: milliseconds from the first request
   * to the end of the last document, style sheet or script. Infinity while one of these is loading.
   */
  waitMs: () => number
}

const MAX_FAILURES = 50
const MAX_PENDING = 10
const MAX_URL_LENGTH = 500
/** The resource types that block rendering. */
const RENDER_BLOCKING = /^(?:document|stylesheet|script)$/
const REFUSED_STYLESHEET = /^Refused to apply style from '([^']+)' because its MIME type \('([^']*)'\)/

/** Watches the requests of a page from now on. `pageHost` returns the host of the page. */
export function watchRequests(page: Page, pageHost: () => string): Requests {
  const open = new Set<Request>()
  const failed = new Map<string, { type: string; reason: string }>()
  const recordFailure = (request: Request, reason: string): void => {
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) return
    if (failed.size < MAX_FAILURES && !/\bfavicon\b/.test(request.url())) {
      failed.set(request.url(), { type: request.resourceType(), reason })
    }
  }
  const refusedStylesheets = new Set<string>()
  page.on('request', (request) => {
    if (!refusedStylesheets.has(request.url())) open.add(request)
  })
  let [firstMs, lastMs] = [Infinity, 0]
  page.on('requestfinished', (request) => {
    open.delete(request)
    if (!RENDER_BLOCKING.test(request.resourceType())) return
    const { startTime, responseEnd } = request.timing()
    firstMs = Math.min(firstMs, startTime)
    if (responseEnd > 0) lastMs = Math.max(lastMs, startTime + responseEnd)
  })
  page.on('requestfailed', (request) => {
    open.delete(request)
    const reason = request.failure()?.errorText ?? 'failed'
    if (reason !== 'net::ERR_ABORTED') recordFailure(request, reason)
  })
  page.on('response', (response) => {
    if (response.status() >= 400) recordFailure(response.request(), String(response.status()))
  })
  page.on('console', (message) => {
    const refused = message.type() === 'error' ? REFUSED_STYLESHEET.exec(message.text()) : null
    if (refused === null) return
    const [, url = '', type = ''] = refused
    if (failed.size < MAX_FAILURES) {
      failed.set(url, { type: 'stylesheet', reason: `the content type ${type} is not text/css` })
    }
    // Chromium may not report the end of this request, and may report its start only after this.
    refusedStylesheets.add(url)
    for (const request of open) if (request.url() === url) open.delete(request)
  })
  const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : '')
  return {
    waitMs: () =>
      [...open].some((request) => RENDER_BLOCKING.test(request.resourceType()))
        ? Infinity
        : Math.max(0, lastMs - firstMs),
    failures: () =>
      [...failed].map(([url, { type, reason }]) => ({
        url: url.slice(0, MAX_URL_LENGTH),
        type,
        reason,
        sameHost: hostOf(url) === pageHost()
      })),
    pending: () => [...open].map((request) => request.url().slice(0, MAX_URL_LENGTH)).slice(0, MAX_PENDING)
  }
}
