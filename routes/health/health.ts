import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { notStored, OneOf } from '../../schemas/fields.ts'

const tags = ['Health']
const config = { access: { kind: 'health' } as const }
const Alive = Type.Object({ status: Type.Literal('ok') }, { description: 'It is well', ...notStored })
const Ready = Type.Object(
  {
    status: OneOf(['ok', 'degraded'], { description: 'degraded: requests are served, while something is missing' }),
    missing: Type.Array(OneOf(['store', 'limits', 'queue']), { description: 'What does not answer' })
  },
  { description: 'Requests can be served', ...notStored }
)
const description =
  'Without the store nothing can be served: 503, and `missing` names what does not answer. Without limits and queue, which are in Redis, requests are served all the same: each process counts by itself, and jobs wait; only a process that works jobs alone answers 503 then.'

/** For probes: live means that the process answers, ready that what it stands on does too. */
const routes: FastifyPluginAsyncTypebox = async (app) => {
  const { health } = app.services
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('cache-control', 'no-store')
  })
  app.get(
    '/',
    {
      config,
      schema: {
        operationId: 'getHealth',
        summary: 'Whether requests can be served',
        description,
        tags,
        response: { 200: Ready }
      }
    },
    () => health.ready()
  )
  app.get(
    '/live',
    {
      config,
      schema: { operationId: 'getLiveness', summary: 'Whether the process answers', tags, response: { 200: Alive } }
    },
    async () => ({ status: 'ok' as const })
  )
  app.get(
    '/ready',
    {
      config,
      schema: {
        operationId: 'getReadiness',
        summary: 'Whether requests can be served',
        description,
        tags,
        response: { 200: Ready }
      }
    },
    () => health.ready()
  )
}
export default routes
