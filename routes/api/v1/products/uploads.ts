import type { Readable } from 'node:stream'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { ProjectId, Ref } from '../../../../schemas/fields.ts'
import { ProductImport } from '../../../../schemas/product-import.ts'
import { auditImport } from '../../../audited.ts'
import { keyAccess, getReader } from '../../../callers.ts'
import {
  acceptUploads,
  parseColumnMapping,
  uploadQuery,
  UPLOAD_MAX_WAIT_MS,
  UPLOAD_TYPES
} from '../../../product-upload.ts'

/** Uploads of product files. */
const routes: FastifyPluginAsyncTypebox = async (app) => {
  const { imports } = app.services
  const formatOf = acceptUploads(app)

  app.post(
    '/imports',
    {
      config: {
        access: keyAccess('products:write', 'products'),
        maxWaitMs: UPLOAD_MAX_WAIT_MS,
        errors: [
          'malformed_import',
          'unknown_columns',
          'project_not_allowed',
          'project_not_found',
          'payload_too_large',
          'storage_quota_exceeded',
          'unsupported_media_type'
        ],
        consumes: UPLOAD_TYPES,
        audit: auditImport
      },
      schema: {
        operationId: 'createProductImport',
        summary: 'Import a product file',
        description:
          'Accepts NDJSON and CSV files of up to 1 GiB, optionally compressed with gzip. ' +
          'A CSV file may have our columns, or those of a Shopify or WooCommerce export or a Google Merchant feed. ' +
          'The header row tells them apart. The rows are processed in the background.',
        tags: ['Imports'],
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
      const { projectId, map } = request.query
      const record = await imports.receive(
        getReader(request),
        {
          projectId,
          format: formatOf(request),
          mapping: parseColumnMapping(map),
          body: request.body as Readable
        },
        request.operation
      )
      return await reply
        .code(202)
        .header('location', `/api/v1/products/imports/${record.id}`)
        .send(imports.toResponse(record))
    }
  )
}
export default routes
