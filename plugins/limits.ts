import type { FastifyBaseLogger } from 'fastify'
import fp from 'fastify-plugin'
import { openLimits } from '../ports/limits/open.ts'
import type { Limits, LimitsListener } from '../ports/limits/port.ts'

declare module 'fastify' {
  interface FastifyInstance {
    limits: Limits
  }
}

/** A Redis that comes and goes would fill the log. */
const SAID_EVERY_MS = 60_000

export default fp(
  async (app) => {
    const limits = await openLimits({
      redisUrl: app.config.REDIS_URL,
      redisPrefix: app.config.REDIS_PREFIX,
      onChange: createLogging(app.log)
    })
    app.decorate('limits', limits)
    app.addHook('onClose', () => limits.close())
  },
  { name: 'limits', dependencies: ['config'] }
)

/**
 * Logs the beginning of an outage, once a minute at most, and the end of one whose beginning was
 * logged.
 */
function createLogging(log: FastifyBaseLogger): LimitsListener {
  let saidAt = -Infinity
  let isSaid = false
  return (state, cause) => {
    if (state === 'shared') {
      if (isSaid) log.info('requests are counted together with the other processes again')
      isSaid = false
      return
    }
    if (performance.now() - saidAt < SAID_EVERY_MS) return
    saidAt = performance.now()
    isSaid = true
    log.warn({ err: cause }, 'Redis does not answer: requests are counted by this process alone')
  }
}
