import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { LRUCache } from 'lru-cache'
import { compress, isCompressible, MIN_COMPRESSIBLE_BYTES } from '../lib/http/compression.ts'
import { encodedTag, entityTag, isNotModified } from '../lib/http/conditional.ts'
import { chooseEncoding, type ContentCoding } from '../lib/http/negotiation.ts'
import type { RateLimitResult } from '../ports/limits/port.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Caches responses of this route. Only for responses that depend on nothing but the account,
     * the URL and the published content.
     */
    cache?: boolean
  }
  interface FastifyReply {
    /** The version of the resource, which becomes a part of its entity tag. */
    version: number | null
    /** Whether nothing of the account has changed since this process last made the response. */
    isUnchanged: boolean
  }
}

interface CachedResponse {
  /** The account's content epoch, read before the response was made. */
  epoch: number
  createdAtMs: number
  body: Buffer
  etag: string
  lastModified: string
  contentType: string
  /** Headers besides the entity tag, the content type and the content length. */
  headers: Record<string, string>
  compressed: Partial<Record<ContentCoding, Promise<Buffer>>>
}

const CACHED_HEADERS = ['cache-control', 'vary', 'last-modified', 'link', 'slug-also-in']
const MAX_CACHE_BYTES = 64 * 1024 * 1024
/**
 * Maximum age of an entry. A process that crashes between a change and the epoch bump leaves stale
 * entries behind in other processes; this bounds for how long.
 */
const MAX_AGE_MS = 60_000

/** For cached routes. */
const PUBLISHED_CONTENT = 'private, max-age=60, stale-while-revalidate=600'
/** For drafts, keys and settings, whose readers expect the current state. */
const CURRENT_STATE = 'private, no-cache'
const VARY = 'Authorization, X-Api-Key, Accept-Encoding'

/**
 * Entity tags, conditional requests, compression, and a cache of finished responses. A cached
 * response is valid while the account's content epoch is the one it was made under. The epoch is
 * read when the request is authenticated, so that no reader sees content from before a change that
 * was acknowledged.
 */
export default fp(
  async (app) => {
    const counts = app.metrics.counts.responseCache
    const cache = createCache()
    app.decorateReply('version', null)
    app.decorateReply('isUnchanged', false)

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
      const key = cacheKey(request)
      if (key === null) return done()
      const cached = cache.get(key, contentEpoch(request))
      reply.isUnchanged = cached !== undefined
      const isHit = cached !== undefined && !isExpired(cached)
      counts[isHit ? 'hit' : 'miss'] += 1
      if (!isHit) return done()
      const refunded = isNotModified(request.headers, cached) ? refund(request, reply) : undefined
      if (refunded === undefined) sendCached(request, reply, cached)
      else refunded.then(() => sendCached(request, reply, cached)).catch(done)
    })

    /** Sets the entity tag and the caching headers of a read, and caches it if the route allows. */
    function finishRead(request: FastifyRequest, reply: FastifyReply, body: Buffer): void {
      const key = reply.noCache ? null : cacheKey(request)
      const etag = entityTag(body, reply.version)
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
        createdAtMs: Date.now(),
        body,
        etag,
        lastModified: String(reply.getHeader('last-modified')),
        contentType: String(reply.getHeader('content-type')),
        headers: Object.fromEntries(
          CACHED_HEADERS.map((name) => [name, reply.getHeader(name)]).filter(([, value]) => typeof value === 'string')
        ) as Record<string, string>,
        compressed: {}
      })
    }

    async function compressBody(request: FastifyRequest, reply: FastifyReply, body: Buffer): Promise<Buffer> {
      if (reply.hasHeader('content-encoding') || !canCompress(body, reply.getHeader('content-type'))) return body
      const coding = chooseEncoding(request.headers['accept-encoding'])
      if (!reply.hasHeader('vary')) reply.vary('Accept-Encoding')
      if (coding === null) return body
      const compressed = await compress(body, coding)
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
      if (isRead && body !== null && mayStore && !reply.hasHeader('etag')) finishRead(request, reply, body)
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
    dependencies: ['rate-limit', 'http-defaults', 'request-context', 'metrics', 'auth', 'idempotency']
  }
)

const isStream = (payload: unknown): payload is Readable => typeof (payload as Readable | null)?.pipe === 'function'

const canCompress = (body: Buffer, contentType: unknown): boolean =>
  body.length >= MIN_COMPRESSIBLE_BYTES && isCompressible(contentType)

/** The cache key, equal for callers that may read the same content; null where nothing is cached. */
function cacheKey({ routeConfig, caller, url }: FastifyRequest): string | null {
  return routeConfig.cache === true && caller.kind === 'key' ? `${caller.cacheKey}\n${url}` : null
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

const isExpired = ({ createdAtMs }: CachedResponse): boolean => Date.now() - createdAtMs > MAX_AGE_MS

function createCache() {
  const entries = new LRUCache<string, CachedResponse>({
    maxSize: MAX_CACHE_BYTES,
    maxEntrySize: MAX_CACHE_BYTES / 4,
    // Compressed bodies are added later. Together they are rarely larger than the plain body.
    sizeCalculation: ({ body }, key) => 2 * body.length + key.length + 500
  })
  return {
    /** The response that was made under the epoch. It may have expired. */
    get(key: string, epoch: number): CachedResponse | undefined {
      const entry = entries.get(key)
      if (entry === undefined) return undefined
      if (entry.epoch === epoch) return entry
      entries.delete(key)
      return undefined
    },
    set(key: string, entry: CachedResponse): void {
      // An unknown epoch (NaN) never matches.
      if (Number.isNaN(entry.epoch)) entries.delete(key)
      else entries.set(key, entry)
    }
  }
}

/** Writes a cached response to the connection. No onSend hook runs. */
function sendCached(request: FastifyRequest, reply: FastifyReply, cached: CachedResponse): void {
  const { body, etag, lastModified, contentType } = cached
  const headers: OutgoingHttpHeaders = {
    ...cached.headers,
    ...(reply.getHeaders() as OutgoingHttpHeaders),
    etag
  }

  function write(status: number, payload: Buffer | null): void {
    reply.hijack()
    reply.raw.writeHead(status, headers)
    if (payload === null || request.method === 'HEAD') reply.raw.end()
    else reply.raw.end(payload)
  }
  function writeBody(payload: Buffer): void {
    headers['content-type'] = contentType
    headers['content-length'] = payload.length
    write(200, payload)
  }

  if (isNotModified(request.headers, { etag, lastModified })) return write(304, null)
  const coding = canCompress(body, contentType) ? chooseEncoding(request.headers['accept-encoding']) : null
  if (coding === null) return writeBody(body)
  cached.compressed[coding] ??= compress(body, coding)
  cached.compressed[coding]
    .then((compressed) => {
      headers.etag = encodedTag(etag, coding)
      headers['content-encoding'] = coding
      writeBody(compressed)
    })
    .catch((error: unknown) => {
      reply.send(error)
    })
}
