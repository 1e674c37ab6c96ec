import { problem } from '../../../errors.ts'
import type { LaunchedChromium } from './launch.ts'
import { BrowserGone } from './pool/browser-gone.ts'
import { keepBrowser, type KeptBrowser, type Wear } from './pool/kept-browser.ts'
import { type Act, runAct } from './pool/run-act.ts'
import { createTurns } from './pool/turns.ts'

export { BrowserGone } from './pool/browser-gone.ts'
export type { Act } from './pool/run-act.ts'

const WEAR: Wear = { maxActs: 50, maxAgeMs: 600_000, maxBytes: 1_200_000_000, idleMs: 60_000, answerMs: 10_000 }
/** A check has 25 seconds. */
const LONGEST_MS = 35_000
/** A browser that crashed under an act may have done so for another's sake. */
const MOST_TRIES = 2

export interface PoolOptions extends Partial<Wear> {
  launch: () => Promise<LaunchedChromium>
  /** Acts that run at once, over all accounts; default 2. No more processes than this are there. */
  maxAtOnce?: number
  /**
   * An act that takes longer loses its browser; default 35 s, a start of the browser not counted.
   */
  longestMs?: number
}

export interface Pool {
  /**
   * Waits for the account's turn and runs the act in a browser that serves this account alone,
   * started for it if need be. The act must end what it opened, and stop when the signal says so.
   * Where the browser
   * ends under it, it is run once more in another. Rejects with what the act rejects with, with
   * BrowserGone (`crashed`, `stuck`, `closed`), with the signal's reason, and with `unavailable`
   * where none starts.
   */
  use: <Value>(accountId: string, act: Act<Value>, signal: AbortSignal) => Promise<Value>
  /** Ends all browsers, whatever runs; resolves when their processes are gone. */
  close: () => Promise<void>
}

/** Opens the pool of browsers; the first one is started when there is something to do. */
export function openPool({ launch, maxAtOnce = 2, longestMs = LONGEST_MS, ...wear }: PoolOptions): Pool {
  const turns = createTurns<() => void>()
  const browsers = new Set<KeptBrowser>()
  const ending = new Set<Promise<void>>()
  const closing = new AbortController()
  let taken = 0

  function browserFor(account: string): KeptBrowser {
    for (const kept of browsers) {
      if (kept.account === account && !kept.spent()) return kept
    }
    // At least one has nothing to do: as many as may act at once are there, and one of the acts is
    // this.
    for (const kept of browsers) {
      if (kept.running() === 0 && (kept.spent() || browsers.size >= maxAtOnce)) track(kept.end())
    }
    const kept = keepBrowser(account, {
      ...WEAR,
      ...wear,
      launch,
      gone: (one) => {
        browsers.delete(one)
        track(one.end())
      }
    })
    browsers.add(kept)
    return kept
  }

  function track(end: Promise<void>): void {
    if (ending.has(end)) return
    ending.add(end)
    end.catch(() => {}).finally(() => ending.delete(end))
  }

  async function runOnce<Value>(account: string, act: Act<Value>, signal: AbortSignal): Promise<Value> {
    if (closing.signal.aborted) throw new BrowserGone('closed')
    const kept = browserFor(account)
    kept.begin()
    try {
      await kept.ready.catch((cause: unknown) => {
        throw problem('unavailable', 'No browser could be started for the check.', {
          headers: { 'Retry-After': '10' },
          cause
        })
      })
      return await runAct(kept, act, { longestMs, signal, closing: closing.signal })
    } finally {
      track(kept.done())
    }
  }

  async function run<Value>(account: string, act: Act<Value>, signal: AbortSignal): Promise<Value> {
    for (let tries = 1; ; tries++) {
      try {
        return await runOnce(account, act, signal)
      } catch (error) {
        if (closing.signal.aborted) throw new BrowserGone('closed', error)
        if (tries === MOST_TRIES || signal.aborted || !(error instanceof BrowserGone && error.why === 'crashed')) {
          throw error
        }
      }
    }
  }

  function begin(): void {
    while (taken < maxAtOnce) {
      const start = turns.next()
      if (start === null) return
      taken++
      start()
    }
  }

  /** Resolves when it is the account's turn; whoever waits gives the turn back by `leave`. */
  function turn(account: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        turns.remove(account, start)
        reject(closing.signal.aborted ? new BrowserGone('closed') : signal.reason)
      }
      const start = () => {
        signal.removeEventListener('abort', giveUp)
        closing.signal.removeEventListener('abort', giveUp)
        resolve()
      }
      if (closing.signal.aborted || signal.aborted) return giveUp()
      signal.addEventListener('abort', giveUp, { once: true })
      closing.signal.addEventListener('abort', giveUp, { once: true })
      turns.add(account, start)
      begin()
    })
  }

  return {
    async use(account, act, signal) {
      await turn(account, signal)
      try {
        return await run(account, act, signal)
      } finally {
        taken--
        begin()
      }
    },
    async close() {
      closing.abort()
      for (const kept of browsers) track(kept.end())
      await Promise.allSettled(ending)
    }
  }
}
