import type { Browser as Chromium } from 'playwright'
import { performance } from 'node:perf_hooks'
import type { PageInspection, Screenshot } from '../../port.ts'
import type { ChildRequest } from '../process/messages.ts'
import { CHECK_LIMITS, type EgressProxy, type ProxySession } from './egress-proxy/index.ts'
import { findMissingScripts, scriptsIn } from './fonts.ts'
import { inspectViewport, KEEPS_NAVIGATING, type ViewportResult } from './inspect-viewport.ts'
import { takeScreenshots } from './screenshots.ts'

/** For all viewports together, without the start of a browser. */
const INSPECTION_TIMEOUT_MS = 25_000
/** The last part of it, in which contexts close. */
const CLOSING_MS = 1_500
/** Of each viewport. */
const MAX_REFERENCES = 3

/** Inspects a page. Rejects with a RendererCrashedError, and with the reason of `signal`. */
export type InspectPage = (request: ChildRequest, signal: AbortSignal) => Promise<PageInspection>

/** Creates the function that inspects pages in a browser whose traffic passes the egress proxy. */
export function createPageInspector(browser: Chromium, egressProxy: EgressProxy): InspectPage {
  let missingScripts: Promise<string[]> | null = null

  return async ({ url, blog, viewports, screenshotDetail: detail }, signal) => {
    const screenshots: Screenshot[] = []
    const untilMs = performance.now() + INSPECTION_TIMEOUT_MS - CLOSING_MS
    const [session, timeout] = [egressProxy.openSession(CHECK_LIMITS), AbortSignal.timeout(INSPECTION_TIMEOUT_MS)]
    const { username, password } = session
    const proxy = { server: egressProxy.url, username, password }
    const inspectOne = async (viewport: ChildRequest['viewports'][number]): Promise<ViewportResult> =>
      await inspectViewport(browser, {
        viewport,
        url,
        blog,
        proxy,
        isFirst: viewport === viewports.at(-1),
        maxReferences: detail === 'full' ? MAX_REFERENCES : 0,
        untilMs,
        signal: AbortSignal.any([signal, timeout]),
        onInspected: async (page, world) => {
          screenshots.push(...(await takeScreenshots(page, { viewport, detail, world })))
        }
      })
    try {
      const results = await Promise.all(viewports.map(inspectOne))
      // If the page loaded in one viewport, a failure in another is likely temporary: retry it.
      for (const [index, result] of results.entries()) {
        if ('failure' in result && result.proxyError !== 'refused' && results.some((other) => 'snapshot' in other)) {
          results[index] = await inspectOne(viewports[index]!)
        }
      }
      missingScripts ??= findMissingScripts(browser)
      const missing = await missingScripts
      const inspected = results.filter((result) => 'snapshot' in result)
      for (const { snapshot, references } of inspected) {
        const { viewport } = snapshot
        screenshots.push(...references.map((one): Screenshot => ({ viewport, kind: 'reference', scale: 1, ...one })))
      }
      return {
        ...(inspected.length === results.length
          ? { outcome: 'inspected' as const, reason: null, finalUrl: inspected[0]!.snapshot.runtime.finalUrl }
          : explainFailure(results, session)),
        snapshots: inspected.map(({ snapshot }) => snapshot),
        screenshots,
        chromium: browser.version(),
        missingFonts: scriptsIn(blog.html.replace(/<[^<>]*>/g, ' ')).filter((script) => missing.includes(script)),
        timings: Object.fromEntries(results.map(({ timings }, index) => [viewports[index]!, timings]))
      }
    } catch (error) {
      if (!timeout.aborted || signal.aborted) throw error
      return {
        outcome: 'timeout',
        reason: `The page could not be measured within ${INSPECTION_TIMEOUT_MS / 1000} seconds.`,
        finalUrl: null,
        snapshots: [],
        screenshots: [],
        chromium: browser.version(),
        missingFonts: [],
        timings: {}
      }
    } finally {
      session.revoke()
    }
  }
}

/** Why the page did not load. The text is the same for all blocked addresses. */
function explainFailure(
  results: ViewportResult[],
  session: ProxySession
): Pick<PageInspection, 'outcome' | 'reason' | 'finalUrl'> {
  const failures = results.filter((result) => 'failure' in result)
  const isBlocked =
    failures.some(({ proxyError }) => proxyError === 'refused') ||
    (session.refused().length > 0 && failures.every(({ failure }) => /TUNNEL/.test(failure)))
  if (isBlocked) {
    return {
      outcome: 'blocked',
      reason: 'The address, or one that it redirects to, is not allowed.',
      finalUrl: null
    }
  }
  const first = failures[0]!
  if (first.failure === KEEPS_NAVIGATING) {
    return { outcome: 'reloading', reason: 'The page reloads again and again.', finalUrl: null }
  }
  if (first.isTimeout) return { outcome: 'timeout', reason: 'The page did not respond in time.', finalUrl: null }
  if (first.failure.includes('ERR_TOO_MANY_REDIRECTS')) {
    return { outcome: 'redirecting', reason: 'The page redirects too many times.', finalUrl: null }
  }
  return {
    outcome: 'unreachable',
    reason: `The page could not be opened: ${first.failure.replace(/ at https?:.*$/, '')}.`,
    finalUrl: null
  }
}
