import { memberAt, parseJson } from './json.ts'
import type { OutboundResponse } from '../../../ports/outbound/port.ts'

/**
 * What a response means for the product. `ok`: it has a body to parse. `retry`: the service is
 * overloaded or has failed, and the same request may succeed later. `settings`: no request succeeds
 * until the operator has corrected the settings. `rejected`: this request does not succeed.
 */
export type ResponseKind = 'ok' | 'retry' | 'settings' | 'rejected'

/** Request Timeout, Too Early, Too Many Requests. Statuses from 500 on, such as 529, are retried, too. */
const RETRIED_STATUSES = [408, 425, 429]
/** The API key, the quota of the account, its permissions, or the URL and the model. */
const SETTINGS_STATUSES = [401, 402, 403, 404, 405]
const MAX_MESSAGE_LENGTH = 200
const MAX_RETRY_AFTER_MS = 3_600_000

/** What a response means. 501 and 505 are server errors that a retry does not change. */
export function kindOf(response: OutboundResponse): ResponseKind {
  if (!response.ok) {
    if (response.error === 'blocked' || response.error === 'redirect') return 'settings'
    return response.error === 'too_large' ? 'rejected' : 'retry'
  }
  const { status, truncated } = response
  if (status === 200) return truncated ? 'rejected' : 'ok'
  if (RETRIED_STATUSES.includes(status) || (status >= 500 && status !== 501 && status !== 505)) return 'retry'
  return SETTINGS_STATUSES.includes(status) ? 'settings' : 'rejected'
}

/** The message of an error body. Both protocols have it at `error.message`. */
export function errorMessage(response: OutboundResponse): string {
  if (!response.ok) return response.detail
  const error = memberAt(parseJson(response.body.toString('utf8')), 'error')
  const message = memberAt(error, 'message') ?? error
  if (typeof message !== 'string') return ''
  return message
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_MESSAGE_LENGTH)
}

/**
 * The member of the request that an error names: `error.param` of OpenAI, otherwise the one of
 * `names` in the message.
 */
export function rejectedMember(response: OutboundResponse, names: readonly string[]): string | undefined {
  if (!response.ok || (response.status !== 400 && response.status !== 422)) return undefined
  const param = memberAt(parseJson(response.body.toString('utf8')), 'error', 'param')
  const message = errorMessage(response)
  return names.find((name) => name === param || new RegExp(`\\b${name}\\b`).test(message))
}

/**
 * The value of Retry-After in milliseconds, at most an hour: seconds, or a date. Null without a
 * valid one (RFC 9110, 10.2.3).
 */
export function retryAfterMs(response: OutboundResponse, now: number): number | null {
  const value = response.ok ? response.headers['retry-after']?.trim() : undefined
  if (value === undefined || value === '') return null
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, 0), MAX_RETRY_AFTER_MS)
}
