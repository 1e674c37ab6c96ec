import { setTimeout as delay } from 'node:timers/promises'
import type { Browser as PlaywrightBrowser } from 'playwright'
import { BrowserGone, type GoneReason } from './browser-gone.ts'
import type { KeptBrowser } from './kept-browser.ts'

/** What is done in a browser. It is told by its own signal when to stop. */
export type Act<Value> = (browser: PlaywrightBrowser) => Promise<Value>

/** An act that was told to stop has so long to clear up, before its browser is ended. */
const GRACE_MS = 2_000
/** An act may hear of the end of its browser before we do. */
const HEARSAY_MS = 100

export interface ActLimits {
  longestMs: number /** Of the caller. */
  signal: AbortSignal /** Of the pool. */
  closing: AbortSignal
}

/**
 * Runs an act in a browser that was started for it. Rejects with what the act rejects with, and
 * with BrowserGone where the browser ended meanwhile, the act took too long, or the pool is closed;
 * with the signal's reason where the act went on after it. In the last three cases the browser is
 * ended, since nobody knows what still runs in it.
 */
export async function runAct<Value>(
  kept: KeptBrowser,
  act: Act<Value>,
  { longestMs, signal, closing }: ActLimits
): Promise<Value> {
  const { browser } = await kept.ready
  const over = Promise.withResolvers<never>()
  const fail = (why: GoneReason) => over.reject(new BrowserGone(why))
  const crash = () => fail('crashed')
  const stop = (error: unknown) => {
    over.reject(error)
    kept.end().catch(crash)
  }
  let grace: NodeJS.Timeout | undefined
  const late = setTimeout(() => stop(new BrowserGone('stuck')), longestMs)
  const aborted = () => {
    grace = setTimeout(() => stop(signal.reason), GRACE_MS)
  }
  const closed = () => fail('closed')
  over.promise.catch(() => {})
  browser.once('disconnected', crash)
  signal.addEventListener('abort', aborted, { once: true })
  closing.addEventListener('abort', closed, { once: true })
  try {
    signal.throwIfAborted()
    if (closing.aborted) closed()
    else if (!browser.isConnected()) crash()
    if (closing.aborted || !browser.isConnected()) return await over.promise
    return await Promise.race([over.promise, act(browser)])
  } catch (error) {
    await Promise.race([over.promise, delay(HEARSAY_MS)])
    throw error
  } finally {
    clearTimeout(late)
    clearTimeout(grace)
    browser.off('disconnected', crash)
    signal.removeEventListener('abort', aborted)
    closing.removeEventListener('abort', closed)
  }
}
