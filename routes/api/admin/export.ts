import { Readable } from 'node:stream'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { notStored } from '../../../schemas/fields.ts'
import { adminAccess } from '../../callers.ts'

/** Everything, for administrators: for backups and for moving. */
const routes: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/export', {
    config: { access: adminAccess, errors: ['admin_only'] },
    schema: {
      operationId: 'exportEverything',
      summary: 'Export everything',
      description: 'A line of JSON for each account, project, key (without its value), blog, image and uploaded file.',
      tags: ['Administration'],
      produces: ['application/x-ndjson'],
      response: { 200: Type.Unsafe<unknown>({ type: 'string', description: 'Lines of JSON', ...notStored }) }
    }
  }, async (_request, reply) => {
    async function * text () {
      for await (const line of app.services.export.lines()) yield `${JSON.stringify(line)}\n`
    }
    reply.type('application/x-ndjson; charset=utf-8').header('cache-control', 'no-store')
    return await reply.send(Readable.from(text()))
  })
}
export default routes
