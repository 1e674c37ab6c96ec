import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { chooseEncoding, compress, isCompressible, SMALLEST_BYTES } from './http/compress.ts'
import { encodedTag, entityTag, isNotModified } from './http/conditional.ts'
import { codedAnswer, createAnswerCache, type KeptAnswer } from './http/kept-answer.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The answer hangs on nothing but the caller's account, the address and what is published: it is kept ready-made until that changes. */
    keep?: boolean
  }
  interface FastifyReply {
    /** The version of what is answered; leads its entity tag. */
    version: number | null
    /** Set by a handler for an answer that must not be kept after all. */
    unkept: boolean
  }
}

/** How much memory ready-made answers may take. */
const KEPT_BYTES = 64 * 1024 * 1024
const READ_CACHE = 'private, max-age=60, stale-while-revalidate=600'
/** Drafts, keys, settings: their readers want the present state. */
const CHECKED_READ = 'private, no-cache'
const VARY = 'Authorization, X-Api-Key, Accept-Encoding'

/** Ready-made answers, entity tags, 304 and compression: what happens to an answer between the handler and the wire. */
export default fp(async (app) => {
  const kept = createAnswerCache(KEPT_BYTES)
  app.decorateReply('version', null)
  app.decorateReply('unkept', false)
  const ready = new WeakSet<FastifyReply>()

  const keyOf = (request: FastifyRequest) => request.caller.kind === 'key' ? `${request.caller.cacheKey}\n${request.caller.scopes.includes('blogs:write')}\n${request.url}` : null
  const isRead = (request: FastifyRequest) => request.method === 'GET' || request.method === 'HEAD'

  async function sendCoded (request: FastifyRequest, reply: FastifyReply, answer: KeptAnswer): Promise<void> {
    const encoding = chooseEncoding(request.headers['accept-encoding'])
    const coded = encoding === null ? answer : await codedAnswer(answer, encoding)
    if (encoding !== null) reply.header('content-encoding', encoding).header('etag', coded.etag)
    reply.send(coded.body)
  }

  function sendKept (request: FastifyRequest, reply: FastifyReply, answer: KeptAnswer): void {
    ready.add(reply)
    reply.headers(answer.headers)
    const { headers } = request
    if ((headers['if-none-match'] !== undefined || headers['if-modified-since'] !== undefined) && isNotModified(headers, answer.etag, answer.headers['last-modified'])) {
      reply.code(304).removeHeader('content-type').send()
    } else if (headers['accept-encoding'] === undefined || answer.body.length < SMALLEST_BYTES) {
      reply.send(answer.body)
    } else {
      sendCoded(request, reply, answer).catch((error: unknown) => { reply.send(error) })
    }
  }

  app.addHook('onRequest', (request, reply, done) => {
    if (request.routeOptions.config?.keep !== true || !isRead(request)) return done()
    const key = keyOf(request)
    const answer = key === null ? undefined : kept.get(key, request.passage!.admission.contentEpoch)
    if (answer === undefined) return done()
    sendKept(request, reply, answer)
  })

  /** Gives a read its tag and its caching rules, and keeps it where the route allows. */
  function seal (request: FastifyRequest, reply: FastifyReply, body: Buffer): void {
    const etag = entityTag(body, reply.version)
    reply.header('etag', etag)
    const keep = request.routeOptions.config?.keep === true && !reply.unkept
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', keep ? READ_CACHE : CHECKED_READ)
    reply.header('vary', VARY)
    if (!reply.hasHeader('last-modified')) reply.header('last-modified', new Date().toUTCString())
    const key = keyOf(request)
    if (!keep || key === null) return
    const headers: Record<string, string> = {}
    for (const name of ['content-type', 'etag', 'cache-control', 'vary', 'last-modified', 'link']) {
      const value = reply.getHeader(name)
      if (typeof value === 'string') headers[name] = value
    }
    kept.set(key, { epoch: request.passage!.admission.contentEpoch, body, etag, headers, coded: {} })
  }

  async function squeeze (request: FastifyRequest, reply: FastifyReply, body: Buffer): Promise<Buffer> {
    if (body.length < SMALLEST_BYTES || reply.hasHeader('content-encoding') || !isCompressible(reply.getHeader('content-type'))) return body
    const encoding = chooseEncoding(request.headers['accept-encoding'])
    if (!reply.hasHeader('vary')) reply.header('vary', 'Accept-Encoding')
    if (encoding === null) return body
    const coded = await compress(body, encoding)
    const etag = reply.getHeader('etag')
    if (typeof etag === 'string') reply.header('etag', encodedTag(etag, encoding))
    reply.header('content-encoding', encoding)
    reply.removeHeader('content-length')
    return coded
  }

  const isStream = (payload: unknown): payload is Readable => typeof (payload as Readable | null)?.pipe === 'function'

  app.addHook('onSend', async (request, reply, payload) => {
    if (ready.has(reply)) return payload
    const stream = isStream(payload)
    if (!stream && typeof payload !== 'string' && !Buffer.isBuffer(payload)) return payload
    const body = stream ? null : Buffer.isBuffer(payload) ? payload : Buffer.from(payload as string)
    const read = isRead(request) && reply.statusCode === 200
    const storable = reply.getHeader('cache-control') !== 'no-store'
    if (read && body !== null && storable && !reply.hasHeader('etag')) seal(request, reply, body)
    if (read && isNotModified(request.headers, reply.getHeader('etag') as string | undefined, reply.getHeader('last-modified') as string | undefined)) {
      if (stream) payload.destroy()
      reply.code(304)
      for (const name of ['content-type', 'content-length']) reply.removeHeader(name)
      return null
    }
    return body === null ? payload : await squeeze(request, reply, body)
  })
}, { name: 'answers', dependencies: ['admission', 'idempotency'] })
