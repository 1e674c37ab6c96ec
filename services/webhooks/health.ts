import type { WebhookHealth, WebhookRecord } from '../../ports/store/port.ts'
import { applyToBreaker, latest, toMinute } from './breaker.ts'
import type { Outcome } from './outcome.ts'
import { shouldAutoDisable } from './switch-off.ts'

/**
 * A try of a delivery, for its webhook's health. `secretId`: of the signature that the try ended
 * with. `probe`: it was made alone, after a pause. `times`: so many alike, of which this was the
 * last.
 */
export interface AttemptReport {
  outcome: Outcome
  atMs: number
  event: { eventId: string; at: string }
  secretId: string
  isProbe: boolean
  times?: number
}

/** What the next delivery of a webhook may do: wait, be the only one, or go with the others. */
export type CircuitState = 'wait' | 'probe' | 'go'

/** The health of a webhook that nothing was sent to. */
export const initialHealth = (): WebhookHealth => ({
  lastSuccessAt: null,
  failures: 0,
  firstFailed: null,
  lastFailed: null,
  minutes: [],
  pausedUntil: null,
  pausedFor: null,
  pauseMs: null
})

export function circuitState(
  { disabledBy, health }: Pick<WebhookRecord, 'disabledBy' | 'health'>,
  nowMs = Date.now()
): CircuitState {
  if (disabledBy !== null || (health.pausedUntil !== null && Date.parse(health.pausedUntil) > nowMs)) return 'wait'
  return health.pauseMs === null ? 'go' : 'probe'
}

/**
 * The webhook after a try: its counts, its pause, whether it is disabled, and which secret the
 * receiver is known to know. `speed` divides pauses and periods.
 */
export function applyAttempt(webhook: WebhookRecord, told: AttemptReport, speed: number): WebhookRecord {
  const { outcome, atMs, isProbe: probe } = told
  const broken = applyToBreaker(counted(webhook.health, told), {
    delivered: outcome.delivered,
    atMs,
    isProbe: probe,
    times: told.times ?? 1,
    timeScale: speed
  })
  const next = { ...webhook, health: held(broken, told, speed) }
  if (outcome.delivered) {
    return webhook.secrets.some(({ id }) => id === told.secretId)
      ? { ...next, lastAcceptedSecretId: told.secretId }
      : next
  }
  if (webhook.disabledBy !== null) return next
  if (outcome.status === 410) return disable(next, { by: 'gone', reason: 'The receiver answered 410 Gone.' })
  if (shouldAutoDisable(next, atMs, speed)) {
    return disable(next, { by: 'failures', reason: 'No delivery succeeded for 120 hours.' })
  }
  return next
}

/**
 * Whether a try is one more success like the one before it: then nothing follows from it but its
 * count, and both can be told as one.
 */
export function canMerge(
  before: AttemptReport,
  { outcome, atMs, secretId, isProbe: probe }: AttemptReport,
  speed: number
): boolean {
  const isPlain = outcome.delivered && before.outcome.delivered && !probe && !before.isProbe
  return isPlain && before.secretId === secretId && toMinute(before.atMs, speed) === toMinute(atMs, speed)
}

/** The webhook, disabled now. */
export function disable(
  webhook: WebhookRecord,
  { by, reason }: { by: NonNullable<WebhookRecord['disabledBy']>; reason: string }
): WebhookRecord {
  const now = new Date().toISOString()
  return { ...webhook, disabledBy: by, disabledReason: reason, disabledAt: now, updatedAt: now }
}

/** The webhook, enabled, with its pause and its failures forgotten. */
export function enable(webhook: WebhookRecord): WebhookRecord {
  const health = { ...initialHealth(), lastSuccessAt: webhook.health.lastSuccessAt }
  return {
    ...webhook,
    disabledBy: null,
    disabledReason: null,
    disabledAt: null,
    health,
    updatedAt: new Date().toISOString()
  }
}

function counted(health: WebhookHealth, { outcome, atMs, event }: AttemptReport): WebhookHealth {
  if (outcome.delivered) {
    return {
      ...health,
      lastSuccessAt: latest(health.lastSuccessAt, atMs),
      failures: 0,
      firstFailed: null,
      lastFailed: null
    }
  }
  const { firstFailed, lastFailed, failures } = health
  return {
    ...health,
    failures: failures + 1,
    firstFailed: firstFailed !== null && firstFailed.at <= event.at ? firstFailed : event,
    lastFailed: lastFailed !== null && lastFailed.at >= event.at ? lastFailed : event
  }
}

/** Holds everything back for as long as the receiver asked. */
function held(health: WebhookHealth, { outcome, atMs }: AttemptReport, speed: number): WebhookHealth {
  if (outcome.retryAfterMs === null) return health
  const until = latest(null, atMs + outcome.retryAfterMs / speed)
  return health.pausedUntil !== null && health.pausedUntil >= until
    ? health
    : { ...health, pausedUntil: until, pausedFor: 'retry_after' }
}
