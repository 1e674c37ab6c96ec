import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { Id, Ref } from '../../../../schemas/fields.ts'
import { ProductImport } from '../../../../schemas/product-import.ts'
import { adminAccess } from '../../../callers.ts'
import { shopExport, shopExportQuery } from '../../../product-export.ts'
import { downloadQuery, failedRowsDownload } from '../../../product-download.ts'

const tags = ['Administration']
const params = Type.Object({ accountId: Type.String({ minLength: 1, maxLength: 200 }), importId: Id() })
const getReader = ({ accountId }: { accountId: string }) => ({ accountId, projectIds: null })

/** Product imports and exports of any account, for administrators and the command line. */
const routes: FastifyPluginAsyncTypebox = async (app) => {
  const { imports, products } = app.services

  app.get(
    '/:accountId/products/export',
    {
      config: { access: adminAccess, errors: ['admin_only'] },
      schema: {
        operationId: 'exportProductsFor',
        summary: "Export an account's product texts for a shop",
        tags,
        params: Type.Omit(params, ['importId']),
        querystring: shopExportQuery,
        produces: ['text/csv'],
        response: { 200: Type.String({ description: 'A CSV file in UTF-8' }) }
      }
    },
    async (request, reply) => shopExport(products.exportCsv(getReader(request.params), request.query), reply)
  )

  app.get(
    '/:accountId/products/imports/:importId',
    {
      config: { access: adminAccess, errors: ['admin_only', 'import_not_found'] },
      schema: {
        operationId: 'getProductImportFor',
        summary: "Retrieve an account's import",
        tags,
        params,
        response: { 200: Ref(ProductImport, { description: 'The import' }) }
      }
    },
    async (request) => imports.toResponse(await imports.read(getReader(request.params), request.params.importId))
  )

  app.get(
    '/:accountId/products/imports/:importId/errors',
    {
      config: { access: adminAccess, errors: ['admin_only', 'import_not_found'] },
      schema: {
        operationId: 'getProductImportErrorsFor',
        summary: "Download the failed rows of an account's import",
        tags,
        params,
        querystring: downloadQuery,
        produces: ['application/x-ndjson', 'text/csv'],
        response: { 200: Type.String({ description: 'The rows' }) }
      }
    },
    async (request, reply) =>
      failedRowsDownload(imports, {
        record: await imports.read(getReader(request.params), request.params.importId),
        as: request.query.as,
        reply
      })
  )
}
export default routes
