import type { DeliveryUpdate, DeliveryRecord } from '../../ports/store/port.ts'
import type { AttemptResult } from './attempt.ts'
import { isOverloaded, type Outcome } from './outcome.ts'
import { OVERLOADED_WAIT_MS, retryWaitMs } from './retry-waits.ts'

/**
 * What becomes of a delivery by a try: one change for each attempt. Attempts that were repeated at
 * once with another secret are no steps of the schedule.
 */
export function nextDeliveryState(
  delivery: DeliveryRecord,
  { attempts, outcome }: AttemptResult,
  speed: number
): DeliveryUpdate[] {
  return attempts.map((attempt, index) => {
    const { status: lastStatus, error: lastError } = attempt
    const logged = {
      id: delivery.id,
      webhookId: delivery.webhookId,
      attempt,
      attempts: attempt.number,
      lastStatus,
      lastError
    }
    if (index < attempts.length - 1) {
      return {
        ...logged,
        status: 'pending' as const,
        round: delivery.round,
        nextAttemptAt: delivery.nextAttemptAt,
        deliveredAt: null
      }
    }
    return { ...logged, round: delivery.round + 1, ...settled(delivery.round + 1, outcome, speed) }
  })
}

function settled(
  made: number,
  outcome: Outcome,
  speed: number
): Pick<DeliveryUpdate, 'status' | 'nextAttemptAt' | 'deliveredAt'> {
  const nowMs = Date.now()
  if (outcome.delivered) return { status: 'delivered', nextAttemptAt: null, deliveredAt: new Date(nowMs).toISOString() }
  const waitMs = nextWaitMs(made, outcome)
  if (waitMs === null) return { status: 'failed', nextAttemptAt: null, deliveredAt: null }
  return { status: 'pending', nextAttemptAt: new Date(nowMs + waitMs / speed).toISOString(), deliveredAt: null }
}

/**
 * Milliseconds until the next attempt of a round of which so many were made; null when there is
 * none: it was the last, or the address is refused, which no wait will change.
 */
export function nextWaitMs(made: number, outcome: Outcome): number | null {
  const waitMs = retryWaitMs(made)
  if (waitMs === null || outcome.error === 'blocked') return null
  return Math.max(waitMs, outcome.retryAfterMs ?? 0, isOverloaded(outcome) ? OVERLOADED_WAIT_MS : 0)
}
