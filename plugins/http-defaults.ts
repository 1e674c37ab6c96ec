import sensible from '@fastify/sensible'
import fp from 'fastify-plugin'
import { nouns } from '../schemas/index.ts'
import { EXPOSED_HEADERS } from './http/rate-limit-headers.ts'

declare module 'fastify' { interface FastifyInstance { /** What a page of another origin may read of an answer. */ exposedHeaders: string } }

/** What every answer has: its request's id and the safe choices of security headers; and the nouns that routes refer to by name. */
export default fp(async (app) => {
  await app.register(sensible)
  app.decorate('exposedHeaders', EXPOSED_HEADERS)
  for (const noun of nouns) app.addSchema(noun)
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    reply.header('x-content-type-options', 'nosniff')
    done()
  })
}, { name: 'http-defaults' })
