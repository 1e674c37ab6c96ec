import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { notStored, Nullable, OneOf } from '../../schemas/fields.ts'
import { Alive, Ready } from '../../schemas/health.ts'

const tags = ['Health']
const config = { access: { kind: 'health' } as const }
const ReadyWithBrowser = Type.Object(
  {
    ...Ready.properties,
    browser: Type.Object({
      sandbox: Nullable(OneOf(['on', 'off', 'unavailable']), {
        description:
          'The sandbox of Chromium in this process. `unavailable`: visual checks cannot run without it. ' +
          'Null until the first visual check'
      })
    })
  },
  { description: 'The process is ready', ...notStored }
)
const description =
  'Responds with 503 if the store or the files are unreachable, damaged or cannot be written. ' +
  'A write is tried every 10 seconds (`HEALTH_PROBE_SECONDS`). ' +
  '`missing` lists the dependencies that do not respond or cannot write.\n\n' +
  'Without Redis, requests are served: each process enforces rate limits on its own, and jobs wait. ' +
  'Only processes with `ROLE=worker` respond with 503.'

/** Health checks: `live` checks the process, `ready` also checks its dependencies. */
const routes: FastifyPluginAsyncTypebox = async (app) => {
  const { health, visualChecks } = app.services
  app.addHook('onRequest', async (_request, reply) => {
    reply.cacheControl('no-store')
  })
  app.get(
    '/',
    {
      config,
      schema: {
        operationId: 'getHealth',
        summary: 'Check readiness',
        description,
        tags,
        response: { 200: ReadyWithBrowser }
      }
    },
    async () => ({ ...(await health.ready()), browser: { sandbox: visualChecks.sandbox() } })
  )
  app.get(
    '/live',
    {
      config,
      schema: { operationId: 'getLiveness', summary: 'Check liveness', tags, response: { 200: Alive } }
    },
    async () => ({ status: 'ok' as const })
  )
  app.get(
    '/ready',
    {
      config,
      schema: {
        operationId: 'getReadiness',
        summary: 'Check readiness',
        description,
        tags,
        response: { 200: Ready }
      }
    },
    () => health.ready()
  )
}
export default routes
