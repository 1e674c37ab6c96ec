import type { BrowserInstance, PooledProcess } from './browser-instance.ts'

/** Work in a browser process. It must stop by its own signal. */
export type Task<Process, Value> = (browser: Process) => Promise<Value>

/** How long an aborted task may clean up before its browser is ended. */
const GRACE_MS = 2_000

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
  /** Of `crashed`: why the process has ended. */
  readonly endCause: string | null

  constructor(reason: GoneReason, { endCause = null, cause }: { endCause?: string | null; cause?: unknown } = {}) {
    super(MESSAGES[reason], { cause })
    this.reason = reason
    this.endCause = endCause
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
export async function runTask<Process extends PooledProcess, Value>(
  instance: BrowserInstance<Process>,
  task: Task<Process, Value>,
  { timeoutMs, signal, closing }: TaskLimits
): Promise<Value> {
  const browser = await instance.ready
  const failure = Promise.withResolvers<never>()
  const onEnded = (endCause: string | null) => failure.reject(new BrowserGoneError('crashed', { endCause }))
  const stop = (error: unknown) => {
    failure.reject(error)
    instance.end().catch(() => {}) // The pool waits for the end.
  }
  let grace: NodeJS.Timeout | undefined
  const timeout = setTimeout(() => stop(new BrowserGoneError('stuck')), timeoutMs)
  const onAbort = () => {
    grace = setTimeout(() => stop(signal.reason), GRACE_MS)
  }
  const onClosing = () => failure.reject(new BrowserGoneError('closed'))
  failure.promise.catch(() => {})
  browser.ended.then(onEnded, () => onEnded(null))
  signal.addEventListener('abort', onAbort, { once: true })
  closing.addEventListener('abort', onClosing, { once: true })
  try {
    signal.throwIfAborted()
    if (closing.aborted) onClosing()
    if (closing.aborted || !browser.isRunning()) return await failure.promise
    return await Promise.race([failure.promise, task(browser)])
  } finally {
    clearTimeout(timeout)
    clearTimeout(grace)
    signal.removeEventListener('abort', onAbort)
    closing.removeEventListener('abort', onClosing)
  }
}
