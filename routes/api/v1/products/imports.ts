import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { Id, ProjectId, Ref } from '../../../../schemas/fields.ts'
import { PageQuery } from '../../../../schemas/page.ts'
import { ProductImport, ProductImportList } from '../../../../schemas/product-import.ts'
import { keyAccess, readerOf } from '../../../callers.ts'
import { pageLinks } from '../../../page-links.ts'
import { downloadQuery, failedRowsDownload } from '../../../product-download.ts'

const tags = ['Imports']
const access = keyAccess('products:write', 'products')
const params = Type.Object({ importId: Id() })

/** What became of files of products. */
const routes: FastifyPluginAsyncTypebox = async (app) => {
  const { imports } = app.services

  app.get(
    '/imports',
    {
      config: { access, errors: ['project_not_allowed'] },
      schema: {
        operationId: 'listProductImports',
        summary: 'List imports',
        description: 'The newest first. Imports are kept for 30 days after their end.',
        tags,
        querystring: Type.Object(
          { ...PageQuery, projectId: Type.Optional(ProjectId()) },
          { additionalProperties: false }
        ),
        response: { 200: Ref(ProductImportList, { description: 'A page of imports' }) }
      }
    },
    async (request, reply) => {
      const list = await imports.list(readerOf(request), request.query)
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
        summary: 'See how far an import is',
        tags,
        params,
        response: { 200: Ref(ProductImport, { description: 'The import' }) }
      }
    },
    async (request) => imports.shown(await imports.read(readerOf(request), request.params.importId))
  )

  app.post(
    '/imports/:importId/cancel',
    {
      config: { access, errors: ['import_not_found', 'import_finished'] },
      schema: {
        operationId: 'cancelProductImport',
        summary: 'Stop an import',
        description: 'What it has written stays.',
        tags,
        params,
        response: {
          200: Ref(ProductImport, { description: 'The import, which stops before its next portion of rows' })
        }
      }
    },
    async (request) => imports.shown(await imports.cancel(readerOf(request), request.params.importId))
  )

  app.get(
    '/imports/:importId/errors',
    {
      config: { access, errors: ['import_not_found'] },
      schema: {
        operationId: 'getProductImportErrors',
        summary: 'Download the rows that failed',
        description:
          'In the form that they came in, with what is wrong in `import_error` (CSV) or `_error` (NDJSON): mend them and send the file again. With `as=report` as NDJSON lines `{line, externalId, errors}`.',
        tags,
        params,
        querystring: downloadQuery,
        produces: ['application/x-ndjson', 'text/csv'],
        response: { 200: Type.String({ description: 'The rows' }) }
      }
    },
    async (request, reply) =>
      failedRowsDownload(imports, {
        record: await imports.read(readerOf(request), request.params.importId),
        as: request.query.as,
        reply
      })
  )
}
export default routes
