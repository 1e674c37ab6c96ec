import type { Outbound, OutboundResponse } from '../../../ports/outbound/port.ts'

const MAX_RESPONSE_BYTES = 64 * 1024
const TIMEOUT_MS = 30_000
const MAX_ATTEMPTS = 2
/**
 * So many failures in a row, and the provider is left alone for a while: products get what the
 * rules make rather than wait for nothing.
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
 * Posts to the provider's `/chat/completions`, at most `callsPerHour` times in any hour, and
 * returns the answer's text; null when there is none, it was cut, is not 200,
 * or may not be asked for now. Tried once more when the connection or the server failed (not after
 * 4xx). Never throws.
 */
export function createProviderClient({
  send,
  url,
  apiKey,
  callsPerHour,
  clock,
  timeoutMs = TIMEOUT_MS
}: ProviderClientOptions): (body: string, signal: AbortSignal) => Promise<string | null> {
  const address = `${url.replace(/\/+$/, '')}/chat/completions`
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
    for (let tries = 0; tries < MAX_ATTEMPTS && !signal.aborted && mayCall(clock()); tries++) {
      const answer = await send({
        url: address,
        method: 'POST',
        headers,
        body,
        maxBytes: MAX_RESPONSE_BYTES,
        rejectLarger: true,
        timeoutMs,
        signal
      })
      if (signal.aborted) return null
      const failed = hasFailed(answer)
      recordResult(failed || (answer.ok && answer.status === 429))
      if (!failed) return answer.ok && answer.status === 200 && !answer.truncated ? answer.body.toString('utf8') : null
      if (!isRetryable(answer)) return null
    }
    return null
  }
}

function hasFailed(answer: OutboundResponse): boolean {
  return !answer.ok || answer.status >= 500
}

function isRetryable(answer: OutboundResponse): boolean {
  return answer.ok || !['blocked', 'redirect', 'too_large'].includes(answer.error)
}
