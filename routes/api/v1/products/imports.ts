import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { Id, ProjectId, Ref } from '../../../../schemas/fields.ts'
import { PageQuery } from '../../../../schemas/page.ts'
import { ProductImport, ProductImportList } from '../../../../schemas/product-import.ts'
import { keyAccess, getReader } from '../../../callers.ts'
import { pageLinks } from '../../../../lib/http/page-links.ts'
import { downloadQuery, failedRowsDownload } from '../../../product-download.ts'

const tags = ['Imports']
const access = keyAccess('products:write', 'products')
const params = Type.Object({ importId: Id() })

/** Imports of product files. */
const routes: FastifyPluginAsyncTypebox = async (app) => {
  const { imports } = app.services

  app.get(
    '/imports',
    {
      config: { access, errors: ['project_not_allowed'] },
      schema: {
        operationId: 'listProductImports',
        summary: 'List imports',
        description: 'Newest first. Finished imports are kept for 30 days.',
        tags,
        querystring: Type.Object(
          { ...PageQuery, projectId: Type.Optional(ProjectId()) },
          { additionalProperties: false }
        ),
        response: { 200: Ref(ProductImportList, { description: 'A page of imports' }) }
      }
    },
    async (request, reply) => {
      const list = await imports.list(getReader(request), request.query)
      reply.header('link', pageLinks(request.url, list))
      return list
    }
  )

  app.get(
    '/imports/:importId',
    {
      config: { access, errors: ['import_not_found'] },
      schema: {
        operationId: 'getProductImport',
        summary: 'Retrieve an import',
        tags,
        params,
        response: { 200: Ref(ProductImport, { description: 'The import' }) }
      }
    },
    async (request) => imports.toResponse(await imports.read(getReader(request), request.params.importId))
  )

  app.post(
    '/imports/:importId/cancel',
    {
      config: {
        access,
        errors: ['import_not_found', 'import_finished'],
        audit: { action: 'product.import_canceled', target: { type: 'import' } }
      },
      schema: {
        operationId: 'cancelProductImport',
        summary: 'Cancel an import',
        description: 'Rows that were already imported are kept.',
        tags,
        params,
        response: {
          200: Ref(ProductImport, { description: 'The import, which stops before the next batch of rows' })
        }
      }
    },
    async (request) => imports.toResponse(await imports.cancel(getReader(request), request.params.importId))
  )

  app.get(
    '/imports/:importId/errors',
    {
      config: { access, large: 'list', errors: ['import_not_found', 'busy'] },
      schema: {
        operationId: 'getProductImportErrors',
        summary: 'Download failed rows',
        description:
          'Returns the failed rows in their original format, ' +
          'with the error in `import_error` (CSV) or `_error` (NDJSON). ' +
          'Fix the rows and upload the file again. ' +
          '`as=report` returns NDJSON lines `{line, externalId, errors}`.',
        tags,
        params,
        querystring: downloadQuery,
        produces: ['application/x-ndjson', 'text/csv'],
        response: { 200: Type.String({ description: 'The rows' }) }
      }
    },
    async (request, reply) =>
      failedRowsDownload(imports, {
        record: await imports.read(getReader(request), request.params.importId),
        as: request.query.as,
        reply
      })
  )
}
export default routes
