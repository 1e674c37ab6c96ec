import type { Outbound, OutboundResponse } from '../../../ports/outbound/port.ts'
import { withoutTrailingSlash } from '../../../lib/text.ts'

const MAX_RESPONSE_BYTES = 64 * 1024
const TIMEOUT_MS = 30_000
const MAX_ATTEMPTS = 2
/**
 * Consecutive failures before calls pause. During the pause, products get the texts of the rules.
 */
const MAX_FAILURES = 5
const PAUSE_MS = 60_000
const HOUR_MS = 3_600_000

export interface ProviderClientOptions {
  send: Outbound['send']
  url: string
  apiKey: string
  callsPerHour: number
  clock: () => number
  timeoutMs?: number
}

/**
 * Posts to `/chat/completions` of the provider, at most `callsPerHour` times in any hour, and
 * returns the response body. Returns null for a truncated response, for a status other than 200,
 * and while no call is allowed. Connection and server errors are retried once, 4xx responses are
 * not. Never throws.
 */
export function createProviderClient({
  send,
  url,
  apiKey,
  callsPerHour,
  clock,
  timeoutMs = TIMEOUT_MS
}: ProviderClientOptions): (body: string, signal: AbortSignal) => Promise<string | null> {
  const endpoint = `${withoutTrailingSlash(url)}/chat/completions`
  const calls: number[] = []
  let failures = 0
  let pausedUntil = 0

  function mayCall(now: number): boolean {
    while (calls.length > 0 && calls[0]! <= now - HOUR_MS) calls.shift()
    if (now < pausedUntil || calls.length >= callsPerHour) return false
    calls.push(now)
    return true
  }

  function recordResult(failed: boolean): void {
    failures = failed ? failures + 1 : 0
    if (failures < MAX_FAILURES) return
    failures = 0
    pausedUntil = clock() + PAUSE_MS
  }

  return async (body, signal) => {
    const headers = {
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      accept: 'application/json'
    }
    for (let attempt = 0; attempt < MAX_ATTEMPTS && !signal.aborted && mayCall(clock()); attempt++) {
      const response = await send({
        url: endpoint,
        method: 'POST',
        headers,
        body,
        maxBytes: MAX_RESPONSE_BYTES,
        rejectLarger: true,
        timeoutMs,
        signal
      })
      if (signal.aborted) return null
      const failed = hasFailed(response)
      recordResult(failed || (response.ok && response.status === 429))
      if (!failed) {
        return response.ok && response.status === 200 && !response.truncated ? response.body.toString('utf8') : null
      }
      if (!isRetryable(response)) return null
    }
    return null
  }
}

function hasFailed(response: OutboundResponse): boolean {
  return !response.ok || response.status >= 500
}

function isRetryable(response: OutboundResponse): boolean {
  return response.ok || !['blocked', 'redirect', 'too_large'].includes(response.error)
}
