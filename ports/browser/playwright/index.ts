import type { Browser as Chromium } from 'playwright'
import type { Browser, InspectRequest, Screenshot, PageInspection } from '../port.ts'
import { findChromium } from './find-chromium.ts'
import { findMissingScripts, scriptsIn } from './fonts.ts'
import { launchChromium } from './launch.ts'
import { takePictures } from './photographs.ts'
import { BrowserGone, openPool } from './pool.ts'
import { viewPage, type View } from './view.ts'
import { CHECK_LIMITS, openWayOut, type Pass } from './way-out/index.ts'

/** For all viewports together, the start of a browser not counted. */
const LONGEST_MS = 25_000

/**
 * Opens what looks at pages: a pool of Chromium processes that are started when there is something
 * to look at, and their only way out. `allow` is OUTBOUND_ALLOW, `chromiumPath` CHROMIUM_PATH.
 */
export async function openPlaywrightBrowser({
  chromiumPath,
  allow
}: {
  chromiumPath?: string
  allow: string
}): Promise<Browser> {
  const wayOut = await openWayOut({ allow })
  const missing = new WeakMap<Chromium, Promise<string[]>>()
  const pool = openPool({
    async launch() {
      const { executablePath } = await findChromium({ path: chromiumPath })
      return await launchChromium({ executablePath, proxyUrl: wayOut.url })
    }
  })

  async function missingScripts(browser: Chromium): Promise<string[]> {
    if (!missing.has(browser)) missing.set(browser, findMissingScripts(browser))
    return await missing.get(browser)!
  }

  async function see(
    browser: Chromium,
    { url, blog, viewports, screenshotDetail: detail, signal }: InspectRequest
  ): Promise<PageInspection> {
    const screenshots: Screenshot[] = []
    const [pass, limit] = [wayOut.admit(CHECK_LIMITS), AbortSignal.timeout(LONGEST_MS)]
    const proxy = { server: wayOut.url, bypass: '<-loopback>', username: pass.username, password: pass.password }
    const view = async (viewport: InspectRequest['viewports'][number]): Promise<View> =>
      await viewPage(browser, {
        viewport,
        url,
        blog,
        proxy,
        isFirst: viewport === viewports.at(-1),
        signal: AbortSignal.any([signal, limit]),
        photograph: async (page) => {
          screenshots.push(...(await takePictures(page, { viewport, detail })))
        }
      })
    try {
      const views = await Promise.all(viewports.map(view))
      // Where one viewport saw the page, another that did not met a trouble of the moment.
      for (const [index, one] of views.entries()) {
        if ('failure' in one && one.mark !== 'refused' && views.some((other) => 'snapshot' in other)) {
          views[index] = await view(viewports[index]!)
        }
      }
      const scripts = await missingScripts(browser)
      const seen = views.filter((one) => 'snapshot' in one)
      return {
        ...(seen.length === views.length
          ? { outcome: 'inspected' as const, reason: null, finalUrl: seen[0]!.snapshot.runtime.finalUrl }
          : whyNot(views, pass)),
        snapshots: seen.map(({ snapshot }) => snapshot),
        screenshots,
        chromium: browser.version(),
        missingFonts: scriptsIn(blog.html.replace(/<[^>]*>/g, ' ')).filter((script) => scripts.includes(script)),
        timings: Object.fromEntries(views.map(({ timings }, index) => [viewports[index]!, timings]))
      }
    } catch (error) {
      if (!limit.aborted || signal.aborted) throw error
      return {
        ...nothing(browser.version()),
        outcome: 'timeout',
        reason: `The page could not be measured within ${LONGEST_MS / 1000} seconds.`
      }
    } finally {
      pass.revoke()
    }
  }

  return {
    async inspectPage(request) {
      try {
        return await pool.use(request.accountId, async (browser) => await see(browser, request), request.signal)
      } catch (error) {
        if (!(error instanceof BrowserGone) || error.why === 'closed') throw error
        return {
          ...nothing(''),
          outcome: error.why === 'stuck' ? 'timeout' : 'crashed',
          reason: 'The browser ended while it looked at the page.'
        }
      }
    },
    async close() {
      await pool.close()
      await wayOut.close()
    }
  }
}

const nothing = (chromium: string) => ({
  finalUrl: null,
  snapshots: [],
  screenshots: [],
  chromium,
  missingFonts: [],
  timings: {}
})

/** Why the page was not seen; the same words whatever stands behind what is not reached. */
function whyNot(views: View[], pass: Pass): Pick<PageInspection, 'outcome' | 'reason' | 'finalUrl'> {
  const failures = views.filter((view) => 'failure' in view)
  const isRefused =
    failures.some(({ mark }) => mark === 'refused') ||
    (pass.refused().length > 0 && failures.every(({ failure }) => /TUNNEL/.test(failure)))
  if (isRefused) {
    return { outcome: 'blocked', reason: 'The address, or one that it led to, may not be reached.', finalUrl: null }
  }
  const failed = failures[0]!
  if (failed.isTimeout) {
    return { outcome: 'timeout', reason: 'The page did not begin to answer in time.', finalUrl: null }
  }
  return {
    outcome: 'unreachable',
    reason: `The page could not be opened: ${failed.failure.replace(/ at https?:.*$/, '')}.`,
    finalUrl: null
  }
}
