import type { Readable } from 'node:stream'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { ProjectId, Ref } from '../../../../schemas/fields.ts'
import { ProductImport } from '../../../../schemas/product-import.ts'
import { keyAccess, readerOf } from '../../../callers.ts'
import { acceptUploads, mappingOf, uploadQuery, UPLOAD_TYPES } from '../../../product-upload.ts'

/** Products by the file. */
const routes: FastifyPluginAsyncTypebox = async (app) => {
  const { imports } = app.services
  const formatOf = acceptUploads(app)

  app.post(
    '/imports',
    {
      config: {
        access: keyAccess('products:write', 'products'),
        errors: [
          'malformed_import',
          'unknown_columns',
          'project_not_allowed',
          'project_not_found',
          'payload_too_large',
          'unsupported_media_type'
        ],
        consumes: UPLOAD_TYPES
      },
      schema: {
        operationId: 'createProductImport',
        summary: 'Import a file of products',
        description:
          'NDJSON, or a CSV with our columns, the export of Shopify or WooCommerce, or a Google Merchant feed, told apart by their header; packed with gzip or not. The file is taken in as a stream of up to 1 GiB and worked off in the background.',
        tags: ['Imports'],
        querystring: Type.Object({ projectId: ProjectId(), ...uploadQuery }, { additionalProperties: false }),
        response: {
          202: Ref(ProductImport, {
            description: 'The import, which waits for its turn',
            headers: { Location: { type: 'string' } }
          })
        }
      }
    },
    async (request, reply) => {
      const { projectId, map } = request.query
      const record = await imports.receive(readerOf(request), {
        projectId,
        format: formatOf(request),
        mapping: mappingOf(map),
        body: request.body as Readable
      })
      return await reply
        .code(202)
        .header('location', `/api/v1/products/imports/${record.id}`)
        .send(imports.shown(record))
    }
  )
}
export default routes
