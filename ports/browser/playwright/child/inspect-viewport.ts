import type { Browser, BrowserContext, BrowserContextOptions, CDPSession, Page, Response } from 'playwright'
import { performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import type { ViewportName } from '../../../../schemas/visual-check.ts'
import type { ExpectedBlog } from '../../port.ts'
import type { RuntimeSnapshot, ViewportSnapshot } from '../../port/page-snapshot.ts'
import { runAxe } from './axe.ts'
import { PROXY_ERROR_HEADER } from './egress-proxy/replies.ts'
import type { ReferenceCrop } from './close-look.ts'
import { createImageRequests, type ProxyCredentials } from './fetch-image.ts'
import { compareImages } from './image-similarity.ts'
import { type IsolatedWorld, openIsolatedWorld } from './isolated-world.ts'
import { isNavigationError, watchNavigations } from './navigations.ts'
import { scrollThrough, startVirtualTime, type VirtualTime, waitUntilSettled } from './page-load.ts'
import type { capturePage } from './page/capture.ts'
import { measurePixels } from './pixel-checks.ts'
import { compareWithReference, MAX_PICTURES } from './reference-rendering.ts'
import { watchRequests } from './requests.ts'
import type { EmulatedViewport } from './tall-viewport.ts'

/** The real time in which a page loads and settles. After it, the page is measured as it is. */
const LOAD_TIMEOUT_MS = 9_000
const NAVIGATION_TIMEOUT_MS = 11_000
/** A page that has loaded itself again is watched for this much longer, by its own clock: it may go on slowly. */
const RELOAD_WATCH_MS = 10_000
/** A document that replaces another one during the measurement is given this time to load. */
const RELOAD_TIMEOUT_MS = 2_000
const MAX_MEASUREMENTS = 3
const MAX_URL_LENGTH = 8_000
/** The failure of a page that navigates during each measurement. */
export const KEEPS_NAVIGATING = 'The page kept navigating'
/** Of a snapshot: what an ordinary page has, and several times the text of the blog. */
const MIN_SNAPSHOT_SIZE = 2_000_000
const SNAPSHOT_SIZE_PER_CHARACTER = 4

type CapturedPage = Awaited<ReturnType<typeof capturePage>>

export const VIEWPORTS: Record<ViewportName, BrowserContextOptions & { viewport: { width: number; height: number } }> =
  {
    mobile: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, deviceScaleFactor: 1 },
    desktop: { viewport: { width: 1366, height: 900 }, isMobile: false, deviceScaleFactor: 1 }
  }

const emulatedViewport = (name: ViewportName): EmulatedViewport => {
  const { viewport, isMobile = false } = VIEWPORTS[name]
  return { ...viewport, isMobile }
}

export interface InspectViewportOptions {
  viewport: ViewportName
  url: string
  blog: ExpectedBlog
  /** The egress proxy with the credentials of the session. */
  proxy?: ProxyCredentials
  /** Whether this viewport measures what is the same in all viewports: axe, og:image, image pixels. */
  isFirst: boolean
  /** The number of blocks that look different whose reference is returned. Default: 0. */
  maxReferences?: number
  /** When the snapshot must be complete (`performance.now()`). Default: never. */
  untilMs?: number
  signal: AbortSignal
  /** Called with the measured page, to take screenshots. */
  onInspected?: (page: Page, world: IsolatedWorld) => Promise<void>
}

/** A snapshot, or why the page did not load. */
export type ViewportResult =
  | { snapshot: ViewportSnapshot; references: ReferenceCrop[]; timings: Record<string, number> }
  | {
      failure: string
      /** The error code of the egress proxy, if the proxy answered instead of the site. */
      proxyError: string | null
      isTimeout: boolean
      timings: Record<string, number>
    }

/** The page made its renderer process end. */
export class RendererCrashedError extends Error {
  override readonly name = 'RendererCrashedError'
}

/**
 * Opens the page in a new browser context and measures it. Throws if the browser has ended, and a
 * RendererCrashedError or PageTooLargeError.
 */
export async function inspectViewport(browser: Browser, options: InspectViewportOptions): Promise<ViewportResult> {
  const { viewport, blog, signal } = options
  signal.throwIfAborted()
  const context = await browser.newContext({
    ...VIEWPORTS[viewport],
    ...(options.proxy === undefined ? {} : { proxy: { ...options.proxy, bypass: '<-loopback>' } }),
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

async function inspect(context: BrowserContext, options: InspectViewportOptions): Promise<ViewportResult> {
  const stopwatch = createStopwatch()
  const page = await context.newPage()
  const crash = Promise.withResolvers<never>()
  page.once('crash', () => crash.reject(new RendererCrashedError('The page crashed its renderer.')))
  const cdp = await context.newCDPSession(page)
  const time = await startVirtualTime(cdp)
  try {
    return await Promise.race([crash.promise, inspectPage({ context, page, cdp, time, stopwatch }, options)])
  } finally {
    time.stop()
  }
}

interface OpenPage {
  context: BrowserContext
  page: Page
  cdp: CDPSession
  time: VirtualTime
  stopwatch: ReturnType<typeof createStopwatch>
}

async function inspectPage(
  { context, page, cdp, time, stopwatch: { lap, timings } }: OpenPage,
  {
    viewport,
    url,
    blog,
    isFirst,
    proxy,
    maxReferences = 0,
    untilMs: endMs = Infinity,
    onInspected
  }: InspectViewportOptions
): Promise<ViewportResult> {
  const requests = watchRequests(page, () => (URL.canParse(page.url()) ? new URL(page.url()).host : ''))
  const navigations = watchNavigations(page, cdp)
  const { dialogs, exceptions } = watchScripts(page)
  lap('context')

  const startedMs = performance.now()
  const navigation = await page.goto(url, { waitUntil: 'commit', timeout: NAVIGATION_TIMEOUT_MS }).then(
    (response) => ({ response }),
    (error: Error) => ({ error })
  )
  if ('error' in navigation || navigation.response === null) {
    const message = 'error' in navigation ? navigation.error.message.split('\n')[0]! : 'No response'
    if (/crashed/.test(message)) throw new RendererCrashedError(message)
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
  if (navigations.reloads() > 0) {
    await time.run({ pageMs: RELOAD_WATCH_MS, untilMs, isDone: navigations.isEndless })
  }
  lap('load')
  if (navigations.isEndless()) return { failure: KEEPS_NAVIGATING, proxyError: null, isTimeout: true, timings }
  await navigations.stop()
  if (navigations.count() > 1) await waitForDocument(cdp, time)
  // If scrolling fails, the page is measured as it is.
  const scrolling = new AbortController()
  const scrolled = scrollThrough(cdp, { time, untilMs, signal: scrolling.signal }).catch(() => {})
  await Promise.race([scrolled, wait(Math.max(300, untilMs - performance.now()), undefined, { ref: false })])
  scrolling.abort()
  // A page that waits for the network may wait until the end of the time limit.
  while (time.isStalled() && requests.pending().length > 0 && performance.now() < untilMs) await wait(100)
  for (let chunk = 0; chunk < 4 && performance.now() < untilMs; chunk++) await time.advance(1_200)
  await time.release()
  lap('scroll')

  const measured = await measure({ cdp, time, blog })
  if (measured === null) {
    return { failure: KEEPS_NAVIGATING, proxyError: null, isTimeout: true, timings }
  }
  const { world, captured } = measured
  lap('measure')
  const axe = isFirst && captured.article !== null ? await runAxe(world) : []
  const { ogImageLoads, images } = isFirst
    ? await checkImages({ context, page, cdp }, captured, proxy)
    : { ogImageLoads: null, images: captured.images }
  lap('axe')
  await onInspected?.(page, world)
  lap('screenshots')
  // Without it, the text is not compared with a reference, and coverage.compared says so.
  await world.call('prepareDrawing', MAX_PICTURES).catch(() => {})
  // Several captures of the same page are compared, so its timers and listeners must not change it between
  // them. Isolated worlds still run. If the page has closed, the measurements find out.
  await cdp.send('Emulation.setScriptExecutionDisabled', { value: true }).catch(() => {})
  // After the screenshots, which must not show the changes that this makes to the page.
  const legible = await measurePixels(captured.blocks, captured.pixelChecks, { cdp, world, untilMs: endMs })
  if (captured.pixelChecks.length > 0) lap('pixels')
  // The clock of the page keeps running: without it, a busy machine may never draw the frame to capture.
  const {
    blocks,
    images: compared,
    crops: references
  } = legible.isRestored
    ? await compareWithReference(
        { blocks: legible.blocks, images },
        { cdp, world, viewport: emulatedViewport(viewport) },
        { maxCrops: maxReferences, untilMs: endMs }
      )
    : { blocks: legible.blocks, images, crops: [] }
  time.stop()
  lap('reference')
  const { fonts, document, pixelChecks, ...snapshot } = captured
  const total = fonts.reduce((sum, { characters }) => sum + characters, 0) || 1
  return {
    timings,
    references,
    snapshot: {
      viewport,
      ...VIEWPORTS[viewport].viewport,
      ...snapshot,
      blocks,
      images: compared,
      document: { ...document, ogImageLoads, metas: [...document.metas, ...robotsHeaderOf(response)] },
      layoutShift: load.layoutShift,
      lateFonts: fonts
        .filter(({ family }) => load.lateFonts.includes(family))
        .map(({ family, characters }) => ({ family, share: characters / total })),
      axe,
      runtime: {
        status: response.status(),
        finalUrl: page.url().slice(0, MAX_URL_LENGTH),
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

/** Waits until the document that replaced another one has loaded, or for 2 seconds. */
async function waitForDocument(cdp: CDPSession, time: VirtualTime): Promise<void> {
  const untilMs = performance.now() + RELOAD_TIMEOUT_MS
  while (performance.now() < untilMs) {
    await time.advance(300)
    // Fails while a navigation is being committed.
    const world = await openIsolatedWorld(cdp).catch(() => null)
    const state = await world?.run<string>('document.readyState').catch(() => null)
    if (state === 'complete') return
  }
}

/** Measures the page at its top. Null if it navigates during each of three measurements. */
async function measure({
  cdp,
  time,
  blog
}: {
  cdp: CDPSession
  time: VirtualTime
  blog: ExpectedBlog
}): Promise<{ world: IsolatedWorld; captured: CapturedPage } | null> {
  const { title, html, css } = blog
  const maxSize = MIN_SNAPSHOT_SIZE + SNAPSHOT_SIZE_PER_CHARACTER * html.length
  for (let measurement = 1; measurement <= MAX_MEASUREMENTS; measurement++) {
    try {
      const world = await openIsolatedWorld(cdp, { maxSize })
      await world.run("scrollTo({ top: 0, left: 0, behavior: 'instant' })")
      return { world, captured: await world.call('capturePage', { title, html, css }) }
    } catch (error) {
      if (!isNavigationError(error)) throw error
      await waitForDocument(cdp, time)
      await time.release()
    }
  }
  return null
}

/** Whether og:image loads, and how similar the page's images are to those of the blog. */
async function checkImages(
  { context, page, cdp }: Pick<OpenPage, 'context' | 'page' | 'cdp'>,
  captured: CapturedPage,
  proxy: ProxyCredentials | undefined
): Promise<{ ogImageLoads: boolean | null; images: ViewportSnapshot['images'] }> {
  const { userAgent } = await cdp.send('Browser.getVersion')
  const requests = createImageRequests({ base: page.url(), userAgent, ...(proxy === undefined ? {} : { proxy }) })
  try {
    const ogImage = captured.document.metas.find(({ key }) => key === 'og:image')?.content
    return {
      ogImageLoads: ogImage === undefined ? null : await requests.isImage(ogImage),
      images: await compareImages(context, captured, requests)
    }
  } finally {
    await requests.close()
  }
}

/** The X-Robots-Tag header, in the form of a meta element. */
function robotsHeaderOf(response: Response): { key: string; content: string }[] {
  const robots = response.headers()['x-robots-tag']
  return robots === undefined ? [] : [{ key: 'x-robots-tag', content: robots.slice(0, 1_000) }]
}

function redirectsOf(response: Response): string[] {
  const addresses: string[] = []
  for (let request = response.request().redirectedFrom(); request !== null; request = request.redirectedFrom()) {
    addresses.unshift(request.url().slice(0, MAX_URL_LENGTH))
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
