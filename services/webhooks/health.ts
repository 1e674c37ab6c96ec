import type { WebhookHealth, WebhookRecord } from '../../ports/store/port.ts'
import type { Outcome } from './attempt.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000

/** The breaker opens when 70 % of at least 10 attempts within 5 minutes failed. */
const WINDOW_MINUTES = 5
const MIN_ATTEMPTS = 10
const FAILURE_RATIO = 0.7
export const FIRST_PAUSE_MS = 30_000
export const MAX_PAUSE_MS = 600_000

/** See `shouldAutoDisable`. */
const MAX_HOURS_WITHOUT_SUCCESS = 120
const MIN_FAILURES = 10
const MIN_HOURS_BETWEEN_EVENTS = 12

/** The result of an attempt, for the health of its webhook. */
export interface AttemptReport {
  outcome: Outcome
  atMs: number
  event: { eventId: string; at: string }
  /** The secret that signed the last attempt. */
  secretId: string
  /** The attempt was the only one allowed, after a pause. */
  isProbe: boolean
  /** The number of equal successful attempts in this report. Default 1. */
  times?: number
}

/**
 * The circuit breaker of a webhook. `open`: nothing is sent. `half-open`: one delivery is sent as a
 * probe. `closed`: deliveries are sent.
 */
export type CircuitState = 'closed' | 'half-open' | 'open'

/** The health of a new webhook. */
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
  if (disabledBy !== null || (health.pausedUntil !== null && Date.parse(health.pausedUntil) > nowMs)) return 'open'
  return health.pauseMs === null ? 'closed' : 'half-open'
}

/**
 * The webhook after an attempt: its counts, its pause, whether it is disabled, and which secret the
 * receiver accepts. `timeScale` divides pauses and periods.
 */
export function applyAttempt(webhook: WebhookRecord, report: AttemptReport, timeScale: number): WebhookRecord {
  const { outcome, atMs, isProbe } = report
  const afterBreaker = applyToBreaker(countAttempt(webhook.health, report), {
    delivered: outcome.delivered,
    atMs,
    isProbe,
    times: report.times ?? 1,
    timeScale
  })
  const next = { ...webhook, health: applyRetryAfter(afterBreaker, report, timeScale) }
  if (outcome.delivered) {
    const isKnown = webhook.secrets.some(({ id }) => id === report.secretId)
    return isKnown ? { ...next, lastAcceptedSecretId: report.secretId } : next
  }
  if (webhook.disabledBy !== null) return next
  if (outcome.status === 410) return disable(next, { by: 'gone', reason: 'The receiver responded with 410 Gone.' })
  if (shouldAutoDisable(next, atMs, timeScale)) {
    return disable(next, { by: 'failures', reason: 'No delivery succeeded for 120 hours.' })
  }
  return next
}

/** Whether a report is one more success of the same kind, so that both can be counted as one report. */
export function canMerge(
  previous: AttemptReport,
  { outcome, atMs, secretId, isProbe }: AttemptReport,
  timeScale: number
): boolean {
  const areSuccesses = outcome.delivered && previous.outcome.delivered && !isProbe && !previous.isProbe
  return (
    areSuccesses && previous.secretId === secretId && toMinute(previous.atMs, timeScale) === toMinute(atMs, timeScale)
  )
}

/** The webhook, disabled now. */
export function disable(
  webhook: WebhookRecord,
  { by, reason }: { by: NonNullable<WebhookRecord['disabledBy']>; reason: string }
): WebhookRecord {
  const now = new Date().toISOString()
  return { ...webhook, disabledBy: by, disabledReason: reason, disabledAt: now, updatedAt: now }
}

/** The webhook, enabled, without its pause and its failures. */
export function enable(webhook: WebhookRecord): WebhookRecord {
  const health = { ...initialHealth(), lastSuccessAt: webhook.health.lastSuccessAt }
  const updatedAt = new Date().toISOString()
  return { ...webhook, disabledBy: null, disabledReason: null, disabledAt: null, health, updatedAt }
}

/**
 * Whether a webhook is to be disabled because its receiver seems to be gone: no 2xx for 120 hours
 * (since its creation if there was none), and at least 10 failed attempts of at least 2 events that
 * are at least 12 hours apart. So one bad event or one bad night is not enough. `timeScale` divides
 * the hours.
 */
export function shouldAutoDisable(
  { health, createdAt }: Pick<WebhookRecord, 'health' | 'createdAt'>,
  nowMs: number,
  timeScale: number
): boolean {
  const { firstFailed, lastFailed, failures, lastSuccessAt } = health
  if (failures < MIN_FAILURES || firstFailed === null || lastFailed === null) return false
  const apartMs = Date.parse(lastFailed.at) - Date.parse(firstFailed.at)
  const silentMs = nowMs - Date.parse(lastSuccessAt ?? createdAt)
  return (
    apartMs >= (MIN_HOURS_BETWEEN_EVENTS * HOUR_MS) / timeScale &&
    silentMs >= (MAX_HOURS_WITHOUT_SUCCESS * HOUR_MS) / timeScale
  )
}

function countAttempt(health: WebhookHealth, { outcome, atMs, event }: AttemptReport): WebhookHealth {
  if (outcome.delivered) {
    const lastSuccessAt = latest(health.lastSuccessAt, atMs)
    return { ...health, lastSuccessAt, failures: 0, firstFailed: null, lastFailed: null }
  }
  const { firstFailed, lastFailed, failures } = health
  return {
    ...health,
    failures: failures + 1,
    firstFailed: firstFailed !== null && firstFailed.at <= event.at ? firstFailed : event,
    lastFailed: lastFailed !== null && lastFailed.at >= event.at ? lastFailed : event
  }
}

/** Pauses the webhook for as long as the receiver asked. */
function applyRetryAfter(health: WebhookHealth, { outcome, atMs }: AttemptReport, timeScale: number): WebhookHealth {
  if (outcome.retryAfterMs === null) return health
  const until = latest(null, atMs + outcome.retryAfterMs / timeScale)
  return health.pausedUntil !== null && health.pausedUntil >= until
    ? health
    : { ...health, pausedUntil: until, pausedFor: 'retry_after' }
}

/** An attempt as the breaker counts it. */
interface BreakerAttempt {
  delivered: boolean
  atMs: number
  isProbe: boolean
  times: number
  timeScale: number
}

/**
 * The counts and the pause after an attempt. The first pause lasts 30 s. A failed probe doubles the
 * pause, up to 10 minutes; a successful one closes the breaker.
 */
function applyToBreaker(health: WebhookHealth, attempt: BreakerAttempt): WebhookHealth {
  if (attempt.delivered && attempt.isProbe) {
    return { ...health, minutes: countMinute([], attempt), pausedUntil: null, pausedFor: null, pauseMs: null }
  }
  const next = { ...health, minutes: countMinute(health.minutes, attempt) }
  const pauseMs = pauseAfter(next, attempt)
  if (pauseMs === null) return next
  const pausedUntil = latest(next.pausedUntil, attempt.atMs + pauseMs / attempt.timeScale)
  return { ...next, pauseMs, pausedUntil, pausedFor: 'breaker' }
}

/**
 * The pause that this attempt causes; null for none. Attempts that were in flight when a pause began
 * do not extend it.
 */
function pauseAfter({ pauseMs, minutes }: WebhookHealth, { delivered, isProbe }: BreakerAttempt): number | null {
  if (delivered) return null
  if (pauseMs !== null) return isProbe ? Math.min(pauseMs * 2, MAX_PAUSE_MS) : null
  const failed = minutes.reduce((sum, minute) => sum + minute.failed, 0)
  const attempts = minutes.reduce((sum, minute) => sum + minute.failed + minute.ok, 0)
  return attempts >= MIN_ATTEMPTS && failed >= attempts * FAILURE_RATIO ? FIRST_PAUSE_MS : null
}

function countMinute(
  minutes: WebhookHealth['minutes'],
  { delivered, atMs, times, timeScale }: BreakerAttempt
): WebhookHealth['minutes'] {
  const minute = toMinute(atMs, timeScale)
  const recent = minutes.filter((entry) => entry.minute > minute - WINDOW_MINUTES)
  const current = recent.find((entry) => entry.minute === minute) ?? { minute, ok: 0, failed: 0 }
  const counted = delivered ? { ...current, ok: current.ok + times } : { ...current, failed: current.failed + times }
  return [...recent.filter((entry) => entry !== current), counted]
}

/** The minute in which attempts are counted together. */
function toMinute(atMs: number, timeScale: number): number {
  return Math.floor(atMs / (MINUTE_MS / timeScale))
}

/** The later of a timestamp and a Unix time in milliseconds. */
function latest(time: string | null, ms: number): string {
  const other = new Date(ms).toISOString()
  return time !== null && time > other ? time : other
}
