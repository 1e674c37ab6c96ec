import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { problem } from '../../../../errors.ts'
import { Id, OneOf, ProjectId, Ref, Timestamp } from '../../../../schemas/fields.ts'
import { PageQuery } from '../../../../schemas/page.ts'
import {
  BATCH_BODY_BYTES,
  OptimizeRequest,
  PRODUCT_STATUSES,
  Product,
  ProductBatch,
  ProductBatchResult,
  ProductInput,
  ProductList,
  ProductPatch,
  UpsertedProduct
} from '../../../../schemas/product.ts'
import { ProductImport } from '../../../../schemas/product-import.ts'
import { keyAccess, readerOf } from '../../../callers.ts'
import { pageLinks } from '../../../page-links.ts'

const tags = ['Products']
const write = keyAccess('products:write', 'products')
const read = keyAccess('products:read', 'products')
const params = Type.Object({ productId: Id() })
const Switch = (description: string) => Type.Optional(Type.Boolean({ default: false, description }))

/**
 * Products from the back office. Prices pass digit by digit: bodies are parsed and answers are
 * written by the service's own JSON.
 */
const routes: FastifyPluginAsyncTypebox = async (app) => {
  const { products, imports } = app.services
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, app.jsonReader(products.parse))
  app.setSerializerCompiler(() => (value) => JSON.stringify(value))

  app.post(
    '/',
    {
      config: { access: write, errors: ['project_not_allowed', 'project_not_found', 'busy'] },
      schema: {
        operationId: 'upsertProduct',
        summary: 'Create or update a product',
        description: 'By projectId and externalId. What is left out is kept, null clears, a list replaces the list.',
        tags,
        body: Ref(ProductInput),
        response: {
          200: Ref(UpsertedProduct, { description: 'The product was there; result tells whether it is different now' }),
          201: Ref(UpsertedProduct, {
            description: 'The product was created',
            headers: { Location: { type: 'string' } }
          })
        }
      }
    },
    async (request, reply) => {
      const { product, result } = await products.upsert(readerOf(request), request.body)
      reply.code(result === 'created' ? 201 : 200).header('location', `/api/v1/products/${product.id}`)
      return { ...products.shown(product), result }
    }
  )

  app.get(
    '/',
    {
      config: { access: read, errors: ['project_not_allowed'] },
      schema: {
        operationId: 'listProducts',
        summary: 'List products',
        description: 'In order of externalId, with the texts that were made for search engines.',
        tags,
        querystring: Type.Object(
          {
            ...PageQuery,
            projectId: Type.Optional(ProjectId({ description: 'Default: all of the account' })),
            status: Type.Optional(OneOf(PRODUCT_STATUSES)),
            category: Type.Optional(
              Type.String({
                minLength: 1,
                maxLength: 750,
                description: 'A path, or the beginning of one, level by level'
              })
            ),
            sku: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
            externalId: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
            updatedSince: Type.Optional(Timestamp()),
            q: Type.Optional(
              Type.String({ minLength: 1, maxLength: 200, description: 'Words in title, sku, externalId and brand' })
            )
          },
          { additionalProperties: false }
        ),
        response: { 200: Ref(ProductList, { description: 'A page of products' }) }
      }
    },
    async (request, reply) => {
      const list = await products.list(readerOf(request), request.query)
      reply.header('link', pageLinks(request.url, list))
      return list
    }
  )

  app.post(
    '/batch',
    {
      bodyLimit: BATCH_BODY_BYTES,
      config: {
        access: write,
        errors: ['batch_failed', 'project_not_allowed', 'project_not_found', 'payload_too_large', 'busy']
      },
      schema: {
        operationId: 'importProductBatch',
        summary: 'Create or update many products',
        description:
          'Up to 5,000 products and 16 MB. Bad rows do not stop good ones: `errors` names them, and created + updated + failed is the number of products, always. With `Prefer: respond-async` the answer is 202 and an import.',
        tags,
        headers: Type.Object({
          prefer: Type.Optional(Type.String({ description: '`respond-async`: the batch becomes an import' }))
        }),
        querystring: Type.Object(
          { atomic: Switch('All or nothing'), dryRun: Switch('The same counts, but nothing is written') },
          { additionalProperties: false }
        ),
        body: Ref(ProductBatch),
        response: {
          200: Ref(ProductBatchResult, { description: 'What it came to' }),
          202: Ref(ProductImport, { description: 'It became an import', headers: { Location: { type: 'string' } } })
        }
      }
    },
    async (request, reply) => {
      const reader = readerOf(request)
      if (!/\brespond-async\b/i.test(request.headers.prefer ?? '')) {
        return await products.batch(reader, request.body, request.query)
      }
      if (request.query.atomic === true || request.query.dryRun === true) {
        throw problem(
          'invalid_request',
          'An import is neither atomic nor a rehearsal; leave out Prefer: respond-async.',
          { errors: [{ pointer: 'Prefer', code: 'not_together', message: 'cannot be had with atomic or dryRun' }] }
        )
      }
      const record = await imports.receiveRows(reader, request.body)
      reply
        .code(202)
        .header('location', `/api/v1/products/imports/${record.id}`)
        .header('preference-applied', 'respond-async')
      return imports.shown(record) as never
    }
  )

  app.post(
    '/optimize',
    {
      config: { access: write, errors: ['project_not_allowed', 'project_not_found'] },
      schema: {
        operationId: 'optimizeProducts',
        summary: 'Optimize products',
        description:
          'Lets the texts of products be made, of all of a project or of some. Products whose inputs did not change are passed over, unless force says otherwise.',
        tags,
        body: Ref(OptimizeRequest),
        response: {
          202: Type.Object({ queued: Type.Integer({ minimum: 0 }) }, { description: 'How many products wait now' })
        }
      }
    },
    async (request, reply) => {
      reply.code(202)
      return { queued: await products.optimize(readerOf(request), request.body) }
    }
  )

  app.get(
    '/:productId',
    {
      config: { access: read, errors: ['product_not_found'] },
      schema: {
        operationId: 'getProduct',
        summary: 'Read a product',
        tags,
        params,
        response: { 200: Ref(Product, { description: 'The product' }) }
      }
    },
    async (request, reply) => {
      const product = await products.read(readerOf(request), request.params.productId)
      reply.header('last-modified', new Date(product.updatedAt).toUTCString())
      return products.shown(product)
    }
  )

  app.patch(
    '/:productId',
    {
      config: { access: write, errors: ['product_not_found', 'handle_taken', 'busy'] },
      schema: {
        operationId: 'updateProduct',
        summary: 'Change a product',
        description:
          "What is left out is kept; null clears. `seo` takes a person's own values, which no machine overwrites.",
        tags,
        params,
        body: Ref(ProductPatch),
        response: { 200: Ref(Product, { description: 'The product as it is now' }) }
      }
    },
    async (request) => products.shown(await products.patch(readerOf(request), request.params.productId, request.body))
  )

  app.delete(
    '/:productId',
    {
      config: { access: write, errors: ['product_not_found', 'busy'] },
      schema: {
        operationId: 'deleteProduct',
        summary: 'Delete a product',
        tags,
        params,
        response: { 204: Type.Null({ description: 'It is deleted' }) }
      }
    },
    async (request, reply) => {
      await products.remove(readerOf(request), request.params.productId)
      return await reply.code(204).send(null)
    }
  )
}
export default routes
