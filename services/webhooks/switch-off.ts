import type { WebhookRecord } from '../../ports/store/port.ts'

const HOUR_MS = 3_600_000
const HOURS_WITHOUT_SUCCESS = 120
const MIN_FAILURES = 10
const HOURS_BETWEEN_EVENTS = 12

/**
 * Whether a webhook is to be disabled because its receiver seems to be gone: no 2xx for 120 hours
 * (since it was made, when there was none) and at least 10
 * failures, of at least 2 events that happened at least 12 hours apart, so that one bad event or
 * one bad night is not enough. `speed` divides the hours.
 */
export function shouldAutoDisable(
  { health, createdAt }: Pick<WebhookRecord, 'health' | 'createdAt'>,
  nowMs: number,
  speed: number
): boolean {
  const { firstFailed, lastFailed, failures, lastSuccessAt } = health
  if (failures < MIN_FAILURES || firstFailed === null || lastFailed === null) return false
  const apartMs = Date.parse(lastFailed.at) - Date.parse(firstFailed.at)
  const silentMs = nowMs - Date.parse(lastSuccessAt ?? createdAt)
  return apartMs >= (HOURS_BETWEEN_EVENTS * HOUR_MS) / speed && silentMs >= (HOURS_WITHOUT_SUCCESS * HOUR_MS) / speed
}
