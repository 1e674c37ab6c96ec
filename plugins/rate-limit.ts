import fp from 'fastify-plugin'
import { WINDOW_MS } from '../ports/limits/port.ts'
import type { AuthContext } from '../services/auth/index.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The rate limit headers of every response. */
    rateLimitHeaders: (auth: AuthContext) => Record<string, string>
  }
}

const WINDOW_SECONDS = WINDOW_MS / 1000

/**
 * The `X-RateLimit-*` headers, and `RateLimit-Policy` and `RateLimit` as defined by
 * draft-ietf-httpapi-ratelimit-headers. `X-RateLimit-Reset` is in Unix seconds, rounded up, so that
 * a retry at that time succeeds.
 */
export function rateLimitHeaders({ rateLimit, policy }: AuthContext, nowMs = Date.now()): Record<string, string> {
  const { limit, remaining, resetAt } = rateLimit
  const secondsLeft = Math.min(WINDOW_SECONDS, Math.max(0, Math.ceil((resetAt - nowMs) / 1000)))
  return {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(Math.ceil(resetAt / 1000)),
    'ratelimit-policy': `"${policy}";q=${limit};w=${WINDOW_SECONDS}`,
    ratelimit: `"${policy}";r=${remaining};t=${secondsLeft}`
  }
}

/** The response headers that report the rate limit of the caller. */
export default fp(
  async (app) => {
    app.decorate('rateLimitHeaders', (auth) => rateLimitHeaders(auth))
  },
  { name: 'rate-limit' }
)
