import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { createRequestId } from '../../lib/http/request.ts'
import type { AuthContext, CountedKey } from '../../services/auth/index.ts'
import { isAllowed, readCredential } from '../auth.ts'
import { entryKey, isExpired, type CachedResponse, type ResponseEntries } from './entries.ts'
import { isCurrent, sendCached, type RawHeaders } from './send.ts'
import type { StoredRoute, StoredRoutes } from './stored.ts'

/** Errors of stored responses that could not be read, by their requests. The router responds with them. */
export type FailedReads = WeakMap<IncomingMessage, unknown>

/**
 * Responses without Fastify, which needs more time for a request than the response itself: for GET
 * requests with a cached API key and a response that is cached or stored, and that need nothing else.
 * The checks, the headers and the metrics are those of a routed request. All other requests are routed;
 * one that was counted already is not counted again.
 */
export function createDirectResponses(
  app: FastifyInstance,
  { entries, stored, failedReads }: { entries: ResponseEntries; stored: StoredRoutes; failedReads: FailedReads }
): FastifyInstance['respondDirectly'] {
  const { auth, health } = app.services
  const { metrics } = app
  const counts = metrics.counts.responseCache
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

  /** Sends a response from the cache. Returns false if the request must be routed. */
  function sendEntry(exchange: Exchange, cached: CachedResponse, counted: CountedKey): boolean {
    const { request, response, startMs } = exchange
    const context = auth.acceptCounted(counted)
    if (context === null) return false
    metrics.countRateLimitDecision(context)
    counts.hit += 1
    const refunded = context.refund !== null && isCurrent(request, cached) ? context.refund?.() : undefined
    if (refunded === undefined) send(request, response, { cached, context, startMs })
    else {
      Promise.resolve(refunded)
        .then((rateLimit) => send(request, response, { cached, context: { ...context, rateLimit }, startMs }))
        .catch((error: unknown) => {
          app.log.error({ err: error }, 'could not refund a request')
          response.destroy()
        })
    }
    return true
  }

  /**
   * Sends a response from the store, and caches it if it is read repeatedly. Resolves to false if the
   * request must be routed.
   */
  async function sendStored(exchange: Exchange, source: StoredRoute, counted: CountedKey): Promise<boolean> {
    const { request, response, key, startMs } = exchange
    const cached = await source.find(counted)
    const context = cached === null ? null : auth.acceptCounted(counted)
    if (cached === null || context === null) return false
    metrics.countRateLimitDecision(context)
    counts.miss += 1
    entries.setRepeated(key, cached)
    send(request, response, { cached, context, startMs })
    return true
  }

  return (request, response, route) => {
    if (isObserved || app.closing || health.isDraining || !isPlainRead(request)) return route()
    const credential = readCredential(request.headers, 'key')
    const cachedKey = credential === null ? null : auth.findCachedKey(credential)
    if (cachedKey === null) return route()
    const { caller } = cachedKey.loaded
    app.senders.remember(request, caller.accountId)
    const key = entryKey(caller.cacheKey, request.url!)
    const peeked = entries.peek(key)
    const cached = peeked === undefined || isExpired(peeked) ? null : peeked
    const source = stored.match(request.url!)
    const access = (cached?.routeConfig ?? source?.routeConfig)?.access
    if (access === undefined || !isAllowed(caller, access)) return route()
    const exchange: Exchange = { request, response, key, startMs: performance.now() }

    function routeCounted(counted: CountedKey): void {
      app.countedKeys.set(request, counted)
      route()
    }

    function respond(counted: CountedKey): void {
      if (cached !== null && cached.epoch === counted.result.contentEpoch) {
        if (!sendEntry(exchange, cached, counted)) routeCounted(counted)
        return
      }
      if (source === null || !auth.isAcceptable(counted)) return routeCounted(counted)
      sendStored(exchange, source, counted).then(
        (isSent) => {
          if (!isSent) routeCounted(counted)
        },
        (error: unknown) => {
          failedReads.set(request, error)
          routeCounted(counted)
        }
      )
    }

    const counted = auth.countKey(cachedKey)
    if (counted instanceof Promise) counted.then(respond, route)
    else respond(counted)
  }
}

/** A request that may be answered directly. */
interface Exchange {
  request: IncomingMessage
  response: ServerResponse
  /** The key of its response in the cache. */
  key: string
  startMs: number
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
