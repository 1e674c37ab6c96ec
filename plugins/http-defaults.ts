import sensible from '@fastify/sensible'
import fp from 'fastify-plugin'
import { nouns } from '../schemas/index.ts'
import { EXPOSED_HEADERS } from './http/rate-limit-headers.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** What a page of another origin may read of an answer. */ exposedHeaders: string
  }
}

/**
 * What routes can count on: the nouns that they refer to by name, and the framework's small
 * comforts.
 */
export default fp(
  async (app) => {
    await app.register(sensible)
    app.decorate('exposedHeaders', EXPOSED_HEADERS)
    for (const noun of nouns) app.addSchema(noun)
  },
  { name: 'http-defaults' }
)
