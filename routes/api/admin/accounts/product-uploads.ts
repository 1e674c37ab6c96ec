import type { Readable } from 'node:stream'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { ProjectId, Ref } from '../../../../schemas/fields.ts'
import { ProductImport } from '../../../../schemas/product-import.ts'
import { auditImport } from '../../../audited.ts'
import { adminAccess } from '../../../callers.ts'
import {
  acceptUploads,
  parseColumnMapping,
  uploadQuery,
  UPLOAD_MAX_WAIT_MS,
  UPLOAD_TYPES
} from '../../../product-upload.ts'

const params = Type.Object({ accountId: Type.String({ minLength: 1, maxLength: 200 }) })

/** Uploads of product files for any account, for administrators and the command line. */
const routes: FastifyPluginAsyncTypebox = async (app) => {
  const { accounts, imports } = app.services
  const formatOf = acceptUploads(app)

  app.post(
    '/:accountId/products/imports',
    {
      config: {
        access: adminAccess,
        maxWaitMs: UPLOAD_MAX_WAIT_MS,
        errors: [
          'admin_only',
          'malformed_import',
          'unknown_columns',
          'project_not_found',
          'payload_too_large',
          'storage_quota_exceeded',
          'unsupported_media_type'
        ],
        consumes: UPLOAD_TYPES,
        audit: auditImport
      },
      schema: {
        operationId: 'createProductImportFor',
        summary: 'Import a product file for an account',
        tags: ['Administration'],
        params,
        querystring: Type.Object({ projectId: ProjectId(), ...uploadQuery }, { additionalProperties: false }),
        response: {
          202: Ref(ProductImport, {
            description: 'The queued import',
            headers: { Location: { type: 'string' } }
          })
        }
      }
    },
    async (request, reply) => {
      const { accountId } = request.params
      const { projectId, map } = request.query
      await accounts.ensure(accountId)
      const record = await imports.receive(
        { accountId, projectIds: null },
        { projectId, format: formatOf(request), mapping: parseColumnMapping(map), body: request.body as Readable },
        request.operation
      )
      return await reply
        .code(202)
        .header('location', `/api/admin/accounts/${encodeURIComponent(accountId)}/products/imports/${record.id}`)
        .send(imports.toResponse(record))
    }
  )
}
export default routes
