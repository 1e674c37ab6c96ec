import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { Id, Ref } from '../../../../schemas/fields.ts'
import { ProductImport } from '../../../../schemas/product-import.ts'
import { adminAccess } from '../../../callers.ts'
import { downloadQuery, failedRowsDownload } from '../../../product-download.ts'

const tags = ['Administration']
const params = Type.Object({ accountId: Type.String({ minLength: 1, maxLength: 200 }), importId: Id() })
const getReader = ({ accountId }: { accountId: string }) => ({ accountId, projectIds: null })

/** Product imports of any account, for administrators and the command line. */
const routes: FastifyPluginAsyncTypebox = async (app) => {
  const { imports } = app.services

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
