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

/** What every route may use: @fastify/sensible, and the shared schemas by name. */
export default fp(
  async (app) => {
    await app.register(sensible)
    app.decorate('exposedHeaders', EXPOSED_HEADERS)
    app.decorateReply('noCache', false)
    for (const schema of namedSchemas) app.addSchema(schema)
  },
  { name: 'http-defaults' }
)
