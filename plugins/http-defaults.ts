import sensible from '@fastify/sensible'
import fp from 'fastify-plugin'
import { namedSchemas } from '../schemas/index.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The value of Access-Control-Expose-Headers. */
    exposedHeaders: string
  }
  interface FastifyReply {
    /** Set to keep this response of a cached route out of the response cache. */
    noCache: boolean
  }
}

const EXPOSED_HEADERS = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'RateLimit-Policy',
  'RateLimit',
  'Retry-After',
  'ETag',
  'Link',
  'X-Omitted-Records',
  'X-Request-Id'
].join(', ')

/** How often connections that became idle during the shutdown are closed. */
const CLOSE_IDLE_MS = 250

/**
 * What every route may use: @fastify/sensible, and the shared schemas by name. While the server
 * closes, connections are closed as soon as they are idle: Fastify closes those that are idle when it
 * begins, and a client that is still sending the body of a rejected request would keep its connection
 * open for the keep-alive time.
 */
export default fp(
  async (app) => {
    await app.register(sensible)
    app.decorate('exposedHeaders', EXPOSED_HEADERS)
    app.decorateReply('noCache', false)
    for (const schema of namedSchemas) app.addSchema(schema)
    let timer: NodeJS.Timeout | undefined
    app.addHook('preClose', async () => {
      timer = setInterval(() => app.server.closeIdleConnections(), CLOSE_IDLE_MS).unref()
    })
    // The server has no connections any more.
    app.addHook('onClose', async () => clearInterval(timer))
  },
  { name: 'http-defaults' }
)
