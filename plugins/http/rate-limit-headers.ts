import { WINDOW_MS } from '../../ports/limits/port.ts'
import type { AuthContext } from '../../services/auth/index.ts'

const WINDOW_SECONDS = WINDOW_MS / 1000

/**
 * The headers that every answer carries: the three of the specification, and `RateLimit-Policy` and
 * `RateLimit` as
 * draft-ietf-httpapi-ratelimit-headers writes them. Reset is in whole seconds since 1970, rounded
 * up, so that a retry then succeeds.
 */
export function rateLimitHeaders({ rateLimit, policy }: AuthContext, nowMs = Date.now()): Record<string, string> {
  const { limit, remaining, resetAt } = rateLimit
  return {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(Math.ceil(resetAt / 1000)),
    'ratelimit-policy': `"${policy}";q=${limit};w=${WINDOW_SECONDS}`,
    ratelimit: `"${policy}";r=${remaining};t=${Math.min(WINDOW_SECONDS, Math.max(0, Math.ceil((resetAt - nowMs) / 1000)))}`
  }
}

/** What a page of another origin may read, where CORS lets it in. */
export const EXPOSED_HEADERS =
  'X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, RateLimit-Policy, RateLimit, Retry-After, ETag, Link, X-Request-Id'
