import { Readable } from 'node:stream'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { notStored } from '../../../schemas/fields.ts'
import { adminAccess } from '../../callers.ts'

/** Export of all data, for administrators: for backups and migrations. */
const routes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/export',
    {
      config: { access: adminAccess, errors: ['admin_only'] },
      schema: {
        operationId: 'exportEverything',
        summary: 'Export all data',
        description:
          'Returns NDJSON: a line `export`, a line for each record and file, ' +
          'and a line `end` with the count and a checksum. ' +
          'An export without the last line is incomplete. ' +
          'API key values are not included; signing secrets are encrypted. Import the file with `svc import`.',
        tags: ['Administration'],
        produces: ['application/x-ndjson'],
        response: { 200: Type.Unsafe<unknown>({ type: 'string', description: 'The export as NDJSON', ...notStored }) }
      }
    },
    async (_request, reply) => {
      reply.type('application/x-ndjson; charset=utf-8').cacheControl('no-store')
      return await reply.send(Readable.from(app.services.transfer.exportLines()))
    }
  )
}
export default routes
