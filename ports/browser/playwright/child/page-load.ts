import type { CDPSession } from 'playwright'
import { performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { followDocument, openIsolatedWorld } from './isolated-world.ts'
import type { LayoutMoment } from './page/loading.ts'
import { compactText } from './page/text-blocks.ts'
import type { Requests } from './requests.ts'

/** The step by which the page's clock advances. */
const CHUNK_MS = 250
/** How long a page may settle, by its own clock. */
const SETTLE_MS = 4_000
/** The longest real time of a step. A page that waits longer for the network is stalled. */
const STALL_MS = 2_600
/** Browsers render invisible text while a font loads for this long (CSS Fonts 4, font-display). */
const BLOCK_PERIOD_MS = 2_500
/**
 * A released clock runs at this multiple of real time, in steps of this many real milliseconds. An
 * unlimited clock would run the timers of a polling page as fast as the machine can.
 */
const RELEASED_SPEED = 4
const RELEASED_STEP_MS = 50
const MAX_SCROLL_PX = 30_000
/** How long a page is at each scroll position, by its own clock. */
const POSITION_MS = 300
/** The real time after which the page's clock advances if a position has not been drawn. */
const FRAME_TIMEOUT_MS = 50
/** Navigations interrupt the measurement. After more failures the last one is thrown. */
const MAX_FAILURES = 8
/** A smaller movement is rounding. */
const MIN_SHIFT_PX = 3

/** The controlled clock of a page. */
export interface VirtualTime {
  /**
   * Advances the page's clock by one chunk, which takes hardly any real time. The clock stops while
   * the page waits for the network. Returns false if that took longer than `maxMs`; from then on the
   * clock no longer waits for the network.
   */
  advance: (maxMs: number) => Promise<boolean>
  /** Advances the clock until `isDone`, by at most `pageMs`, until `untilMs` (monotonic) at the latest. */
  run: (limits: { pageMs: number; untilMs: number; isDone: () => boolean }) => Promise<void>
  /** Whether a request did not complete in time. */
  isStalled: () => boolean
  /** Advances the clock by `pageMs` without waiting for the network, in at most `maxMs` of real time. */
  pass: (pageMs: number, maxMs: number) => Promise<void>
  /** Lets the clock run at four times real time, without waiting for the network. */
  release: () => Promise<void>
  /** Stops the control of the clock, before the page is closed. */
  stop: () => void
}

/**
 * Takes control of the page's clock (CDP Emulation.setVirtualTimePolicy), so that timers and late
 * banners fire at the same moment each time.
 */
export async function startVirtualTime(cdp: CDPSession): Promise<VirtualTime> {
  let stalled = false
  let release: NodeJS.Timeout | undefined
  const step = async (): Promise<void> => {
    await cdp.send('Emulation.setVirtualTimePolicy', {
      policy: 'advance',
      budget: RELEASED_SPEED * RELEASED_STEP_MS,
      maxVirtualTimeTaskStarvationCount: 10_000
    })
  }
  const stop = (): void => {
    clearInterval(release)
    release = undefined
  }
  // Paused until the first chunk. Otherwise the result would depend on the load of the machine.
  await cdp.send('Emulation.setVirtualTimePolicy', { policy: 'pause' })
  /** Returns false if the clock did not advance by the budget in `maxMs` of real time. */
  const spend = async (
    policy: 'advance' | 'pauseIfNetworkFetchesPending',
    { budget, maxMs }: { budget: number; maxMs: number }
  ): Promise<boolean> => {
    stop()
    const { promise: expired, resolve } = Promise.withResolvers<boolean>()
    const onExpired = (): void => resolve(true)
    cdp.once('Emulation.virtualTimeBudgetExpired', onExpired)
    const timer = setTimeout(() => resolve(false), maxMs)
    await cdp.send('Emulation.setVirtualTimePolicy', { policy, budget, maxVirtualTimeTaskStarvationCount: 10_000 })
    const advanced = await expired
    clearTimeout(timer)
    cdp.off('Emulation.virtualTimeBudgetExpired', onExpired)
    return advanced
  }
  const advance = async (maxMs: number): Promise<boolean> => {
    const policy = stalled ? 'advance' : 'pauseIfNetworkFetchesPending'
    const advanced = await spend(policy, { budget: CHUNK_MS, maxMs })
    if (!advanced) stalled = true
    return advanced
  }
  return {
    advance,
    isStalled: () => stalled,
    stop,
    async pass(pageMs, maxMs) {
      await spend('advance', { budget: pageMs, maxMs })
    },
    async run({ pageMs, untilMs, isDone }) {
      for (let passedMs = 0; passedMs < pageMs && !isDone(); passedMs += CHUNK_MS) {
        const leftMs = untilMs - performance.now()
        if (leftMs <= 0) return
        await advance(Math.min(STALL_MS, leftMs))
      }
    },
    async release() {
      stop()
      await step()
      let isBusy = false
      release = setInterval(() => {
        // A page that is busy must not collect steps.
        if (isBusy) return
        isBusy = true
        step().then(() => {
          isBusy = false
        }, stop)
      }, RELEASED_STEP_MS)
    }
  }
}

/**
 * Scrolls through the page like a user, until `untilMs` (monotonic) or `signal` at the latest, so that lazy content
 * loads. At each position, the page has a frame and a part of a second of its own clock: many pages react to scrolling
 * only after a delay, and would miss the positions in between.
 *
 * Chromium draws no frame while the page's clock is stopped more than about 4 seconds behind real time, as it is after
 * a slow response: then the clock advances until it does.
 */
export async function scrollThrough(
  cdp: CDPSession,
  { time, untilMs, signal }: { time: VirtualTime; untilMs: number; signal: AbortSignal }
): Promise<void> {
  const world = await openIsolatedWorld(cdp)
  // Read again after each wait: after the signal, the clock has been released, which advancing it would end.
  const leftMs = (): number => (signal.aborted ? 0 : untilMs - performance.now())
  for (const position of await world.call('scrollPositions', MAX_SCROLL_PX)) {
    if (leftMs() <= 0) return
    const scrolled = world.call('scrollToPosition', position)
    scrolled.catch(() => {}) // Awaited below.
    while (!(await settlesWithin(scrolled, FRAME_TIMEOUT_MS)) && leftMs() > 0) {
      await time.pass(POSITION_MS, Math.min(STALL_MS, leftMs()))
    }
    await scrolled
    if (leftMs() <= 0) return
    await time.pass(POSITION_MS, Math.min(STALL_MS, leftMs()))
  }
}

/** Whether the promise settles within `ms` of real time. */
async function settlesWithin(promise: Promise<unknown>, ms: number): Promise<boolean> {
  const timeout = new AbortController()
  const settled = promise.then(
    () => true,
    () => true
  )
  const expired = wait(ms, false, { signal: timeout.signal }).catch(() => false)
  return await Promise.race([settled, expired]).finally(() => timeout.abort())
}

export interface PageLoad {
  layoutShift: number
  firstContentMs: number | null
  lateFonts: string[]
}

/**
 * Advances the page's clock until the page has settled, or until `untilMs` (monotonic). Measures the
 * blog's blocks after each chunk.
 */
export async function waitUntilSettled({
  cdp,
  requests,
  time,
  startedMs,
  untilMs,
  html
}: {
  cdp: CDPSession
  requests: Requests
  time: VirtualTime
  startedMs: number
  untilMs: number
  html: string
}): Promise<PageLoad> {
  const keys = blockKeysOf(html)
  const world = followDocument(cdp)
  let [layoutShift, passedMs] = [0, 0]
  let firstContentMs: number | null = null
  let lateFonts: string[] = []
  let before: LayoutMoment | null = null
  let failures = 0
  while (passedMs < SETTLE_MS && performance.now() < untilMs) {
    const wasStalled = time.isStalled()
    const advanced = await time.advance(Math.min(STALL_MS, Math.max(200, untilMs - performance.now())))
    if (advanced) passedMs += CHUNK_MS
    else if (wasStalled) break
    let moment: LayoutMoment
    try {
      moment = await world.call('captureLayout', keys)
    } catch (error) {
      if ((failures += 1) > MAX_FAILURES) throw error
      continue
    }
    if (performance.now() - startedMs > BLOCK_PERIOD_MS || passedMs >= BLOCK_PERIOD_MS) lateFonts = moment.lateFonts
    if (moment.blocks.length === 0 || !moment.drawn) continue
    // Counts the time of the network and of the page, not the load of this machine.
    firstContentMs ??= Math.min(performance.now() - startedMs, requests.waitMs() + passedMs)
    if (before !== null) layoutShift += layoutShiftBetween(before, moment)
    before = moment
  }
  return { layoutShift: Math.round(layoutShift * 1000) / 1000, firstContentMs, lateFonts }
}

const INLINE_TAG =
  /<\/?(?:a|abbr|b|cite|code|del|dfn|em|i|ins|kbd|mark|q|s|samp|small|span|strong|sub|sup|u|var)\b[^<>]*>/gi
const ENTITIES: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' }

/**
 * How the blog's blocks start, in the form that `captureLayout` compares. Emphasis and links are a part of their
 * block: a short post may have no block that starts with a longer text than up to the first of them.
 */
export function blockKeysOf(html: string): string[] {
  const texts = html
    .replace(INLINE_TAG, '')
    .replace(/<[^<>]*>/g, '\n')
    .replace(/&[a-z#0-9]+;/gi, (entity) => ENTITIES[entity] ?? '')
    .split('\n')
  const keys = texts.map((text) => compactText(text.slice(0, 120)).slice(0, 24))
  return [...new Set(keys.filter((key) => key.length >= 4))].slice(0, 400)
}

/**
 * The layout shift between two moments: the moved share of the viewport times the distance as a
 * share of its longer side (https://web.dev/articles/cls), for the blog's blocks only. A block that
 * leaves the viewport moves to its edge.
 */
function layoutShiftBetween(before: LayoutMoment, after: LayoutMoment): number {
  const { height, width } = after
  const previous = new Map(before.blocks.map((block) => [block.key, block]))
  let [area, distance] = [0, 0]
  for (const block of after.blocks) {
    const old = previous.get(block.key)
    if (old === undefined || (old.visibleHeight === 0 && block.visibleHeight === 0)) continue
    const moved = Math.max(Math.abs(block.y - old.y), Math.abs(block.x - old.x))
    if (moved < MIN_SHIFT_PX) continue
    area += Math.min(height, Math.max(block.visibleHeight, old.visibleHeight) + moved) * block.width
    distance = Math.max(distance, moved)
  }
  return Math.min(1, area / (height * width)) * Math.min(1, distance / Math.max(height, width))
}
