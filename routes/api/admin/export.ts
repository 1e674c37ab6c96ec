import { Readable } from 'node:stream'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { notStored } from '../../../schemas/fields.ts'
import { adminAccess } from '../../callers.ts'

/** Everything, for administrators: for backups and for moving. */
const routes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/export',
    {
      config: { access: adminAccess, errors: ['admin_only'] },
      schema: {
        operationId: 'exportEverything',
        summary: 'Export everything',
        description:
          'Lines of JSON: first `export`, then a line for each record and file, then `end` with how many there were and their sum; without it the export was broken off. Values of keys are not in it, signing secrets are encrypted. `svc import` reads it.',
        tags: ['Administration'],
        produces: ['application/x-ndjson'],
        response: { 200: Type.Unsafe<unknown>({ type: 'string', description: 'Lines of JSON', ...notStored }) }
      }
    },
    async (_request, reply) => {
      reply.type('application/x-ndjson; charset=utf-8').header('cache-control', 'no-store')
      return await reply.send(Readable.from(app.services.transfer.exportLines()))
    }
  )
}
export default routes
