import type { Tracer } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import {
  BatchSpanProcessor,
  TracerProvider,
  type SpanExporter,
  type TracerProviderOptions
} from '@opentelemetry/sdk-trace'
import { withTimeout } from '../../lib/async.ts'

/**
 * A collector that does not answer must hold up neither the next portion nor the end of the process
 * for longer.
 */
const SEND_MS = 5000
/** Failures are said once a minute at most: a collector may be away for a day. */
const SAY_EVERY_MS = 60_000

export interface TracerOptions {
  endpoint: string
  service: string
  failed: (error: Error) => void
}

/**
 * Opens what gathers spans and sends them every few seconds, as OTLP in JSON, to
 * `<endpoint>/v1/traces`. While the collector is away spans are lost, and nothing else is.
 */
export function openTracer({ endpoint, service, failed }: TracerOptions): {
  tracer: Tracer
  close: () => Promise<void>
} {
  const exporter = telling(
    new OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, '')}/v1/traces`, timeoutMillis: SEND_MS }),
    failed
  )
  const provider = new TracerProvider({
    resource: resourceOf({ 'service.name': service }),
    spanProcessors: [new BatchSpanProcessor({ exporter })]
  })
  return {
    tracer: provider.getTracer('blog-product-content-service'),
    async close() {
      await withTimeout(provider.shutdown(), SEND_MS).catch(failed)
    }
  }
}

/** The exporter, whose failures are heard: the library keeps them to itself. */
function telling(exporter: OTLPTraceExporter, failed: (error: Error) => void): SpanExporter {
  let saidMs = -Infinity
  return {
    export(spans, done) {
      exporter.export(spans as Parameters<OTLPTraceExporter['export']>[0], (result) => {
        if (result.code !== 0 && performance.now() - saidMs >= SAY_EVERY_MS) {
          saidMs = performance.now()
          failed(result.error ?? new Error('The collector did not take the spans'))
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

/**
 * What the spans are of. The library's own maker of resources lies in a package of another version
 * than the tracer's.
 */
function resourceOf(attributes: Record<string, string>): NonNullable<TracerProviderOptions['resource']> {
  return {
    attributes,
    getRawAttributes: () => Object.entries(attributes),
    merge: (other) => resourceOf({ ...attributes, ...(other?.attributes as Record<string, string> | undefined) })
  }
}
