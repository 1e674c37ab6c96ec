import type { Browser, BrowserContext, BrowserContextOptions, Page, Response } from 'playwright'
import { performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import type { ViewportName } from '../../../schemas/visual-check.ts'
import type { ExpectedBlog } from '../port.ts'
import type { RuntimeSnapshot, ViewportSnapshot } from '../port/page-snapshot.ts'
import { runAxe } from './axe.ts'
import { PROXY_ERROR_HEADER } from './egress-proxy/replies.ts'
import { compareImages } from './image-similarity.ts'
import { openIsolatedWorld } from './isolated-world.ts'
import { startVirtualTime, waitUntilSettled } from './page-load.ts'
import { measurePixels } from './pixel-checks.ts'
import { watchRequests } from './requests.ts'

/** The real time in which a page loads and settles. After it, the page is measured as it is. */
const LOAD_TIMEOUT_MS = 9_000
const NAVIGATION_TIMEOUT_MS = 11_000
const IMAGE_TIMEOUT_MS = 4_000
const MAX_SCROLL_PX = 30_000

export const VIEWPORTS: Record<ViewportName, BrowserContextOptions & { viewport: { width: number; height: number } }> =
  {
    mobile: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, deviceScaleFactor: 1 },
    desktop: { viewport: { width: 1366, height: 900 }, isMobile: false, deviceScaleFactor: 1 }
  }

export interface InspectViewportOptions {
  viewport: ViewportName
  url: string
  blog: ExpectedBlog
  /** The egress proxy with the credentials of the session. */
  proxy?: BrowserContextOptions['proxy']
  /** Whether this viewport measures what is the same in all viewports: axe, og:image, image pixels. */
  isFirst: boolean
  signal: AbortSignal
  /** Called with the measured page, to take screenshots. */
  onInspected?: (page: Page, viewport: ViewportName) => Promise<void>
}

/** A snapshot, or why the page did not load. */
export type ViewportResult =
  | { snapshot: ViewportSnapshot; timings: Record<string, number> }
  | {
      failure: string
      /** The error code of the egress proxy, if the proxy answered instead of the site. */
      proxyError: string | null
      isTimeout: boolean
      timings: Record<string, number>
    }

/** Opens the page in a new browser context and measures it. Throws if the browser has ended. */
export async function inspectViewport(browser: Browser, options: InspectViewportOptions): Promise<ViewportResult> {
  const { viewport, blog, signal } = options
  signal.throwIfAborted()
  const context = await browser.newContext({
    ...VIEWPORTS[viewport],
    ...(options.proxy === undefined ? {} : { proxy: options.proxy }),
    locale: blog.language,
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
    colorScheme: 'light',
    serviceWorkers: 'block',
    acceptDownloads: false,
    permissions: []
  })
  const close = (): void => {
    context.close().catch(() => {}) // It may be closed already. Pending calls on it reject.
  }
  signal.addEventListener('abort', close, { once: true })
  try {
    return await inspect(context, options)
  } finally {
    signal.removeEventListener('abort', close)
    await context.close().catch(() => {}) // The browser has ended, which its pool notices.
  }
}

async function inspect(
  context: BrowserContext,
  { viewport, url, blog, isFirst, onInspected }: InspectViewportOptions
): Promise<ViewportResult> {
  const { lap, timings } = createStopwatch()
  const page = await context.newPage()
  const requests = watchRequests(page, () => (URL.canParse(page.url()) ? new URL(page.url()).host : ''))
  const { dialogs, exceptions } = watchScripts(page)
  const cdp = await context.newCDPSession(page)
  const time = await startVirtualTime(cdp)
  lap('context')

  const startedMs = performance.now()
  const navigation = await page.goto(url, { waitUntil: 'commit', timeout: NAVIGATION_TIMEOUT_MS }).then(
    (response) => ({ response }),
    (error: Error) => ({ error })
  )
  if ('error' in navigation || navigation.response === null) {
    const message = 'error' in navigation ? navigation.error.message.split('\n')[0]! : 'No response'
    const isTimeout = /Timeout/.test(message)
    return { failure: message.replace(/^page\.goto: /, ''), proxyError: null, isTimeout, timings }
  }
  const { response } = navigation
  const proxyError = response.headers()[PROXY_ERROR_HEADER]
  if (proxyError !== undefined) {
    return { failure: 'No server answered', proxyError, isTimeout: response.status() === 504, timings }
  }
  const responseMs = performance.now() - startedMs
  lap('response')
  const untilMs = performance.now() + LOAD_TIMEOUT_MS
  const load = await waitUntilSettled({ cdp, requests, time, startedMs, untilMs, html: blog.html })
  lap('load')
  await time.release()
  // If scrolling fails, the page is measured as it is.
  const scrolled = openIsolatedWorld(cdp)
    .then((world) => world.call('scrollThrough', MAX_SCROLL_PX))
    .catch(() => {})
  await Promise.race([scrolled, wait(Math.max(300, untilMs - performance.now()), undefined, { ref: false })])
  for (let chunk = 0; chunk < 4 && performance.now() < untilMs; chunk++) await time.advance(1_200)
  await time.release()
  const world = await openIsolatedWorld(cdp)
  await world.run("scrollTo({ top: 0, left: 0, behavior: 'instant' })")
  lap('scroll')

  const captured = await world.call('capturePage', { title: blog.title, html: blog.html, css: blog.css })
  lap('measure')
  const axe = isFirst && captured.article !== null ? await runAxe(world) : []
  const ogImage = captured.document.metas.find(({ key }) => key === 'og:image')?.content
  const ogImageLoads =
    isFirst && ogImage !== undefined ? await loadsImage(context, { address: ogImage, base: page.url() }) : null
  const images = isFirst ? await compareImages(context, { ...captured, base: page.url() }) : captured.images
  lap('axe')
  await onInspected?.(page, viewport)
  lap('screenshots')
  // After the screenshots, which must not show the changes that this makes to the page.
  const blocks = await measurePixels(captured.blocks, captured.pixelChecks, { cdp, world })
  if (captured.pixelChecks.length > 0) lap('pixels')
  const { fonts, document, pixelChecks, ...snapshot } = captured
  const total = fonts.reduce((sum, { characters }) => sum + characters, 0) || 1
  return {
    timings,
    snapshot: {
      viewport,
      ...VIEWPORTS[viewport].viewport,
      ...snapshot,
      blocks,
      images,
      document: { ...document, ogImageLoads, metas: [...document.metas, ...robotsHeaderOf(response)] },
      layoutShift: load.layoutShift,
      lateFonts: fonts
        .filter(({ family }) => load.lateFonts.includes(family))
        .map(({ family, characters }) => ({ family, share: characters / total })),
      axe,
      runtime: {
        status: response.status(),
        finalUrl: page.url(),
        redirects: redirectsOf(response),
        exceptions,
        failures: requests.failures(),
        dialogs,
        pending: requests.pending(),
        responseMs: inHalfSeconds(responseMs),
        firstContentMs: load.firstContentMs === null ? null : inHalfSeconds(load.firstContentMs)
      }
    }
  }
}

/** Collects dialogs and exceptions, and dismisses what would block the page. */
function watchScripts(page: Page): Pick<RuntimeSnapshot, 'dialogs' | 'exceptions'> {
  const dialogs: string[] = []
  const exceptions: RuntimeSnapshot['exceptions'] = []
  page.on('dialog', (dialog) => {
    if (dialogs.length < 10) dialogs.push(`${dialog.type()}: ${dialog.message().slice(0, 200)}`)
    dialog.dismiss().catch(() => {}) // The page may be closed.
  })
  page.on('popup', (popup) => {
    popup.close().catch(() => {}) // It may have closed itself.
  })
  page.on('pageerror', (error) => {
    if (exceptions.length < 20) exceptions.push({ message: error.message.slice(0, 300), source: sourceOf(error.stack) })
  })
  return { dialogs, exceptions }
}

/** Whether an address returns an image, fetched through the same proxy. */
async function loadsImage(
  context: BrowserContext,
  { address, base }: { address: string; base: string }
): Promise<boolean> {
  if (!URL.canParse(address, base)) return false
  const response = await context.request
    .get(new URL(address, base).href, { timeout: IMAGE_TIMEOUT_MS, maxRedirects: 3 })
    .catch(() => null) // It does not load, whatever the reason.
  return response !== null && response.ok() && /^image\//.test(response.headers()['content-type'] ?? '')
}

/** The X-Robots-Tag header, in the form of a meta element. */
function robotsHeaderOf(response: Response): { key: string; content: string }[] {
  const robots = response.headers()['x-robots-tag']
  return robots === undefined ? [] : [{ key: 'x-robots-tag', content: robots.slice(0, 1_000) }]
}

function redirectsOf(response: Response): string[] {
  const addresses: string[] = []
  for (let request = response.request().redirectedFrom(); request !== null; request = request.redirectedFrom()) {
    addresses.unshift(request.url())
  }
  return addresses
}

const sourceOf = (stack: string | undefined): string | null =>
  /(https?:\/\/[^\s)]+)/.exec(stack ?? '')?.[1]?.slice(0, 300) ?? null
const inHalfSeconds = (ms: number): number => Math.round(ms / 500) * 500

/** Records the milliseconds of each step. */
function createStopwatch() {
  const timings: Record<string, number> = {}
  let last = performance.now()
  return {
    timings,
    lap(name: string): void {
      const now = performance.now()
      timings[name] = Math.round(now - last)
      last = now
    }
  }
}
