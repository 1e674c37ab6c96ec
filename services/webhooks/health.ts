import type { WebhookHealth, WebhookRecord } from '../../ports/store/port.ts'
import { afterTry, later, minuteOf } from './breaker.ts'
import type { Outcome } from './outcome.ts'
import { isToBeSwitchedOff } from './switch-off.ts'

/**
 * A try of a delivery, for its webhook's health. `secretId`: of the signature that the try ended
 * with. `probe`: it was made alone, after a pause. `times`: so many alike, of which this was the
 * last.
 */
export interface Told {
  outcome: Outcome
  atMs: number
  event: { eventId: string; at: string }
  secretId: string
  probe: boolean
  times?: number
}

/** What the next delivery of a webhook may do: wait, be the only one, or go with the others. */
export type Standing = 'wait' | 'probe' | 'go'

/** The health of a webhook that nothing was sent to. */
export const freshHealth = (): WebhookHealth => ({
  lastSuccessAt: null,
  failures: 0,
  firstFailed: null,
  lastFailed: null,
  minutes: [],
  pausedUntil: null,
  pausedFor: null,
  pauseMs: null
})

export function standingOf(
  { disabledBy, health }: Pick<WebhookRecord, 'disabledBy' | 'health'>,
  nowMs = Date.now()
): Standing {
  if (disabledBy !== null || (health.pausedUntil !== null && Date.parse(health.pausedUntil) > nowMs)) return 'wait'
  return health.pauseMs === null ? 'go' : 'probe'
}

/**
 * The webhook after a try: its counts, its pause, whether it is disabled, and which secret the
 * receiver is known to know. `speed` divides pauses and periods.
 */
export function afterTold(webhook: WebhookRecord, told: Told, speed: number): WebhookRecord {
  const { outcome, atMs, probe } = told
  const broken = afterTry(counted(webhook.health, told), {
    delivered: outcome.delivered,
    atMs,
    probe,
    times: told.times ?? 1,
    speed
  })
  const next = { ...webhook, health: held(broken, told, speed) }
  if (outcome.delivered) {
    return webhook.secrets.some(({ id }) => id === told.secretId)
      ? { ...next, lastAcceptedSecretId: told.secretId }
      : next
  }
  if (webhook.disabledBy !== null) return next
  if (outcome.status === 410) return disabled(next, { by: 'gone', reason: 'The receiver answered 410 Gone.' })
  if (isToBeSwitchedOff(next, atMs, speed)) {
    return disabled(next, { by: 'failures', reason: 'No delivery succeeded for 120 hours.' })
  }
  return next
}

/**
 * Whether a try is one more success like the one before it: then nothing follows from it but its
 * count, and both can be told as one.
 */
export function isMoreOf(before: Told, { outcome, atMs, secretId, probe }: Told, speed: number): boolean {
  const isPlain = outcome.delivered && before.outcome.delivered && !probe && !before.probe
  return isPlain && before.secretId === secretId && minuteOf(before.atMs, speed) === minuteOf(atMs, speed)
}

/** The webhook, disabled now. */
export function disabled(
  webhook: WebhookRecord,
  { by, reason }: { by: NonNullable<WebhookRecord['disabledBy']>; reason: string }
): WebhookRecord {
  const now = new Date().toISOString()
  return { ...webhook, disabledBy: by, disabledReason: reason, disabledAt: now, updatedAt: now }
}

/** The webhook, enabled, with its pause and its failures forgotten. */
export function enabled(webhook: WebhookRecord): WebhookRecord {
  const health = { ...freshHealth(), lastSuccessAt: webhook.health.lastSuccessAt }
  return {
    ...webhook,
    disabledBy: null,
    disabledReason: null,
    disabledAt: null,
    health,
    updatedAt: new Date().toISOString()
  }
}

function counted(health: WebhookHealth, { outcome, atMs, event }: Told): WebhookHealth {
  if (outcome.delivered) {
    return {
      ...health,
      lastSuccessAt: later(health.lastSuccessAt, atMs),
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
function held(health: WebhookHealth, { outcome, atMs }: Told, speed: number): WebhookHealth {
  if (outcome.retryAfterMs === null) return health
  const until = later(null, atMs + outcome.retryAfterMs / speed)
  return health.pausedUntil !== null && health.pausedUntil >= until
    ? health
    : { ...health, pausedUntil: until, pausedFor: 'retry_after' }
}
