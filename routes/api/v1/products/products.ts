import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import { problem } from '../../../../errors.ts'
import { Id, OneOf, ProjectId, Ref, Timestamp } from '../../../../schemas/fields.ts'
import { PageQuery } from '../../../../schemas/page.ts'
import {
  BATCH_BODY_BYTES,
  OptimizeRequest,
  PRODUCT_STATUSES,
  QUALITY_CODES,
  Product,
  ProductBatch,
  ProductBatchResult,
  ProductInput,
  ProductList,
  ProductPatch,
  ProductQuality,
  UpsertedProduct
} from '../../../../schemas/product.ts'
import { ProductImport } from '../../../../schemas/product-import.ts'
import { auditBatch, auditOptimization } from '../../../audited.ts'
import { keyAccess, getReader } from '../../../callers.ts'
import { shopExport, shopExportQuery } from '../../../product-export.ts'
import { listResponse } from '../../../list-response.ts'
import { parseIfMatch } from '../../../../lib/http/conditional.ts'
import { pageLinks } from '../../../../lib/http/page-links.ts'

const tags = ['Products']
const write = keyAccess('products:write', 'products')
const read = keyAccess('products:read', 'products')
const params = Type.Object({ productId: Id() })
const headers = Type.Object({
  'if-match': Type.Optional(
    Type.String({ description: 'The ETag of your copy. The response is 412 if the product has changed since' })
  )
})
const toTarget = (request: FastifyRequest<{ Params: { productId: string } }>) => ({
  reader: getReader(request),
  id: request.params.productId,
  ifVersions: parseIfMatch(request.headers['if-match'])
})
const Switch = (description: string) => Type.Optional(Type.Boolean({ default: false, description }))
/** A batch that was received waits so long for others of the account, in milliseconds. */
const BATCH_MAX_WAIT_MS = 60_000

/**
 * Products from back offices. Prices keep all their digits: bodies are parsed, and responses are
 * written by the JSON functions of the service.
 */
const routes: FastifyPluginAsyncTypebox = async (app) => {
  const { products, imports } = app.services
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, app.createJsonParser(products.parse))
  app.setSerializerCompiler(() => (value) => JSON.stringify(value))

  app.post(
    '/',
    {
      config: {
        access: write,
        errors: ['project_not_allowed', 'project_not_found', 'storage_quota_exceeded', 'busy'],
        audit: ({ result }) =>
          result === 'unchanged'
            ? null
            : { action: result === 'created' ? 'product.created' : 'product.updated', target: { type: 'product' } }
      },
      schema: {
        operationId: 'upsertProduct',
        summary: 'Create or update a product',
        description:
          'Identifies the product by `projectId` and `externalId`. ' +
          'Omitted fields keep their values, null clears a field, and a list replaces the existing list.',
        tags,
        body: Ref(ProductInput),
        response: {
          200: Ref(UpsertedProduct, { description: 'The product existed. `result` indicates whether it has changed' }),
          201: Ref(UpsertedProduct, {
            description: 'The product was created',
            headers: { Location: { type: 'string' } }
          })
        }
      }
    },
    async (request, reply) => {
      const { product, result, warnings } = await products.upsert(getReader(request), request.body, request.operation)
      reply.code(result === 'created' ? 201 : 200).header('location', `/api/v1/products/${product.id}`)
      const response = products.toResponse(product)
      return { ...response, warnings: [...response.warnings, ...warnings], result }
    }
  )

  app.get(
    '/',
    {
      config: { access: read, large: 'list', errors: ['project_not_allowed', 'busy'] },
      schema: {
        operationId: 'listProducts',
        summary: 'List products',
        description: 'Ordered by `externalId`, with the generated SEO texts.',
        tags,
        querystring: Type.Object(
          {
            ...PageQuery,
            projectId: Type.Optional(ProjectId({ description: 'Default: all projects of the account' })),
            status: Type.Optional(OneOf(PRODUCT_STATUSES)),
            category: Type.Optional(
              Type.String({
                minLength: 1,
                maxLength: 750,
                description: 'A category path or its first levels'
              })
            ),
            sku: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
            externalId: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
            groupId: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
            handle: Type.Optional(
              Type.String({
                minLength: 1,
                maxLength: 255,
                description: 'The handle of a page. Returns all its variants'
              })
            ),
            quality: Type.Optional(OneOf(QUALITY_CODES, { description: 'Products with this problem of their texts' })),
            updatedSince: Type.Optional(
              Timestamp({
                description:
                  'Only products that have changed since. A change becomes visible some time after its timestamp: to ' +
                  'miss none, send the time one minute before you began the last read'
              })
            ),
            q: Type.Optional(
              Type.String({
                minLength: 1,
                maxLength: 200,
                description: 'Words to find in title, SKU, externalId and brand'
              })
            )
          },
          { additionalProperties: false }
        ),
        response: { 200: Ref(ProductList, { description: 'A page of products' }) }
      }
    },
    async (request, reply) => {
      const list = await products.list(getReader(request), request.query)
      reply.header('link', pageLinks(request.url, list))
      return await listResponse(reply, list)
    }
  )

  app.post(
    '/batch',
    {
      bodyLimit: BATCH_BODY_BYTES,
      config: {
        access: write,
        errors: [
          'batch_failed',
          'project_not_allowed',
          'project_not_found',
          'storage_quota_exceeded',
          'payload_too_large',
          'busy'
        ],
        maxWaitMs: BATCH_MAX_WAIT_MS,
        audit: auditBatch
      },
      schema: {
        operationId: 'importProductBatch',
        summary: 'Create or update products in a batch',
        description:
          'Accepts up to 5,000 products and 16 MB. ' +
          'Valid products are written even if others are invalid. `errors` lists the invalid products, ' +
          'and `created + updated + failed` is the number of products sent. ' +
          'With `Prefer: respond-async` the response is 202 and an import.',
        tags,
        headers: Type.Object({
          prefer: Type.Optional(Type.String({ description: '`respond-async`: process the batch as an import' }))
        }),
        querystring: Type.Object(
          { atomic: Switch('Write all products or none'), dryRun: Switch('Return the same counts without writing') },
          { additionalProperties: false }
        ),
        body: Ref(ProductBatch),
        response: {
          200: Ref(ProductBatchResult, { description: 'The result of the batch' }),
          202: Ref(ProductImport, {
            description: 'The import that processes the batch',
            headers: { Location: { type: 'string' } }
          })
        }
      }
    },
    async (request, reply) => {
      const reader = getReader(request)
      if (!/\brespond-async\b/i.test(request.headers.prefer ?? '')) {
        return await products.batch(reader, request.body, { ...request.query, operation: request.operation })
      }
      if (request.query.atomic === true || request.query.dryRun === true) {
        throw problem('invalid_request', '`Prefer: respond-async` cannot be combined with `atomic` or `dryRun`.', {
          errors: [{ pointer: 'Prefer', code: 'not_together', message: 'cannot be combined with atomic or dryRun' }]
        })
      }
      const record = await imports.receiveRows(reader, request.body, request.operation)
      reply
        .code(202)
        .header('location', `/api/v1/products/imports/${record.id}`)
        .header('preference-applied', 'respond-async')
      return imports.toResponse(record) as never
    }
  )

  app.get(
    '/quality',
    {
      config: { access: read, large: 'list', errors: ['project_not_allowed', 'busy'] },
      schema: {
        operationId: 'getProductQuality',
        summary: 'Count problems of product texts',
        description: 'The products with a problem are listed by `GET /api/v1/products?quality=`.',
        tags,
        querystring: Type.Object({ projectId: ProjectId() }, { additionalProperties: false }),
        response: { 200: Ref(ProductQuality, { description: 'The number of products with each problem' }) }
      }
    },
    async (request) => await products.quality(getReader(request), request.query.projectId)
  )

  app.get(
    '/export',
    {
      config: { access: read, large: 'list', errors: ['project_not_allowed', 'busy'] },
      schema: {
        operationId: 'exportProducts',
        summary: 'Export product texts for a shop',
        description: 'A CSV file that Shopify or WooCommerce imports, with one row for each page.',
        tags,
        querystring: shopExportQuery,
        response: { 200: Type.String({ description: 'A CSV file in UTF-8' }) },
        produces: ['text/csv']
      }
    },
    async (request, reply) => shopExport(products.exportCsv(getReader(request), request.query), reply)
  )

  app.post(
    '/optimize',
    {
      config: {
        access: write,
        large: 'list',
        errors: ['project_not_allowed', 'project_not_found', 'busy'],
        audit: auditOptimization
      },
      schema: {
        operationId: 'optimizeProducts',
        summary: 'Optimize products',
        description:
          'Generates the SEO texts of some or all products of a project. ' +
          'Products with unchanged inputs are skipped unless `force` is true.',
        tags,
        body: Ref(OptimizeRequest),
        response: {
          202: Type.Object({ queued: Type.Integer({ minimum: 0 }) }, { description: 'The number of queued products' })
        }
      }
    },
    async (request, reply) => {
      reply.code(202)
      return { queued: await products.optimize(getReader(request), request.body) }
    }
  )

  app.get(
    '/:productId',
    {
      config: { access: read, errors: ['product_not_found'] },
      schema: {
        operationId: 'getProduct',
        summary: 'Retrieve a product',
        tags,
        params,
        response: { 200: Ref(Product, { description: 'The product' }) }
      }
    },
    async (request, reply) => {
      const product = await products.read(getReader(request), request.params.productId)
      reply.header('last-modified', new Date(product.updatedAt).toUTCString())
      reply.version = product.version
      return products.toResponse(product)
    }
  )

  app.patch(
    '/:productId',
    {
      config: {
        access: write,
        errors: ['product_not_found', 'handle_taken', 'precondition_failed', 'busy'],
        audit: { action: 'product.updated', target: { type: 'product' } }
      },
      schema: {
        operationId: 'updateProduct',
        summary: 'Update a product',
        description:
          'Omitted fields keep their values; null clears a field. ' +
          '`seo` sets manual values, which are never overwritten.',
        tags,
        params,
        headers,
        body: Ref(ProductPatch),
        response: { 200: Ref(Product, { description: 'The updated product' }) }
      }
    },
    async (request, reply) => {
      const product = await products.patch(toTarget(request), request.body)
      reply.header('etag', `"v${product.version}"`)
      return products.toResponse(product)
    }
  )

  app.delete(
    '/:productId',
    {
      config: {
        access: write,
        errors: ['product_not_found', 'precondition_failed', 'busy'],
        audit: { action: 'product.deleted', target: { type: 'product' } }
      },
      schema: {
        operationId: 'deleteProduct',
        summary: 'Delete a product',
        tags,
        params,
        headers,
        response: { 204: Type.Null({ description: 'Deleted' }) }
      }
    },
    async (request, reply) => {
      reply.audited = await products.remove(toTarget(request))
      return await reply.code(204).send(null)
    }
  )
}
export default routes
