import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { Caller, AuthContext } from '../services/auth/index.ts'
import { chooseEncoding, SMALLEST_BYTES } from './http/compress.ts'
import { isNotModified } from './http/conditional.ts'
import { codedAnswer, createAnswerCache, type KeptAnswer } from './http/kept-answer.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * The answer hangs on nothing but the caller's account, the address and what is published: it
     * is kept ready-made until that changes.
     */
    keep?: boolean
  }
  interface FastifyInstance {
    keptAnswers: {
      /**
       * Answers the request from what is kept, with these headers besides; false when nothing is.
       */
      answer: (request: FastifyRequest, reply: FastifyReply, headers: Record<string, string>) => boolean
      /** Keeps what was made for this request, for all who may see the same. */
      keep: (request: FastifyRequest, reply: FastifyReply, made: { body: Buffer; etag: string }) => void
    }
  }
}

/** How much memory ready-made answers may take. */
const KEPT_BYTES = 64 * 1024 * 1024
const OWN_HEADERS = ['cache-control', 'vary', 'last-modified', 'link']

/**
 * Ready-made answers. One is good while the account's content epoch, which the admission of this
 * very request told, is the one it was made under;
 * so readers never see what was changed before they asked. It is written straight to the wire:
 * nothing that could alter it comes in between.
 */
export default fp(
  async (app) => {
    const kept = createAnswerCache(KEPT_BYTES)
    const { responseCache } = app.metrics.counts

    function write(
      request: FastifyRequest,
      reply: FastifyReply,
      message: { status: number; headers: string[]; body: Buffer | null }
    ): void {
      reply.hijack()
      reply.raw.writeHead(message.status, message.headers)
      if (message.body === null || request.method === 'HEAD') reply.raw.end()
      else reply.raw.end(message.body)
    }

    function full(
      answer: KeptAnswer,
      { body, etag }: { body: Buffer; etag: string },
      headers: string[]
    ): { status: number; headers: string[]; body: Buffer } {
      headers.push('etag', etag, 'content-type', answer.contentType, 'content-length', String(body.length))
      return { status: 200, headers, body }
    }

    function send(
      request: FastifyRequest,
      reply: FastifyReply,
      { answer, headers }: { answer: KeptAnswer; headers: string[] }
    ): void {
      const asked = request.headers
      if (
        (asked['if-none-match'] !== undefined || asked['if-modified-since'] !== undefined) &&
        isNotModified(asked, answer.etag, answer.lastModified)
      ) {
        headers.push('etag', answer.etag)
        return write(request, reply, { status: 304, headers, body: null })
      }
      const encoding = answer.body.length < SMALLEST_BYTES ? null : chooseEncoding(asked['accept-encoding'])
      if (encoding === null) return write(request, reply, full(answer, answer, headers))
      codedAnswer(answer, encoding)
        .then((coded) => {
          headers.push('content-encoding', encoding)
          write(request, reply, full(answer, coded, headers))
        })
        .catch((error: unknown) => {
          reply.send(error)
        })
    }

    app.decorate('keptAnswers', {
      answer(request, reply, headers) {
        const key = keyOf(request)
        if (key === null) return false
        const answer = kept.get(key, epochOf(request))
        responseCache[answer === undefined ? 'miss' : 'hit'] += 1
        if (answer === undefined) return false
        const all = [...answer.headers]
        for (const name in headers) all.push(name, headers[name]!)
        send(request, reply, { answer, headers: all })
        return true
      },

      keep(request, reply, { body, etag }) {
        const key = keyOf(request)
        if (key === null) return
        const headers = OWN_HEADERS.flatMap((name) => {
          const value = reply.getHeader(name)
          return typeof value === 'string' ? [name, value] : []
        })
        kept.set(key, {
          epoch: epochOf(request),
          madeAtMs: Date.now(),
          body,
          etag,
          lastModified: String(reply.getHeader('last-modified')),
          headers,
          contentType: String(reply.getHeader('content-type')),
          coded: {}
        })
      }
    })
  },
  { name: 'kept-answers', dependencies: ['metrics'] }
)

const epochOf = (request: FastifyRequest) => (request.auth as AuthContext).rateLimit.contentEpoch

/** The same for all who may see the same. */
function keyOf(request: FastifyRequest): string | null {
  const caller: Caller = request.caller
  return caller.kind === 'key' ? `${caller.cacheKey}\n${request.url}` : null
}
