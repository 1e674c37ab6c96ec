import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { problem } from '../../errors.ts'
import { notStored } from '../../schemas/fields.ts'

/** The text format of Prometheus, as prom-client writes it. */
const TEXT = 'text/plain; version=0.0.4; charset=utf-8'

/**
 * For Prometheus. In every role; outside of the operator's own network nobody needs to reach it.
 */
const routes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/',
    {
      config: { access: { kind: 'health' }, errors: ['not_found'] },
      schema: {
        operationId: 'getMetrics',
        summary: 'Read the metrics of this process',
        description:
          'In the text format of Prometheus; docs/metrics.md lists them. 404 where the operator has set METRICS=off.',
        tags: ['Health'],
        produces: ['text/plain'],
        response: { 200: Type.String({ description: 'The metrics', ...notStored }) }
      }
    },
    async (_request, reply) => {
      const { text } = app.metrics
      if (text === null) throw problem('not_found', 'Metrics are switched off here.')
      return await reply
        .header('cache-control', 'no-store')
        .type(TEXT)
        .send(await text())
    }
  )
}
export default routes
