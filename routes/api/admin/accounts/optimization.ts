import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { ProjectId, Ref } from '../../../../schemas/fields.ts'
import {
  MAX_SAMPLE,
  OptimizationPreview,
  OptimizationPreviewRequest,
  ProductSample
} from '../../../../schemas/optimization-preview.ts'
import { OptimizeRequest } from '../../../../schemas/product.ts'
import { auditOptimization } from '../../../audited.ts'
import { adminAccess } from '../../../callers.ts'

const tags = ['Administration']
const params = Type.Object({ accountId: Type.String({ minLength: 1, maxLength: 200 }) })

/** Optimization of the products of any account, for administrators and the command line. */
const routes: FastifyPluginAsyncTypebox = async (app) => {
  const { optimizationPreview, products } = app.services

  app.post(
    '/:accountId/products/optimize',
    {
      config: { access: adminAccess, errors: ['admin_only', 'project_not_found'], audit: auditOptimization },
      schema: {
        operationId: 'optimizeProductsFor',
        summary: "Optimize an account's products",
        tags,
        params,
        body: Ref(OptimizeRequest),
        response: {
          202: Type.Object({ queued: Type.Integer({ minimum: 0 }) }, { description: 'The number of queued products' })
        }
      }
    },
    async (request, reply) => {
      reply.code(202)
      const reader = { accountId: request.params.accountId, projectIds: null }
      return { queued: await products.optimize(reader, request.body) }
    }
  )

  app.get(
    '/:accountId/products/sample',
    {
      config: { access: adminAccess, errors: ['admin_only'] },
      schema: {
        operationId: 'sampleProductsFor',
        summary: "List a sample of an account's products",
        description: 'Evenly spread over the project, in order of `externalId`.',
        tags,
        params,
        querystring: Type.Object(
          { projectId: ProjectId(), size: Type.Integer({ minimum: 1, maximum: MAX_SAMPLE, default: 20 }) },
          { additionalProperties: false }
        ),
        response: { 200: Ref(ProductSample, { description: 'The sample' }) }
      }
    },
    async ({ params, query }) =>
      await optimizationPreview.sample({ accountId: params.accountId, projectId: query.projectId }, query.size)
  )

  app.post(
    '/:accountId/products/preview-optimization',
    {
      config: {
        access: adminAccess,
        errors: ['admin_only'],
        waitsForOthers: true,
        audit: { exempt: 'Nothing is saved' }
      },
      schema: {
        operationId: 'previewOptimizationFor',
        summary: "Preview the texts of an account's products",
        description: 'Generates the texts like an optimization, and saves nothing.',
        tags,
        params,
        body: Ref(OptimizationPreviewRequest),
        response: { 200: Ref(OptimizationPreview, { description: 'The texts. Unknown products are omitted' }) }
      }
    },
    async ({ params, body, signal }) =>
      await optimizationPreview.preview(
        { accountId: params.accountId, projectId: body.projectId },
        { externalIds: body.externalIds, compare: body.compare === true, signal }
      )
  )
}
export default routes
