import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { chooseEncoding, compress, isCompressible, SMALLEST_BYTES } from './http/compress.ts'
import { encodedTag, entityTag, isNotModified } from './http/conditional.ts'

declare module 'fastify' {
  interface FastifyReply {
    /** The version of what is answered; leads its entity tag. */
    version: number | null
    /** Set by a handler for an answer that must not be kept after all. */
    unkept: boolean
  }
}

const READ_CACHE = 'private, max-age=60, stale-while-revalidate=600'
/** Drafts, keys, settings: their readers want the present state. */
const CHECKED_READ = 'private, no-cache'
const VARY = 'Authorization, X-Api-Key, Accept-Encoding'

/** Entity tags, 304 and compression: what happens to an answer between the handler and the wire. */
export default fp(
  async (app) => {
    app.decorateReply('version', null)
    app.decorateReply('unkept', false)
    const isRead = (request: FastifyRequest) => request.method === 'GET' || request.method === 'HEAD'

    /** Gives a read its tag and its caching rules, and keeps it where the route allows. */
    function seal(request: FastifyRequest, reply: FastifyReply, body: Buffer): void {
      const etag = entityTag(body, reply.version)
      reply.header('etag', etag)
      const keep = request.routeConfig.keep === true && !reply.unkept
      if (!reply.hasHeader('cache-control')) reply.header('cache-control', keep ? READ_CACHE : CHECKED_READ)
      reply.header('vary', VARY)
      if (!reply.hasHeader('last-modified')) reply.header('last-modified', new Date().toUTCString())
      if (keep) app.keptAnswers.keep(request, reply, { body, etag })
    }

    async function squeeze(request: FastifyRequest, reply: FastifyReply, body: Buffer): Promise<Buffer> {
      if (
        body.length < SMALLEST_BYTES ||
        reply.hasHeader('content-encoding') ||
        !isCompressible(reply.getHeader('content-type'))
      ) {
        return body
      }
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
      const stream = isStream(payload)
      if (!stream && typeof payload !== 'string' && !Buffer.isBuffer(payload)) return payload
      const body = stream ? null : Buffer.isBuffer(payload) ? payload : Buffer.from(payload as string)
      const read = isRead(request) && reply.statusCode === 200
      const storable = reply.getHeader('cache-control') !== 'no-store'
      if (read && body !== null && storable && !reply.hasHeader('etag')) seal(request, reply, body)
      if (
        read &&
        isNotModified(
          conditionsOf(request),
          reply.getHeader('etag') as string | undefined,
          reply.getHeader('last-modified') as string | undefined
        )
      ) {
        if (stream) payload.destroy()
        reply.code(304)
        for (const name of ['content-type', 'content-length']) reply.removeHeader(name)
        // The framework measures what it leaves out of an answer to HEAD, and cannot measure null.
        return request.method === 'HEAD' ? Readable.from([]) : null
      }
      return body === null ? payload : await squeeze(request, reply, body)
    })
  },
  { name: 'answers', dependencies: ['auth', 'idempotency', 'kept-answers'] }
)

/**
 * What the client says of its copy. A date cannot tell two changes of one second apart, so it
 * counts only for what may be kept for a minute anyway;
 * a reader of drafts, settings and products has the entity tag.
 */
function conditionsOf({ headers, routeConfig }: FastifyRequest): IncomingHttpHeaders {
  return routeConfig.access?.kind === 'public' || routeConfig.keep === true
    ? headers
    : { 'if-none-match': headers['if-none-match'] }
}
