import type { LaunchedChromium } from '../launch.ts'
import { residentBytes } from './resident-bytes.ts'

export interface Wear {
  /** Acts that one process may serve. */
  maxActs: number
  maxAgeMs: number
  /** Of the process and all below it; with twice as much it is ended at once. */
  maxBytes: number
  /** How long it is kept with nothing to do. */
  idleMs: number
  /** How long it may take to say its own version. */
  answerMs: number
}

/** A process of one account, from before its start until after its end. */
export interface KeptBrowser {
  account: string
  /** Rejects where it does not start. */
  ready: Promise<LaunchedChromium>
  /** Acts that run in it now. */
  running: () => number
  /** Takes no further act. */
  spent: () => boolean
  begin: () => void
  /** Ends the process where it has served its time and nothing runs in it any more. */
  done: () => Promise<void>
  /** Ends it at once; resolves when it is gone. */
  end: () => Promise<void>
}

/**
 * Starts a process for an account. `gone` is called once, when it takes no act any more because it
 * has ended or is about to.
 */
export function keepBrowser(
  account: string,
  wear: Wear & { launch: () => Promise<LaunchedChromium>; gone: (kept: KeptBrowser) => void }
): KeptBrowser {
  const startedMs = performance.now()
  const ready = wear.launch()
  let acts = 0
  let running = 0
  let worn = false
  let ended: Promise<void> | null = null
  let idle: NodeJS.Timeout | undefined
  let watch: NodeJS.Timeout | undefined

  const spent = () => worn || ended !== null || acts >= wear.maxActs || performance.now() - startedMs >= wear.maxAgeMs
  const end = (): Promise<void> => {
    if (ended !== null) return ended
    clearTimeout(idle)
    clearInterval(watch)
    // What does not start has nothing to end.
    ended = ready.then(
      ({ kill }) => kill(),
      () => {}
    )
    wear.gone(kept)
    return ended
  }

  /**
   * A process that does not answer, or takes far too much, is ended; whoever uses it is told by its
   * end.
   */
  async function look(chromium: LaunchedChromium): Promise<void> {
    const [answers, bytes] = await Promise.all([answersWithin(chromium, wear.answerMs), weigh(chromium)])
    if (bytes > wear.maxBytes) worn = true
    if (!answers || bytes > 2 * wear.maxBytes) await end()
  }

  const kept: KeptBrowser = {
    account,
    ready,
    running: () => running,
    spent,
    begin() {
      clearTimeout(idle)
      acts++
      running++
    },
    async done() {
      running--
      if (ended !== null) return
      const chromium = await ready.catch(() => null)
      if (chromium === null) return
      if ((await weigh(chromium)) > wear.maxBytes) worn = true
      if (running > 0) return
      if (spent()) return end()
      clearTimeout(idle)
      idle = setTimeout(end, wear.idleMs).unref()
    },
    end
  }
  ready.then((chromium) => {
    chromium.browser.once('disconnected', end)
    if (!chromium.browser.isConnected()) return end()
    watch = setInterval(() => {
      if (running > 0 && ended === null) look(chromium).catch(end)
    }, wear.answerMs / 2).unref()
  }, end)
  return kept
}

async function weigh({ pid }: LaunchedChromium): Promise<number> {
  return pid === null ? 0 : ((await residentBytes(pid)) ?? 0)
}

async function answersWithin({ browser }: LaunchedChromium, ms: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const late = setTimeout(() => resolve(false), ms)
  const ask = async () => {
    const session = await browser.newBrowserCDPSession()
    await session.send('Browser.getVersion')
    await session.detach()
  }
  ask().then(
    () => resolve(true),
    () => resolve(browser.isConnected())
  )
  return await promise.finally(() => clearTimeout(late))
}
