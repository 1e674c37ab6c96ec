/** The longest wait that a receiver may ask for. */
export const MAX_RETRY_AFTER_MS = 24 * 3_600_000
// IMF-fixdate of RFC 9110, section 5.6.7; the obsolete forms are not sent by anything that sends
// Retry-After.
const HTTP_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

/**
 * Milliseconds that a `Retry-After` (RFC 9110, section 10.2.3: seconds or a date) asks to wait, at
 * most 24 hours; null when it asks for nothing that can be understood.
 */
export function retryAfterMs(value: string | undefined, nowMs = Date.now()): number | null {
  const text = value?.trim() ?? ''
  const ms = /^\d{1,15}$/.test(text) ? Number(text) * 1000 : HTTP_DATE.test(text) ? Date.parse(text) - nowMs : NaN
  return ms > 0 ? Math.min(ms, MAX_RETRY_AFTER_MS) : null
}
