import fp from 'fastify-plugin'
import type { Job } from '../ports/queue/port.ts'
import type { JobName } from '../schemas/jobs.ts'

export interface Tracing {
  /** Runs a job as a span of its own; it carries the id of the request that led to it. */
  job: (job: Job<JobName>, run: () => Promise<void>) => Promise<void>
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Null unless OTEL_EXPORTER_OTLP_ENDPOINT is set. */ tracing: Tracing | null
  }
}

/**
 * Spans of requests and jobs for a collector of OpenTelemetry. Nothing of it is loaded unless an
 * operator names one.
 */
export default fp(
  async (app) => {
    const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_SERVICE_NAME: service } = app.config
    if (endpoint === undefined) {
      app.decorate('tracing', null)
      return
    }
    const { openTracer } = await import('./tracing/tracer.ts')
    const { createSpans } = await import('./tracing/spans.ts')
    const { tracer, close } = openTracer({
      endpoint,
      service,
      failed: (error) => {
        app.log.warn({ err: error }, 'spans could not be sent to the collector')
      }
    })
    const spans = createSpans(tracer)
    app.decorate('tracing', { job: spans.job })
    app.addHook('onResponse', (request, reply, done) => {
      spans.request(request, reply)
      done()
    })
    app.addHook('onClose', close)
  },
  { name: 'tracing', dependencies: ['config'] }
)
