import type { FastifyBaseLogger } from 'fastify'
import fp from 'fastify-plugin'
import { Gauge } from 'prom-client'
import { withTimeout } from '../lib/async.ts'
import { openLimits } from '../ports/limits/open.ts'
import type { Limits, LimitsListener } from '../ports/limits/port.ts'

declare module 'fastify' {
  interface FastifyInstance {
    limits: Limits
  }
}

/** An unstable Redis must not flood the log. */
const LOG_INTERVAL_MS = 60_000
const PING_TIMEOUT_MS = 2000

export default fp(
  async (app) => {
    const limits = await openLimits({
      redisUrl: app.config.REDIS_URL,
      redisPrefix: app.config.REDIS_PREFIX,
      onChange: createOutageLog(app.log)
    })
    const shared = new Gauge({
      name: 'svc_limits_shared',
      help: '1 while rate limits are shared by all processes, 0 while Redis is unreachable',
      registers: [app.metrics.registry]
    })
    app.metrics.beforeScrape(async () => {
      const isShared = await withTimeout(limits.ping(), PING_TIMEOUT_MS).then(
        () => 1,
        () => 0
      )
      shared.set(isShared)
    })
    app.decorate('limits', limits)
    app.addHook('onClose', () => limits.close())
  },
  { name: 'limits', dependencies: ['config', 'metrics'] }
)

/** Logs the start of an outage, at most once a minute, and the end of an outage that was logged. */
function createOutageLog(log: FastifyBaseLogger): LimitsListener {
  let loggedAt = -Infinity
  let isLogged = false
  return (state, cause) => {
    if (state === 'shared') {
      if (isLogged) log.info('Redis is reachable again, rate limits are shared by all processes')
      isLogged = false
      return
    }
    if (performance.now() - loggedAt < LOG_INTERVAL_MS) return
    loggedAt = performance.now()
    isLogged = true
    log.warn({ err: cause }, 'Redis is unreachable, this process enforces rate limits on its own')
  }
}
