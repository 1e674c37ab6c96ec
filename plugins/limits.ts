import fp from 'fastify-plugin'
import { openLimits } from '../ports/limits/open.ts'
import type { Limits } from '../ports/limits/port.ts'

declare module 'fastify' { interface FastifyInstance { limits: Limits } }

export default fp(async (app) => {
  const limits = await openLimits({ redisUrl: app.config.REDIS_URL, redisPrefix: app.config.REDIS_PREFIX })
  app.decorate('limits', limits)
  app.addHook('onClose', () => limits.close())
}, { name: 'limits', dependencies: ['config'] })
