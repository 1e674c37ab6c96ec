import { retryAfterSeconds } from './problem.ts'

/** Sends a request, as `fetch` does. */
export type Fetch = (request: Request) => Promise<Response>

export interface RetryOptions {
  /** How often a request is sent at most. Default: 4. */
  attempts?: number
  /** The total time that a call may wait between its attempts, in seconds. Default: 60. */
  maxWaitSeconds?: number
}

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS']
const IDEMPOTENT_METHODS = [...SAFE_METHODS, 'PUT', 'DELETE']
/** 409 is the response to an Idempotency-Key whose first request is still in progress. */
const RETRIED_STATUSES = [409, 429, 503]
const FIRST_DELAY_SECONDS = 0.5

/**
 * Sends a request again after a response with 429 or 503, and after 409 with `Retry-After`: after
 * the time in `Retry-After`, or after increasing delays without it. Only idempotent requests are
 * sent again: their method is idempotent, or they have an `Idempotency-Key`. Failed connections
 * are tried again for requests that change nothing, and for those with an `Idempotency-Key`.
 *
 * If the next attempt would exceed the limits, the response is returned at once.
 */
export function withRetries(send: Fetch, { attempts = 4, maxWaitSeconds = 60 }: RetryOptions = {}): Fetch {
  return async (request) => {
    const hasKey = request.headers.has('idempotency-key')
    const isIdempotent = hasKey || IDEMPOTENT_METHODS.includes(request.method)
    if (!isIdempotent) return await send(request)
    const isSafe = hasKey || SAFE_METHODS.includes(request.method)
    let pausedSeconds = 0
    for (let attempt = 1; ; attempt++) {
      const isLast = attempt >= attempts
      // A body can be sent once, so that all attempts but the last one send a copy.
      const result = await attemptOf(send, isLast ? request : request.clone(), isSafe && !isLast)
      const seconds = isLast ? null : delayOf(result, attempt)
      if (seconds === null || pausedSeconds + seconds > maxWaitSeconds) {
        if (result instanceof Response) return result
        throw result.error
      }
      if (result instanceof Response) await result.body?.cancel()
      await pause(seconds, request.signal)
      pausedSeconds += seconds
    }
  }
}

/** The response, or the error of a connection that may be tried again. */
async function attemptOf(send: Fetch, request: Request, catches: boolean): Promise<Response | { error: unknown }> {
  if (!catches) return await send(request)
  try {
    return await send(request)
  } catch (error) {
    if (request.signal.aborted) throw error
    return { error }
  }
}

/** The number of seconds until the next attempt; null if the result is final. */
function delayOf(result: Response | { error: unknown }, attempt: number): number | null {
  // Half of the delay is random, so that clients of one outage do not return at the same time.
  const increasing = FIRST_DELAY_SECONDS * 2 ** attempt * (0.5 + Math.random() / 2)
  if (!(result instanceof Response)) return increasing
  if (!RETRIED_STATUSES.includes(result.status)) return null
  const seconds = retryAfterSeconds(result)
  return seconds ?? (result.status === 409 ? null : increasing)
}

/** Waits, or rejects with the reason of the signal as soon as it is aborted. */
async function pause(seconds: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  await new Promise<void>((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, seconds * 1000)
    signal.addEventListener('abort', stop, { once: true })
  })
}
