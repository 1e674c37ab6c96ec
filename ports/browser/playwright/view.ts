import type { Browser, BrowserContext, BrowserContextOptions, Page, Response } from 'playwright'
import { performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import type { ViewportName } from '../../../schemas/visual-check.ts'
import type { RuntimeSnapshot, ViewportSnapshot } from '../port/page-snapshot.ts'
import type { ExpectedBlog } from '../port.ts'
import { runAxe } from './axe.ts'
import { compareImages } from './compare-images.ts'
import { measureInk } from './ink.ts'
import { openInPage, type InPage } from './in-page.ts'
import { movementBetween } from './movement.ts'
import { pressText } from './page/text-folding.ts'
import type { Moment } from './page/waiting.ts'
import { watchRequests, type Requests } from './requests.ts'
import { CHUNK_MS, startVirtualTime, type VirtualTime } from './virtual-time.ts'
import { MARK } from './way-out/replies.ts'

/** Of the page's own time. */
const SETTLING_MS = 4_000
/** Of real time: for the page to load and settle; what is over is looked at as it is. */
const DEADLINE_MS = 9_000
const NAVIGATION_MS = 11_000
const STALL_MS = 2_600
const LONGEST_PAGE_PX = 30_000
/** A browser shows nothing for a font that is this late (CSS Fonts 4, font-display). */
const BLOCK_PERIOD_MS = 2_500

export const VIEWPORTS: Record<ViewportName, BrowserContextOptions & { viewport: { width: number; height: number } }> =
  {
    mobile: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, deviceScaleFactor: 1 },
    desktop: { viewport: { width: 1366, height: 900 }, isMobile: false, deviceScaleFactor: 1 }
  }

export interface ViewOptions {
  viewport: ViewportName
  url: string
  blog: ExpectedBlog
  /** Credentials of the way out. */
  proxy?: BrowserContextOptions['proxy']
  /** Where what is the same in every viewport is looked at. */
  isFirst: boolean
  signal: AbortSignal
  /** Takes pictures of the page as it was measured. */
  photograph?: (page: Page, viewport: ViewportName) => Promise<void>
}

/** What one viewport gave: facts, or why the page did not come. */
export type View =
  | { snapshot: ViewportSnapshot; timings: Record<string, number> }
  | {
      failure: string /** Of our way out, where it answered in the place of the site. */
      mark: string | null
      isTimeout: boolean
      timings: Record<string, number>
    }

/** Opens the page in a context of its own and measures it. Throws where the browser is gone. */
export async function viewPage(browser: Browser, options: ViewOptions): Promise<View> {
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
    context.close().catch(() => {})
  } // It may be closed already; what waits for it is told.
  signal.addEventListener('abort', close, { once: true })
  try {
    return await view(context, options)
  } finally {
    signal.removeEventListener('abort', close)
    await context.close().catch(() => {}) // The browser is gone: whoever owns it sees that.
  }
}

async function view(context: BrowserContext, { viewport, url, blog, isFirst, photograph }: ViewOptions): Promise<View> {
  const { lap, timings } = createLaps()
  const page = await context.newPage()
  const dialogs: string[] = []
  const exceptions: RuntimeSnapshot['exceptions'] = []
  const requests = watchRequests(page, () => (URL.canParse(page.url()) ? new URL(page.url()).host : ''))
  page.on('dialog', (dialog) => {
    if (dialogs.length < 10) dialogs.push(`${dialog.type()}: ${dialog.message().slice(0, 200)}`)
    dialog.dismiss().catch(() => {}) // The page may be gone.
  })
  page.on('popup', (popup) => {
    popup.close().catch(() => {})
  }) // It may have closed itself.
  page.on('pageerror', (error) => {
    if (exceptions.length < 20) exceptions.push({ message: error.message.slice(0, 300), source: sourceOf(error.stack) })
  })
  const cdp = await context.newCDPSession(page)
  const time = await startVirtualTime(cdp)
  lap('context')

  const began = performance.now()
  const answer = await page.goto(url, { waitUntil: 'commit', timeout: NAVIGATION_MS }).then(
    (response) => ({ response }),
    (error: Error) => ({ error })
  )
  if ('error' in answer || answer.response === null) {
    const message = 'error' in answer ? answer.error.message.split('\n')[0]! : 'Nothing came'
    return { failure: message.replace(/^page\.goto: /, ''), mark: null, isTimeout: /Timeout/.test(message), timings }
  }
  const { response } = answer
  const mark = response.headers()[MARK]
  if (mark !== undefined) {
    return { failure: 'Nobody answers there', mark, isTimeout: response.status() === 504, timings }
  }
  const responseMs = performance.now() - began
  lap('response')
  const untilMs = performance.now() + DEADLINE_MS
  const settled = await settle({
    page,
    requests,
    time,
    began,
    untilMs,
    keys: keysOf(blog.html),
    open: async () => await openInPage(cdp)
  })
  lap('load')
  await time.release()
  const scrolled = (async () => await (await openInPage(cdp)).call('scrollThrough', LONGEST_PAGE_PX))().catch(() => {}) // A page that does not scroll is measured as it stands.
  await Promise.race([scrolled, wait(Math.max(300, untilMs - performance.now()), undefined, { ref: false })])
  for (let chunk = 0; chunk < 4 && performance.now() < untilMs; chunk++) await time.pass(1_200)
  await time.release()
  const inPage = await openInPage(cdp)
  await inPage.run("scrollTo({ top: 0, left: 0, behavior: 'instant' })")
  lap('scroll')

  const measured = await inPage.call('capturePage', { title: blog.title, html: blog.html, css: blog.css })
  lap('measure')
  const axe = isFirst && measured.article !== null ? await runAxe(inPage) : []
  const ogImage = measured.document.metas.find(({ key }) => key === 'og:image')?.content
  const ogImageLoads =
    isFirst && ogImage !== undefined ? await loadsImage(context, { address: ogImage, base: page.url() }) : null
  const images = isFirst ? await compareImages(context, { ...measured, base: page.url() }) : measured.images
  lap('axe')
  await photograph?.(page, viewport)
  lap('pictures')
  // After the pictures, so that nothing of it is in them.
  const blocks = await measureInk(measured.blocks, measured.doubts, { cdp, inPage })
  if (measured.doubts.length > 0) lap('ink')
  const { fonts, document, doubts, ...facts } = measured
  const total = fonts.reduce((sum, { characters }) => sum + characters, 0) || 1
  return {
    timings,
    snapshot: {
      viewport,
      ...VIEWPORTS[viewport].viewport,
      ...facts,
      blocks,
      images,
      document: { ...document, ogImageLoads, metas: [...document.metas, ...headMetas(response)] },
      layoutShift: settled.movement,
      lateFonts: fonts
        .filter(({ family }) => settled.lateFonts.includes(family))
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
        firstContentMs: settled.firstContentMs === null ? null : inHalfSeconds(settled.firstContentMs)
      }
    }
  }
}

interface Settling {
  page: Page
  requests: Requests
  time: VirtualTime
  began: number
  untilMs: number
  keys: string[]
  open: () => Promise<InPage>
}

/** Lets the page's time pass until it has settled; looks at our blocks after each chunk. */
async function settle({
  requests,
  time,
  began,
  untilMs,
  keys,
  open
}: Settling): Promise<{ movement: number; firstContentMs: number | null; lateFonts: string[] }> {
  let [movement, passedMs] = [0, 0]
  let firstContentMs: number | null = null
  let late: string[] = []
  let before: Moment | null = null
  let failures = 0
  while (passedMs < SETTLING_MS && performance.now() < untilMs) {
    const wasStalled = time.isStalled()
    const passed = await time.pass(Math.min(STALL_MS, Math.max(200, untilMs - performance.now())))
    if (passed) passedMs += CHUNK_MS
    else if (wasStalled) break
    let moment: Moment
    try {
      // Each time anew: the page may have gone on to another address.
      const inPage = await open()
      moment = await inPage.call('lookAtMoment', keys)
      if (performance.now() - began > BLOCK_PERIOD_MS || passedMs >= BLOCK_PERIOD_MS) {
        late = await inPage.call('lateFonts')
      }
    } catch (error) {
      if ((failures += 1) > 8) throw error
      continue
    }
    if (moment.blocks.length === 0 || !moment.drawn) continue
    // What the network made it wait for, and not how busy this machine is.
    firstContentMs ??= Math.min(performance.now() - began, requests.waitMs() + passedMs)
    if (before !== null) movement += movementBetween(before, moment)
    before = moment
  }
  return { movement: Math.round(movement * 1000) / 1000, firstContentMs, lateFonts: late }
}

/** How our blocks begin, as `lookAtMoment` knows them. */
function keysOf(html: string): string[] {
  const texts = html
    .replace(/<[^>]*>/g, '\n')
    .replace(/&[a-z#0-9]+;/gi, '')
    .split('\n')
  const keys = texts.map((text) => pressText(text.slice(0, 120)).slice(0, 24))
  return [...new Set(keys.filter((key) => key.length >= 4))].slice(0, 400)
}

/** Whether an address gives a picture, over the same way out. */
async function loadsImage(
  context: BrowserContext,
  { address, base }: { address: string; base: string }
): Promise<boolean> {
  if (!URL.canParse(address, base)) return false
  const answer = await context.request
    .get(new URL(address, base).href, { timeout: 4_000, maxRedirects: 3 })
    .catch(() => null) // Whatever the reason, it does not load.
  return answer !== null && answer.ok() && /^image\//.test(answer.headers()['content-type'] ?? '')
}

/** What the answer's head says to search engines stands beside what the page says. */
function headMetas(response: Response): { key: string; content: string }[] {
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

function createLaps() {
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
