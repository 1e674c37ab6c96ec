import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { createRequestId } from '../../lib/http/request.ts'
import type { AuthContext, CountedKey } from '../../services/auth/index.ts'
import { isAllowed, readCredential } from '../auth.ts'
import { entryKey, isExpired, type CachedResponse, type ResponseEntries } from './entries.ts'
import { isCurrent, sendCached, type RawHeaders } from './send.ts'

/**
 * Responses from the cache without Fastify, which needs more time for a request than the response
 * itself: for GET requests with a cached API key and a cached response that need nothing else. The
 * checks, the headers and the metrics are those of a routed request. All other requests are routed;
 * one that was counted already is not counted again.
 */
export function createDirectResponses(
  app: FastifyInstance,
  entries: ResponseEntries
): FastifyInstance['respondDirectly'] {
  const { auth, health } = app.services
  const { metrics } = app
  // The log and spans of successful reads are written by hooks.
  const isObserved = app.tracing !== null || ['debug', 'trace'].includes(app.config.LOG_LEVEL)

  function headersOf(context: AuthContext): RawHeaders {
    const headers: RawHeaders = ['x-request-id', createRequestId(), 'x-content-type-options', 'nosniff']
    const limits = app.rateLimitHeaders(context)
    for (const name in limits) headers.push(name, limits[name]!)
    return headers
  }

  function send(
    request: IncomingMessage,
    response: ServerResponse,
    { cached, context, startMs }: { cached: CachedResponse; context: AuthContext; startMs: number }
  ): void {
    const finish = (status: number): void =>
      metrics.countDirectResponse(cached.routeConfig, status, (performance.now() - startMs) / 1000)
    const sent = sendCached(request, response, { cached, headers: headersOf(context) })
    if (typeof sent === 'number') return finish(sent)
    sent.then(finish).catch((error: unknown) => {
      app.log.error({ err: error }, 'could not compress a cached response')
      response.destroy()
    })
  }

  return (request, response, route) => {
    if (isObserved || app.closing || health.isDraining || !isPlainRead(request)) return route()
    const credential = readCredential(request.headers, 'key')
    const key = credential === null ? null : auth.findCachedKey(credential)
    const url = request.url!
    const cached = key === null ? undefined : entries.peek(entryKey(key.loaded.caller.cacheKey, url))
    if (key === null || cached === undefined || isExpired(cached)) return route()
    if (!isAllowed(key.loaded.caller, cached.routeConfig.access!)) return route()
    const startMs = performance.now()

    function respond(counted: CountedKey): void {
      const isSameContent = counted.result.contentEpoch === cached!.epoch
      const context = isSameContent ? auth.acceptCounted(counted) : null
      if (context === null) {
        app.countedKeys.set(request, counted)
        return route()
      }
      metrics.countRateLimitDecision(context)
      metrics.counts.responseCache.hit += 1
      const refunded = context.refund !== null && isCurrent(request, cached!) ? context.refund?.() : undefined
      if (refunded === undefined) return send(request, response, { cached: cached!, context, startMs })
      Promise.resolve(refunded)
        .then((rateLimit) => send(request, response, { cached: cached!, context: { ...context, rateLimit }, startMs }))
        .catch((error: unknown) => {
          app.log.error({ err: error }, 'could not refund a request')
          response.destroy()
        })
    }

    const counted = auth.countKey(key)
    if (counted instanceof Promise) counted.then(respond, route)
    else respond(counted)
  }
}

/** A well-formed GET request without a body that accepts JSON. Fastify checks all others. */
function isPlainRead({ method, headers }: IncomingMessage): boolean {
  const { accept } = headers
  return (
    method === 'GET' &&
    headers.host !== undefined &&
    headers.expect === undefined &&
    headers['content-length'] === undefined &&
    headers['transfer-encoding'] === undefined &&
    (accept === undefined || accept === '*/*' || accept === 'application/json')
  )
}
