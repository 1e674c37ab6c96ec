import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { notStored } from '../../schemas/fields.ts'

const tags = ['Health']
const config = { access: { kind: 'health' } as const }
const Status = Type.Object({ status: Type.Literal('ok') }, { description: 'It is well', ...notStored })

/** For probes: live means that the process answers, ready that its store does too. */
const routes: FastifyPluginAsyncTypebox = async (app) => {
  const { health } = app.services
  const ready = async () => {
    await health.ready()
    return { status: 'ok' as const }
  }
  app.addHook('onRequest', async (_request, reply) => { reply.header('cache-control', 'no-store') })
  app.get('/', { config, schema: { operationId: 'getHealth', summary: 'Whether requests can be served', tags, response: { 200: Status } } }, ready)
  app.get('/live', { config, schema: { operationId: 'getLiveness', summary: 'Whether the process answers', tags, response: { 200: Status } } }, async () => ({ status: 'ok' as const }))
  app.get('/ready', { config, schema: { operationId: 'getReadiness', summary: 'Whether requests can be served', tags, response: { 200: Status } } }, ready)
}
export default routes
