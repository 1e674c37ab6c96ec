import type { Browser as Chromium } from 'playwright'
import type { Browser, InspectRequest, PageInspection, Screenshot } from '../port.ts'
import { CHECK_LIMITS, openEgressProxy, type ProxySession } from './egress-proxy/index.ts'
import { findChromium } from './find-chromium.ts'
import { findMissingScripts, scriptsIn } from './fonts.ts'
import { inspectViewport, type ViewportResult } from './inspect-viewport.ts'
import { launchChromium } from './launch.ts'
import { BrowserGoneError, openPool } from './pool/index.ts'
import { takeScreenshots } from './screenshots.ts'

/** For all viewports together, without the start of a browser. */
const INSPECTION_TIMEOUT_MS = 25_000

/**
 * Opens the browser: a pool of Chromium processes that are started on demand, and the egress proxy
 * that all their traffic passes. `allow` is OUTBOUND_ALLOW, `chromiumPath` is CHROMIUM_PATH.
 */
export async function openPlaywrightBrowser({
  chromiumPath,
  allow
}: {
  chromiumPath?: string
  allow: string
}): Promise<Browser> {
  const egressProxy = await openEgressProxy({ allow })
  const missingScripts = new WeakMap<Chromium, Promise<string[]>>()
  const pool = openPool({
    async launch() {
      const { executablePath } = await findChromium({ path: chromiumPath })
      return await launchChromium({ executablePath, proxyUrl: egressProxy.url })
    }
  })

  async function getMissingScripts(browser: Chromium): Promise<string[]> {
    if (!missingScripts.has(browser)) missingScripts.set(browser, findMissingScripts(browser))
    return await missingScripts.get(browser)!
  }

  async function inspect(
    browser: Chromium,
    { url, blog, viewports, screenshotDetail: detail, signal }: InspectRequest
  ): Promise<PageInspection> {
    const screenshots: Screenshot[] = []
    const [session, timeout] = [egressProxy.openSession(CHECK_LIMITS), AbortSignal.timeout(INSPECTION_TIMEOUT_MS)]
    const { username, password } = session
    const proxy = { server: egressProxy.url, bypass: '<-loopback>', username, password }
    const inspectOne = async (viewport: InspectRequest['viewports'][number]): Promise<ViewportResult> =>
      await inspectViewport(browser, {
        viewport,
        url,
        blog,
        proxy,
        isFirst: viewport === viewports.at(-1),
        signal: AbortSignal.any([signal, timeout]),
        onInspected: async (page) => {
          screenshots.push(...(await takeScreenshots(page, { viewport, detail })))
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
      const missing = await getMissingScripts(browser)
      const inspected = results.filter((result) => 'snapshot' in result)
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
        ...emptyInspection(browser.version()),
        outcome: 'timeout',
        reason: `The page could not be measured within ${INSPECTION_TIMEOUT_MS / 1000} seconds.`
      }
    } finally {
      session.revoke()
    }
  }

  return {
    async inspectPage(request) {
      try {
        return await pool.use(request.accountId, async (browser) => await inspect(browser, request), request.signal)
      } catch (error) {
        if (!(error instanceof BrowserGoneError) || error.reason === 'closed') throw error
        return {
          ...emptyInspection(''),
          outcome: error.reason === 'stuck' ? 'timeout' : 'crashed',
          reason: 'The browser ended during the inspection of the page.'
        }
      }
    },
    async close() {
      await pool.close()
      await egressProxy.close()
    }
  }
}

const emptyInspection = (chromium: string) => ({
  finalUrl: null,
  snapshots: [],
  screenshots: [],
  chromium,
  missingFonts: [],
  timings: {}
})

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
  if (first.isTimeout) {
    return { outcome: 'timeout', reason: 'The page did not respond in time.', finalUrl: null }
  }
  return {
    outcome: 'unreachable',
    reason: `The page could not be opened: ${first.failure.replace(/ at https?:.*$/, '')}.`,
    finalUrl: null
  }
}
