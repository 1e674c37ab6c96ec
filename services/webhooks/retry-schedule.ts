import { toIsoText } from '../../lib/timestamps.ts'
import type { DeliveryRecord, DeliveryUpdate } from '../../ports/store/port.ts'
import type { AttemptResult, Outcome } from './attempt.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000

/** Delays before the 1st, 2nd, ... attempt; the schedule of the Standard Webhooks 1.0 recommendation. */
export const RETRY_DELAYS_MS = [
  0,
  5000,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS
] as const
/** Minimum delay after a sign of overload. */
export const OVERLOADED_DELAY_MS = MINUTE_MS
/** Delays vary randomly by a fifth, so that deliveries that failed together are not retried together. */
const JITTER = 0.2

/**
 * Milliseconds before the next attempt after `attempts` attempts of a round; null when there is
 * none. `random` is in [0, 1).
 */
export function retryDelayMs(attempts: number, random = Math.random()): number | null {
  const delay = RETRY_DELAYS_MS[attempts]
  return delay === undefined ? null : delay * (1 - JITTER + 2 * JITTER * random)
}

/** The longest pause that a receiver may ask for. */
export const MAX_RETRY_AFTER_MS = 24 * HOUR_MS
/** IMF-fixdate of RFC 9110, section 5.6.7. The obsolete date formats are not supported. */
const HTTP_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

/**
 * The milliseconds that a `Retry-After` header asks for (RFC 9110, section 10.2.3: seconds or a
 * date), at most 24 hours; null for a missing or invalid value.
 */
export function parseRetryAfterMs(value: string | undefined, nowMs = Date.now()): number | null {
  const text = value?.trim() ?? ''
  const ms = /^\d{1,15}$/.test(text) ? Number(text) * 1000 : HTTP_DATE.test(text) ? Date.parse(text) - nowMs : NaN
  return ms > 0 ? Math.min(ms, MAX_RETRY_AFTER_MS) : null
}

/** Whether the receiver, or a gateway in front of it, is overloaded. */
export function isOverloaded({ status, error }: Outcome): boolean {
  return error === 'timeout' || status === 502 || status === 504
}

/**
 * Milliseconds before the next attempt after `attempts` attempts of a round. Null when there is no
 * next attempt: this was the last, or the address is blocked, which no delay changes.
 */
export function nextDelayMs(attempts: number, outcome: Outcome): number | null {
  const delayMs = retryDelayMs(attempts)
  if (delayMs === null || outcome.error === 'blocked') return null
  return Math.max(delayMs, outcome.retryAfterMs ?? 0, isOverloaded(outcome) ? OVERLOADED_DELAY_MS : 0)
}

/**
 * The updates of a delivery, one for each attempt. Only the last one counts as a step of the retry
 * schedule: the others were repeated at once with another secret. `timeScale` divides the delays.
 */
export function nextDeliveryState(
  delivery: DeliveryRecord,
  { attempts, outcome }: AttemptResult,
  timeScale: number
): DeliveryUpdate[] {
  const { id, webhookId } = delivery
  return attempts.map((attempt, index) => {
    const isLast = index === attempts.length - 1
    const round = isLast ? delivery.round + 1 : delivery.round
    const { status, nextAttemptAt, deliveredAt } = isLast ? stateAfter(round, outcome, timeScale) : unchanged(delivery)
    const { number, status: lastStatus, error: lastError } = attempt
    return {
      id,
      webhookId,
      attempt,
      attempts: number,
      lastStatus,
      lastError,
      round,
      status,
      nextAttemptAt,
      deliveredAt
    }
  })
}

type NextState = Pick<DeliveryUpdate, 'status' | 'nextAttemptAt' | 'deliveredAt'>

const unchanged = ({ nextAttemptAt }: DeliveryRecord): NextState => ({
  status: 'pending',
  nextAttemptAt,
  deliveredAt: null
})

function stateAfter(attempts: number, outcome: Outcome, timeScale: number): NextState {
  const nowMs = Date.now()
  if (outcome.delivered) return { status: 'delivered', nextAttemptAt: null, deliveredAt: toIsoText(nowMs) }
  const delayMs = nextDelayMs(attempts, outcome)
  if (delayMs === null) return { status: 'failed', nextAttemptAt: null, deliveredAt: null }
  return { status: 'pending', nextAttemptAt: new Date(nowMs + delayMs / timeScale).toISOString(), deliveredAt: null }
}
