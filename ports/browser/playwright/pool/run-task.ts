import { setTimeout as delay } from 'node:timers/promises'
import type { Browser as PlaywrightBrowser } from 'playwright'
import type { BrowserInstance } from './browser-instance.ts'

/** Work in a browser. It must stop by its own signal. */
export type Task<Value> = (browser: PlaywrightBrowser) => Promise<Value>

/** How long an aborted task may clean up before its browser is ended. */
const GRACE_MS = 2_000
/** A task may notice the end of its browser before we do. */
const DISCONNECT_DELAY_MS = 100

/**
 * Why a task did not finish. `crashed`: the browser crashed in two attempts. `stuck`: the task took
 * too long. `closed`: the pool was closed.
 */
export type GoneReason = 'crashed' | 'stuck' | 'closed'

const MESSAGES: Readonly<Record<GoneReason, string>> = {
  crashed: 'The browser ended during the inspection of the page.',
  stuck: 'The browser did not finish in time and was ended.',
  closed: 'The browser is being closed.'
}

export class BrowserGoneError extends Error {
  override readonly name = 'BrowserGoneError'
  readonly reason: GoneReason

  constructor(reason: GoneReason, cause?: unknown) {
    super(MESSAGES[reason], { cause })
    this.reason = reason
  }
}

export interface TaskLimits {
  timeoutMs: number
  /** The signal of the caller. */
  signal: AbortSignal
  /** Aborted when the pool closes. */
  closing: AbortSignal
}

/**
 * Runs a task in a started browser. Rejects with the error of the task; with a BrowserGoneError if
 * the browser ends, the task takes too long or the pool is closed; and with the reason of `signal`
 * if the task continues after it was aborted. In the last three cases the browser is ended, since it
 * may still run parts of the task.
 */
export async function runTask<Value>(
  instance: BrowserInstance,
  task: Task<Value>,
  { timeoutMs, signal, closing }: TaskLimits
): Promise<Value> {
  const { browser } = await instance.ready
  const failure = Promise.withResolvers<never>()
  const fail = (reason: GoneReason) => failure.reject(new BrowserGoneError(reason))
  const onDisconnected = () => fail('crashed')
  const stop = (error: unknown) => {
    failure.reject(error)
    instance.end().catch(onDisconnected)
  }
  let grace: NodeJS.Timeout | undefined
  const timeout = setTimeout(() => stop(new BrowserGoneError('stuck')), timeoutMs)
  const onAbort = () => {
    grace = setTimeout(() => stop(signal.reason), GRACE_MS)
  }
  const onClosing = () => fail('closed')
  failure.promise.catch(() => {})
  browser.once('disconnected', onDisconnected)
  signal.addEventListener('abort', onAbort, { once: true })
  closing.addEventListener('abort', onClosing, { once: true })
  try {
    signal.throwIfAborted()
    if (closing.aborted) onClosing()
    else if (!browser.isConnected()) onDisconnected()
    if (closing.aborted || !browser.isConnected()) return await failure.promise
    return await Promise.race([failure.promise, task(browser)])
  } catch (error) {
    await Promise.race([failure.promise, delay(DISCONNECT_DELAY_MS)])
    throw error
  } finally {
    clearTimeout(timeout)
    clearTimeout(grace)
    browser.off('disconnected', onDisconnected)
    signal.removeEventListener('abort', onAbort)
    closing.removeEventListener('abort', onClosing)
  }
}
