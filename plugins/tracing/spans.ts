import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Context,
  type Exception,
  type Tracer
} from '@opentelemetry/api'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { requestPath } from '../../lib/http/request.ts'
import type { Job } from '../../ports/queue/port.ts'
import type { JobName } from '../../schemas/jobs.ts'
import { routePattern } from '../metrics/route-pattern.ts'

/** The attribute that links the spans of a request and of its jobs. */
const REQUEST_ID = 'svc.request_id'

/**
 * Creates the spans of requests and jobs. URLs are recorded without the query string. `redact`
 * removes credentials: it is applied to every text that a caller can influence.
 */
export function createSpans(tracer: Tracer, redact: (text: string) => string) {
  return {
    /** Records the span of a finished request. Health probes are left out. */
    request(request: FastifyRequest, reply: FastifyReply): void {
      if (request.routeConfig?.access?.kind === 'health') return
      const endMs = Date.now()
      const route = (request.is404 ? null : routePattern(request.routeConfig)) ?? undefined
      const { method, protocol, id } = request
      const { statusCode: status } = reply
      const attributes = {
        'http.request.method': method,
        'http.route': route,
        'http.response.status_code': status,
        'url.scheme': redact(protocol),
        'url.path': redact(requestPath(request.url)),
        [REQUEST_ID]: id
      }
      const span = tracer.startSpan(
        route === undefined ? method : `${method} ${route}`,
        { kind: SpanKind.SERVER, startTime: endMs - reply.elapsedTime, attributes },
        parentContext(request.headers.traceparent)
      )
      if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end(endMs)
    },

    async job<T>({ name, attempt, requestId }: Job<JobName>, run: () => Promise<T>): Promise<T> {
      const span = tracer.startSpan(
        `job ${name}`,
        {
          kind: SpanKind.CONSUMER,
          attributes: { 'svc.job': name, 'svc.attempt': attempt, [REQUEST_ID]: requestId ?? undefined }
        },
        ROOT_CONTEXT
      )
      try {
        return await run()
      } catch (error) {
        span.recordException(redactError(error, redact))
        span.setStatus({ code: SpanStatusCode.ERROR })
        throw error
      } finally {
        span.end()
      }
    }
  }
}

/** The parts of an error that a span records. Messages of errors may quote input. */
function redactError(error: unknown, redact: (text: string) => string): Exception {
  if (!(error instanceof Error)) return redact(String(error))
  const { name, message, stack } = error
  return { name, message: redact(message), ...(stack === undefined ? {} : { stack: redact(stack) }) }
}

const TRACEPARENT = /^(?!ff)[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(?:-.*)?$/

/**
 * The trace of the caller (W3C Trace Context, section 3.2.2). A malformed header is ignored; the
 * tracer ignores ids of zeros.
 */
function parentContext(traceparent: unknown): Context {
  const parts = typeof traceparent === 'string' ? TRACEPARENT.exec(traceparent) : null
  if (parts === null) return ROOT_CONTEXT
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId: parts[1]!,
    spanId: parts[2]!,
    traceFlags: Number.parseInt(parts[3]!, 16) & 1,
    isRemote: true
  })
}
