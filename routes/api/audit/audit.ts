import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { AuditList, AuditQuery } from '../../../schemas/audit.ts'
import { Ref, notStored } from '../../../schemas/fields.ts'
import { cursorLinks } from '../../../lib/http/page-links.ts'
import { auditAccess, getAccountId } from '../../callers.ts'

/** The audit log: who changed what. Entries cannot be changed or deleted. */
const routes: FastifyPluginAsyncTypebox = async (app) => {
  const { audit } = app.services

  app.get(
    '/',
    {
      config: { access: auditAccess },
      schema: {
        operationId: 'listAuditEntries',
        summary: 'List the audit log',
        description:
          'Returns who changed what in the account, newest first: with API keys, in the console, by administrators ' +
          'and by the service itself. Imports and batches are one entry each. ' +
          'Entries contain the names of changed fields, and never secrets or content.',
        tags: ['Audit log'],
        querystring: AuditQuery,
        response: { 200: Ref(AuditList, { description: 'A page of entries', ...notStored }) }
      }
    },
    async (request, reply) => {
      const { caller } = request
      const isAdmin = caller.kind === 'session' && caller.admin
      const list = await audit.list(getAccountId(request), request.query, { isAdmin })
      const links = cursorLinks(request.url, list)
      if (links !== '') reply.header('link', links)
      reply.cacheControl('no-store')
      return list
    }
  )
}
export default routes
