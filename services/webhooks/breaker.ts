import type { WebhookHealth } from '../../ports/store/port.ts'

const MINUTE_MS = 60_000
/** Attempts of so many minutes are looked at. */
const WINDOW_MINUTES = 5
const MIN_TRIES = 10
const FAILING_SHARE = 0.7
export const FIRST_PAUSE_MS = 30_000
export const LONGEST_PAUSE_MS = 600_000

/**
 * An attempt as the breaker sees it. `probe`: the one that is made after a pause. `times`: so many
 * of them alike. `speed` divides the window and the pauses.
 */
export interface BreakerAttempt {
  delivered: boolean
  atMs: number
  isProbe: boolean
  times: number
  timeScale: number
}

/**
 * The pause and the counts after an attempt: 10 attempts in 5 minutes of which 70 % failed make a
 * pause of 30 s; a probe that fails doubles it up to 10 min, one that succeeds ends it.
 */
export function applyToBreaker(health: WebhookHealth, attempt: BreakerAttempt): WebhookHealth {
  if (attempt.delivered && attempt.isProbe) {
    return { ...health, minutes: counted([], attempt), pausedUntil: null, pausedFor: null, pauseMs: null }
  }
  const next = { ...health, minutes: counted(health.minutes, attempt) }
  const pauseMs = pauseAfter(next, attempt)
  if (pauseMs === null) return next
  return {
    ...next,
    pauseMs,
    pausedUntil: latest(next.pausedUntil, attempt.atMs + pauseMs / attempt.timeScale),
    pausedFor: 'breaker'
  }
}

/**
 * The pause that this attempt brings; null for none. What was under way when a pause began does not
 * make it longer.
 */
function pauseAfter({ pauseMs, minutes }: WebhookHealth, { delivered, isProbe: probe }: BreakerAttempt): number | null {
  if (delivered) return null
  if (pauseMs !== null) return probe ? Math.min(pauseMs * 2, LONGEST_PAUSE_MS) : null
  const failed = minutes.reduce((sum, minute) => sum + minute.failed, 0)
  const tries = minutes.reduce((sum, minute) => sum + minute.failed + minute.ok, 0)
  return tries >= MIN_TRIES && failed >= tries * FAILING_SHARE ? FIRST_PAUSE_MS : null
}

function counted(
  minutes: WebhookHealth['minutes'],
  { delivered, atMs, times, timeScale: speed }: BreakerAttempt
): WebhookHealth['minutes'] {
  const minute = toMinute(atMs, speed)
  const recent = minutes.filter((entry) => entry.minute > minute - WINDOW_MINUTES)
  const now = recent.find((entry) => entry.minute === minute) ?? { minute, ok: 0, failed: 0 }
  const added = delivered ? { ...now, ok: now.ok + times } : { ...now, failed: now.failed + times }
  return [...recent.filter((entry) => entry !== now), added]
}

/** The minute of an instant, by which attempts are counted. */
export function toMinute(atMs: number, speed: number): number {
  return Math.floor(atMs / (MINUTE_MS / speed))
}

/** The later of a time and an instant in milliseconds since 1970. */
export function latest(time: string | null, ms: number): string {
  const other = new Date(ms).toISOString()
  return time !== null && time > other ? time : other
}
