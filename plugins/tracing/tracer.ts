import type { Tracer } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import {
  BatchSpanProcessor,
  TracerProvider,
  type SpanExporter,
  type TracerProviderOptions
} from '@opentelemetry/sdk-trace'
import { withTimeout } from '../../lib/async.ts'
import { withoutTrailingSlash } from '../../lib/text.ts'

/** A collector that does not respond delays the next batch and the shutdown by at most this time. */
const EXPORT_TIMEOUT_MS = 5000
/** A collector may be down for a day: failures are reported at most once in this time. */
const ERROR_INTERVAL_MS = 60_000

export interface TracerOptions {
  endpoint: string
  serviceName: string
  onError: (error: Error) => void
}

/**
 * Opens a tracer that exports batches of spans to `<endpoint>/v1/traces`, as OTLP in JSON. Spans
 * are lost while the collector is unreachable; nothing else is affected.
 */
export function openTracer({ endpoint, serviceName, onError }: TracerOptions): {
  tracer: Tracer
  close: () => Promise<void>
} {
  const exporter = reportFailures(
    new OTLPTraceExporter({ url: `${withoutTrailingSlash(endpoint)}/v1/traces`, timeoutMillis: EXPORT_TIMEOUT_MS }),
    onError
  )
  const provider = new TracerProvider({
    resource: createResource({ 'service.name': serviceName }),
    spanProcessors: [new BatchSpanProcessor({ exporter })]
  })
  return {
    tracer: provider.getTracer('blog-product-content-service'),
    async close() {
      await withTimeout(provider.shutdown(), EXPORT_TIMEOUT_MS).catch(onError)
    }
  }
}

/** Wraps an exporter to report its failures, which the SDK swallows. */
function reportFailures(exporter: OTLPTraceExporter, onError: (error: Error) => void): SpanExporter {
  let reportedMs = -Infinity
  return {
    export(spans, done) {
      exporter.export(spans as Parameters<OTLPTraceExporter['export']>[0], (result) => {
        if (result.code !== 0 && performance.now() - reportedMs >= ERROR_INTERVAL_MS) {
          reportedMs = performance.now()
          onError(result.error ?? new Error('The collector rejected the spans'))
        }
        done(result)
      })
    },
    forceFlush: async () => {
      await exporter.forceFlush()
    },
    shutdown: async () => {
      await exporter.shutdown()
    }
  }
}

/** `resourceFromAttributes` is in a package of another version than the tracer's. */
function createResource(attributes: Record<string, string>): NonNullable<TracerProviderOptions['resource']> {
  return {
    attributes,
    getRawAttributes: () => Object.entries(attributes),
    merge: (other) => createResource({ ...attributes, ...(other?.attributes as Record<string, string> | undefined) })
  }
}
