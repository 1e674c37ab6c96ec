import { NoAnswer } from '../judging/no-answer.ts'
import { followSignal } from './follow-signal.ts'

const CONNECT_MS = 5_000
const WHOLE_MS = 15_000

/** The time that one request has. */
export interface Lifetime {
  startedAtMs: number
  connectBeforeMs: number
  /** Why it is over; null while it is not. */
  over: () => NoAnswer | null
  /**
   * Calls this when it is over, at once if it is, with the reason. Takes the place of what was to
   * be called before; null: nobody is told.
   */
  tell: (whenOver: ((reason: NoAnswer) => void) | null) => void
  breakOff: () => void
  /** A connection is to be made: from the start on, that has less time than the whole. */
  connecting: () => void
  /** The connection is there: from now on only the whole counts. */
  connected: () => void
  end: () => void
}

/**
 * Starts the clock of a request: name server, TCP and TLS together within `connectTimeoutMs`, and
 * everything within `timeoutMs`. Must be ended.
 */
export function startLifetime({
  connectTimeoutMs = CONNECT_MS,
  timeoutMs = WHOLE_MS,
  signal
}: {
  connectTimeoutMs?: number
  timeoutMs?: number
  signal?: AbortSignal
}): Lifetime {
  const startedAtMs = performance.now()
  let reason: NoAnswer | null = null
  let whenOver: ((reason: NoAnswer) => void) | null = null
  const close = (why: NoAnswer['error'], detail: string) => {
    if (reason !== null) return
    reason = new NoAnswer(why, detail)
    whenOver?.(reason)
  }
  const breakOff = () => close('reset', 'The request was broken off on our side.')
  const whole = setTimeout(() => close('timeout', 'The whole answer did not come in time.'), timeoutMs)
  let making: NodeJS.Timeout | undefined
  const letGo = signal === undefined ? null : followSignal(signal, breakOff)
  return {
    startedAtMs,
    connectBeforeMs: startedAtMs + connectTimeoutMs,
    over: () => reason,
    tell(next) {
      whenOver = next
      if (reason !== null) next?.(reason)
    },
    breakOff,
    connecting() {
      making ??= setTimeout(
        () => close('timeout', 'The connection was not made in time.'),
        startedAtMs + connectTimeoutMs - performance.now()
      )
    },
    connected() {
      clearTimeout(making)
      making = undefined
    },
    end() {
      clearTimeout(making)
      clearTimeout(whole)
      letGo?.()
    }
  }
}

/**
 * What this does while it is made, unless the time is over first; then the reason is thrown, the
 * signal aborts, and what is still done is let go.
 */
export function withinTime<Value>(life: Lifetime, act: (signal: AbortSignal) => Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const over = new AbortController()
    life.tell((reason) => {
      over.abort(reason)
      reject(reason)
    })
    // First nobody is told any more: whoever goes on after this may be the next to be.
    const done = (settle: () => void): void => {
      if (over.signal.aborted) return
      life.tell(null)
      settle()
    }
    act(over.signal).then(
      (value) => done(() => resolve(value)),
      (error: unknown) => done(() => reject(error))
    )
  })
}
