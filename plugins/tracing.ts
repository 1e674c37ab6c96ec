import fp from 'fastify-plugin'
import { createRedactor } from '../lib/redact.ts'
import type { Job } from '../ports/queue/port.ts'
import type { JobName } from '../schemas/jobs.ts'
import { keyPattern } from '../services/api-keys/key-format.ts'

export interface Tracing {
  /** Runs a job in a span that carries the id of the request that added the job. */
  job: <T>(job: Job<JobName>, run: () => Promise<T>) => Promise<T>
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Null unless OTEL_EXPORTER_OTLP_ENDPOINT is set. */
    tracing: Tracing | null
  }
}

/** OpenTelemetry spans of requests and jobs. The SDK is loaded only if a collector is configured. */
export default fp(
  async (app) => {
    const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_SERVICE_NAME: serviceName } = app.config
    if (endpoint === undefined) {
      app.decorate('tracing', null)
      return
    }
    const { createSpans } = await import('./tracing/spans.ts')
    const { openTracer } = await import('./tracing/tracer.ts')
    const { tracer, close } = openTracer({
      endpoint,
      serviceName,
      onError: (error) => {
        app.log.warn({ err: error }, 'could not export spans')
      }
    })
    const spans = createSpans(tracer, createRedactor(keyPattern(app.config.BRAND)))
    app.decorate('tracing', { job: spans.job })
    app.addHook('onResponse', (request, reply, done) => {
      spans.request(request, reply)
      done()
    })
    app.addHook('onClose', close)
  },
  { name: 'tracing', dependencies: ['config', 'request-context'] }
)
