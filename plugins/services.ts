import fp from 'fastify-plugin'
import { createServices, type Services } from '../services/index.ts'

declare module 'fastify' { interface FastifyInstance { services: Services } }

/** How often counts that are gathered in memory are written: when keys were last used, and requests by hour. */
const FLUSH_MS = 60_000

export default fp(async (app) => {
  const { config, store, queue, limits, files, secrets } = app
  const services = createServices({ store, queue, limits, files }, {
    brand: config.BRAND,
    defaultPlan: config.DEFAULT_PLAN,
    addressLimit: config.ADDRESS_REQUESTS_PER_HOUR,
    sessions: { secret: secrets.session, jwksUrl: config.SESSION_JWKS_URL, issuer: config.SESSION_ISSUER, audience: config.SESSION_AUDIENCE },
    previewKey: secrets.key,
    publicUrl: () => app.publicUrl
  })
  app.decorate('services', services)
  const flush = async () => { await Promise.all([services.gate.flush(), services.usage.flush()]) }
  const timer = setInterval(() => { flush().catch((error: unknown) => { app.log.error({ err: error }, 'usage could not be written') }) }, FLUSH_MS).unref()
  app.addHook('onClose', async () => {
    clearInterval(timer)
    await flush()
  })
}, { name: 'services', dependencies: ['config', 'store', 'queue', 'limits', 'files', 'secrets'] })
