import { withTimeout } from './async.ts'

export interface ResponseDeadlineOptions {
  /** An operation waits at most this long, in milliseconds, for a server that does not respond. */
  timeoutMs: number
  /** Resolves when the server responds. */
  ping: () => Promise<unknown>
  createError: () => Error
}

/** The part of the timeout that is left for the ping. */
const PING_SHARE = 0.2

/**
 * Returns a function that runs an operation and rejects with `createError()` if the server stops
 * responding meanwhile. An operation that takes longer than the timeout goes on while the server
 * answers pings: it is slow, and repeating it would not be faster. The driver limits its total
 * time. The work behind a rejected operation goes on; its late result is ignored.
 */
export function createResponseDeadline({
  timeoutMs,
  ping,
  createError
}: ResponseDeadlineOptions): <T>(operation: () => Promise<T>) => Promise<T> {
  const pingMs = timeoutMs * PING_SHARE
  let pinging: Promise<boolean> | null = null

  /** All operations that wait share one ping. */
  function isResponding(): Promise<boolean> {
    pinging ??= withTimeout(ping(), pingMs)
      .then(
        () => true,
        () => false
      )
      .finally(() => {
        pinging = null
      })
    return pinging
  }

  return (operation) =>
    new Promise((resolve, reject) => {
      let isSettled = false
      const check = async (): Promise<void> => {
        const isSlow = await isResponding()
        if (isSettled) return
        if (isSlow) schedule()
        else reject(createError())
      }
      const schedule = (): void => {
        timer = setTimeout(check, timeoutMs - pingMs)
      }
      let timer: NodeJS.Timeout
      schedule()
      const settle = (): void => {
        isSettled = true
        clearTimeout(timer)
      }
      // An operation that throws instead of returning a promise is settled as well.
      const running = (async () => await operation())()
      running.finally(settle).then(resolve, reject)
    })
}
