import { NoAnswer } from './no-answer.ts'

const CONNECT_MS = 5_000
const WHOLE_MS = 15_000

/** The time that one request has. */
export interface Lifetime {
  startedAtMs: number
  connectBeforeMs: number
  /** Aborts when the time is over or the request is broken off, with a NoAnswer as its reason. */
  signal: AbortSignal
  breakOff: () => void
  /** The connection is there: from now on only the whole counts. */
  connected: () => void
  end: () => void
}

/** Starts the clock of a request: name server, TCP and TLS together within `connectTimeoutMs`, and everything within `timeoutMs`. Must be ended. */
export function startLifetime ({ connectTimeoutMs = CONNECT_MS, timeoutMs = WHOLE_MS, signal }: { connectTimeoutMs?: number, timeoutMs?: number, signal?: AbortSignal }): Lifetime {
  const startedAtMs = performance.now()
  const over = new AbortController()
  const breakOff = () => over.abort(new NoAnswer('reset', 'The request was broken off on our side.'))
  const late = (what: string) => () => over.abort(new NoAnswer('timeout', what))
  const connecting = setTimeout(late('The connection was not made in time.'), connectTimeoutMs)
  const whole = setTimeout(late('The whole answer did not come in time.'), timeoutMs)
  if (signal?.aborted) breakOff()
  signal?.addEventListener('abort', breakOff, { once: true })
  return {
    startedAtMs,
    connectBeforeMs: startedAtMs + connectTimeoutMs,
    signal: over.signal,
    breakOff,
    connected: () => clearTimeout(connecting),
    end () {
      clearTimeout(connecting)
      clearTimeout(whole)
      signal?.removeEventListener('abort', breakOff)
    }
  }
}

/** What the promise gives, unless the signal comes first; then its reason is thrown, and what the promise still does is let go. */
export function orAborted<Value> (promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
