import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { problem } from '../../errors.ts'
import { notStored } from '../../schemas/fields.ts'

/** The text format of Prometheus, as prom-client writes it. */
const TEXT = 'text/plain; version=0.0.4; charset=utf-8'

/**
 * Metrics for Prometheus, in every role.
 */
const routes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/',
    {
      config: { access: { kind: 'health' }, errors: ['not_found'] },
      schema: {
        operationId: 'getMetrics',
        summary: 'Retrieve metrics',
        description:
          'Returns the metrics of this process in the Prometheus text format. Responds with 404 if METRICS is off.',
        tags: ['Health'],
        produces: ['text/plain'],
        response: { 200: Type.String({ description: 'The metrics', ...notStored }) }
      }
    },
    async (_request, reply) => {
      const { text } = app.metrics
      if (text === null) throw problem('not_found', 'Metrics are disabled.')
      return await reply
        .cacheControl('no-store')
        .type(TEXT)
        .send(await text())
    }
  )
}
export default routes
