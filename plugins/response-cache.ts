import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { createCompressor, type Compressor, type PreparedBody } from '../lib/http/compression.ts'
import { encodedTag, entityTagInSlices, isNotModified } from '../lib/http/conditional.ts'
import { chooseEncoding } from '../lib/http/negotiation.ts'
import type { RateLimitResult } from '../ports/limits/port.ts'
import { createDirectResponses, type FailedReads } from './response-cache/direct.ts'
import {
  canCompress,
  createEntries,
  entryKey,
  isExpired,
  PUBLISHED_CONTENT,
  VARY,
  type CachedResponse
} from './response-cache/entries.ts'
import { isCurrent, sendCached } from './response-cache/send.ts'
import { createStoredRoutes } from './response-cache/stored.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Caches responses of this route. Only for responses that depend on nothing but the account,
     * the URL and the published content.
     */
    cache?: boolean
  }
  interface FastifyInstance {
    /**
     * Responds to a request from the response cache or the store, before Fastify routes it. Otherwise calls
     * `route`, which routes it.
     */
    respondDirectly: (request: IncomingMessage, response: ServerResponse, route: () => void) => void
  }
  interface FastifyReply {
    /** The version of the resource, which becomes a part of its entity tag. */
    version: number | null
    /** Whether nothing of the account has changed since this process last made the response. */
    isUnchanged: boolean
    /** What is known of the body besides its bytes. Null: nothing. */
    prepared: PreparedBody | null
    /** Compresses the body. Null until it is needed. */
    compressor: Compressor | null
  }
}

const CACHED_HEADERS = ['cache-control', 'vary', 'last-modified', 'link', 'slug-also-in']

/** For drafts, keys and settings, whose readers expect the current state. */
const CURRENT_STATE = 'private, no-cache'

/**
 * Entity tags, conditional requests, compression, and a cache of finished responses. A cached
 * response is valid while the account's content epoch is the one it was made under. The epoch is
 * read when the request is authenticated, so that no reader sees content from before a change that
 * was acknowledged.
 */
export default fp(
  async (app) => {
    const counts = app.metrics.counts.responseCache
    const cache = createEntries(app.config.RESPONSE_CACHE_MB * 1024 * 1024)
    app.decorateReply('version', null)
    app.decorateReply('isUnchanged', false)
    app.decorateReply('prepared', null)
    app.decorateReply('compressor', null)
    const failedReads: FailedReads = new WeakMap()
    const stored = createStoredRoutes(app)
    app.decorate('respondDirectly', createDirectResponses(app, { entries: cache, stored, failedReads }))

    /** Sends a cached response for a request that Fastify has routed. No onSend hook runs. */
    function send(request: FastifyRequest, reply: FastifyReply, cached: CachedResponse): void {
      const headers = Object.entries(reply.getHeaders()).flatMap(([name, value]) => [name, String(value)])
      reply.hijack()
      const sent = sendCached(request.raw, reply.raw, { cached, headers })
      if (typeof sent !== 'number') {
        sent.catch((error: unknown) => {
          request.log.error({ err: error }, 'could not compress a cached response')
          reply.raw.destroy()
        })
      }
    }

    /** Takes a request with a 304 response back from the rate limit, if the account's setting says so. */
    function refund(request: FastifyRequest, reply: FastifyReply): void | Promise<void> {
      const auth = request.auth!
      const rateLimit = reply.isUnchanged ? auth.refund?.() : undefined
      if (rateLimit === undefined) return
      const report = (result: RateLimitResult): void => {
        reply.headers(app.rateLimitHeaders({ ...auth, rateLimit: result }))
      }
      return rateLimit instanceof Promise ? rateLimit.then(report) : report(rateLimit)
    }

    app.addHook('onRequest', (request, reply, done) => {
      if (failedReads.has(request.raw)) return done(failedReads.get(request.raw) as Error)
      const key = cacheKey(request)
      if (key === null) return done()
      const cached = cache.get(key, contentEpoch(request))
      reply.isUnchanged = cached !== undefined
      const isHit = cached !== undefined && !isExpired(cached)
      counts[isHit ? 'hit' : 'miss'] += 1
      if (!isHit) return done()
      const refunded = isCurrent(request.raw, cached) ? refund(request, reply) : undefined
      if (refunded === undefined) send(request, reply, cached)
      else refunded.then(() => send(request, reply, cached)).catch(done)
    })

    /** Sets the entity tag and the caching headers of a read, and caches it if the route allows. */
    async function finishRead(request: FastifyRequest, reply: FastifyReply, body: Buffer): Promise<void> {
      const key = reply.noCache ? null : cacheKey(request)
      const etag = reply.prepared?.etag ?? (await entityTagInSlices(body, reply.version))
      reply.header('etag', etag)
      const cacheable = request.routeConfig.cache === true && !reply.noCache
      if (!reply.hasHeader('cache-control')) {
        reply.header('cache-control', cacheable ? PUBLISHED_CONTENT : CURRENT_STATE)
      }
      reply.header('vary', VARY)
      if (!reply.hasHeader('last-modified')) reply.header('last-modified', new Date().toUTCString())
      if (key === null) return
      cache.set(key, {
        epoch: contentEpoch(request),
        routeConfig: request.routeConfig,
        createdAtMs: Date.now(),
        body,
        etag,
        lastModified: String(reply.getHeader('last-modified')),
        contentType: String(reply.getHeader('content-type')),
        headers: Object.fromEntries(
          CACHED_HEADERS.map((name) => [name, reply.getHeader(name)]).filter(([, value]) => typeof value === 'string')
        ) as Record<string, string>,
        compressor: compressorOf(reply, body)
      })
    }

    /** The same for the response and for its entry in the cache. */
    function compressorOf(reply: FastifyReply, body: Buffer): Compressor {
      reply.compressor ??= createCompressor(body, reply.prepared)
      return reply.compressor
    }

    async function compressBody(request: FastifyRequest, reply: FastifyReply, body: Buffer): Promise<Buffer> {
      if (reply.hasHeader('content-encoding') || !canCompress(body, reply.getHeader('content-type'))) return body
      const coding = chooseEncoding(request.headers['accept-encoding'])
      if (!reply.hasHeader('vary')) reply.vary('Accept-Encoding')
      if (coding === null) return body
      const compressed = await compressorOf(reply, body).compress(coding)
      const etag = reply.getHeader('etag')
      if (typeof etag === 'string') reply.header('etag', encodedTag(etag, coding))
      reply.header('content-encoding', coding)
      reply.removeHeader('content-length')
      return compressed
    }

    app.addHook('onSend', async (request, reply, payload) => {
      const stream = isStream(payload)
      if (!stream && typeof payload !== 'string' && !Buffer.isBuffer(payload)) return payload
      const body = stream ? null : Buffer.isBuffer(payload) ? payload : Buffer.from(payload as string)
      const isRead = (request.method === 'GET' || request.method === 'HEAD') && reply.statusCode === 200
      const mayStore = reply.getHeader('cache-control') !== 'no-store'
      if (isRead && body !== null && mayStore && !reply.hasHeader('etag')) await finishRead(request, reply, body)
      const validators = {
        etag: reply.getHeader('etag') as string | undefined,
        lastModified: reply.getHeader('last-modified') as string | undefined
      }
      if (isRead && isNotModified(conditionsOf(request), validators)) {
        if (stream) payload.destroy()
        await refund(request, reply)
        reply.code(304)
        for (const name of ['content-type', 'content-length']) reply.removeHeader(name)
        // For HEAD, Fastify measures the payload, which must not be null.
        return request.method === 'HEAD' ? Readable.from([]) : null
      }
      return body === null ? payload : await compressBody(request, reply, body)
    })
  },
  {
    name: 'response-cache',
    dependencies: [
      'config',
      'services',
      'tracing',
      'errors',
      'rate-limit',
      'http-defaults',
      'request-context',
      'metrics',
      'auth',
      'idempotency'
    ]
  }
)

const isStream = (payload: unknown): payload is Readable => typeof (payload as Readable | null)?.pipe === 'function'

/** The cache key, equal for callers that may read the same content; null where nothing is cached. */
function cacheKey({ routeConfig, caller, url }: FastifyRequest): string | null {
  return routeConfig.cache === true && caller.kind === 'key' ? entryKey(caller.cacheKey, url) : null
}

const contentEpoch = (request: FastifyRequest): number => request.auth!.rateLimit.contentEpoch

/**
 * The conditions that apply to a response. If-Modified-Since has a resolution of one second, so it
 * applies only to content that may be cached for longer. Other reads use the entity tag alone.
 */
function conditionsOf({ headers, routeConfig }: FastifyRequest): IncomingHttpHeaders {
  return routeConfig.access?.kind === 'public' || routeConfig.cache === true
    ? headers
    : { 'if-none-match': headers['if-none-match'] }
}
