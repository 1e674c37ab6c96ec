import { createGrowingLru } from '../../lib/growing-lru.ts'
import type { DeliveryAttempt } from '../../schemas/webhook.ts'

/*
 * The receiver of a webhook chooses how much of its responses is stored, for each attempt of each delivery, and nobody
 * else pays for it. So the length of what is stored is limited as JSON: a control character has six bytes.
 */

/** What is stored of one response, in bytes of JSON. */
interface Limits {
  response: number
  headers: number
}

/** Of a response that says why an attempt failed. */
const FAILED: Limits = { response: 16 * 1024, headers: 4 * 1024 }
/** Of others, and of all responses of an account that has stored many long ones. */
const SHORT: Limits = { response: 1024, headers: 1024 }
/** What failed attempts of an account may store in an hour beyond short responses, in bytes. */
const LONG_BYTES_PER_HOUR = 4 * 1024 * 1024
const HOUR_MS = 3_600_000
/** Accounts whose long responses are counted. */
const MAX_ACCOUNTS = 10_000

/** Without the quotes. */
const jsonBytes = (text: string): number => Buffer.byteLength(JSON.stringify(text)) - 2

/** The beginning of a text that has at most so many bytes as JSON. Does not cut a surrogate pair. */
export function firstJsonBytes(text: string, maxBytes: number): string {
  if (text.length * 6 <= maxBytes || jsonBytes(text) <= maxBytes) return text
  let [fits, tooLong] = [0, Math.min(text.length, maxBytes) + 1]
  while (tooLong - fits > 1) {
    const middle = Math.floor((fits + tooLong) / 2)
    if (jsonBytes(text.slice(0, middle)) <= maxBytes) fits = middle
    else tooLong = middle
  }
  const isInPair = /[\ud800-\udbff]/.test(text.charAt(fits - 1)) && /[\udc00-\udfff]/.test(text.charAt(fits))
  return text.slice(0, isInPair ? fits - 1 : fits)
}

/** A header has no control characters, so that a character has at most two bytes; and quotes, a colon and a comma. */
const BYTES_PER_CHARACTER = 2
const BYTES_PER_HEADER = 6

/** The first headers that have at most so many bytes as JSON. */
function firstHeaders(headers: Record<string, string>, maxBytes: number): Record<string, string> {
  let bytes = 2
  for (const name in headers) {
    bytes += BYTES_PER_HEADER + BYTES_PER_CHARACTER * (name.length + headers[name]!.length)
  }
  if (bytes <= maxBytes) return headers
  bytes = 2
  const fitting: Record<string, string> = {}
  for (const name in headers) {
    bytes += jsonBytes(name + headers[name]!) + BYTES_PER_HEADER
    if (bytes > maxBytes) break
    fitting[name] = headers[name]!
  }
  return fitting
}

function shorten(attempt: DeliveryAttempt, limits: Limits): DeliveryAttempt {
  const response = firstJsonBytes(attempt.response, limits.response)
  const responseHeaders = firstHeaders(attempt.responseHeaders, limits.headers)
  const isWhole = response === attempt.response && responseHeaders === attempt.responseHeaders
  return isWhole ? attempt : { ...attempt, response, responseHeaders }
}

const sizeOf = ({ response, responseHeaders }: DeliveryAttempt): number =>
  jsonBytes(response) + Buffer.byteLength(JSON.stringify(responseHeaders))

/** Limits what attempts store of the responses of receivers. */
export function createLoggedResponses(now: () => number = Date.now) {
  const used = createGrowingLru<string, { hour: number; bytes: number }>(MAX_ACCOUNTS)

  function takeLong(accountId: string, bytes: number): boolean {
    const hour = Math.floor(now() / HOUR_MS)
    const before = used.get(accountId)
    const sum = (before?.hour === hour ? before.bytes : 0) + bytes
    if (sum > LONG_BYTES_PER_HOUR) return false
    used.set(accountId, { hour, bytes: sum })
    return true
  }

  return {
    /** The attempt as it is stored. A delivered one stores the first KiB of the response, a failed one up to 16 KiB. */
    limit(accountId: string, attempt: DeliveryAttempt): DeliveryAttempt {
      if (attempt.error === null) return shorten(attempt, SHORT)
      const long = shorten(attempt, FAILED)
      const bytes = sizeOf(long)
      if (bytes <= SHORT.response || takeLong(accountId, bytes)) return long
      return shorten(long, SHORT)
    }
  }
}

export type LoggedResponses = ReturnType<typeof createLoggedResponses>
