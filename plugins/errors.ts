import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { problem, type ApiError } from '../errors.ts'
import { endGently, rawAnswer, whenAnswered } from './http/broken-message.ts'
import { newRequestId } from './http/request-id.ts'
import { requestPath } from './http/request-path.ts'
import { problemBody, refusalOf } from './http/problem.ts'
import { rateLimitHeaders } from './http/rate-limit-headers.ts'
import { allowedMethods, rememberRoutes } from './http/route-table.ts'
import { heldOpen } from './http/unread-body.ts'

declare module 'fastify' {
  interface FastifyInstance {
    closing: boolean
    /** Answers where there is no route: 404, or 405 where another method is taken. */
    answerNotFound: (request: FastifyRequest, reply: FastifyReply) => void
    /** Answers what the framework refuses before any hook runs. */
    answerFrameworkError: (error: Error, request: FastifyRequest, reply: FastifyReply) => void
    /** Answers what is not HTTP enough to become a request. */
    answerBrokenMessage: (error: Error & { code?: string }, socket: Socket) => void
  }
}

/** When to come again after a failure whose end nobody knows. */
const RETRY_SECONDS = '5'

/**
 * The only writer of error bodies: for refusals, validation, not-found, framework and client errors
 * alike.
 */
export default fp(
  async (app) => {
    const docsUrl = () => `${app.publicUrl}/docs/errors`
    app.decorate('closing', false)
    app.addHook('preClose', async () => {
      app.closing = true
    })
    const routes = rememberRoutes(app)

    const internal = (error: Error, request: FastifyRequest): ApiError => {
      request.log.error({ err: error, req: request }, 'request failed')
      return problem('internal', 'The request failed for a reason that is not yours. It was noted.')
    }

    const atTheGate = async (address: string) =>
      await app.services.auth.authenticate({ kind: 'public', credential: null, address, cost: 1 })

    function write(refusal: ApiError, request: FastifyRequest, reply: FastifyReply): void {
      const body = problemBody(refusal, {
        docsUrl: docsUrl(),
        instance: requestPath(request.url),
        requestId: request.id
      })
      reply.headers(refusal.options.headers ?? {})
      if (refusal.statusCode === 503 && !reply.hasHeader('retry-after')) reply.header('retry-after', RETRY_SECONDS)
      reply
        .code(refusal.statusCode)
        .header('content-type', 'application/problem+json; charset=utf-8')
        .header('cache-control', 'no-store')
      reply.removeHeader('etag')
      reply.removeHeader('last-modified')
      // The rest of a body that is too large, or too slow, is not waited for.
      if (refusal.statusCode === 413 || refusal.statusCode === 408) writeLast(JSON.stringify(body), request, reply)
      else reply.serializer((value: unknown) => JSON.stringify(value)).send(body)
    }

    app.setErrorHandler((error: Error, request, reply) => {
      // The framework knows that a body is too large, but not to say how large one may be.
      if ((error as { code?: string }).code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
        return write(bodyTooLarge(request.routeOptions.bodyLimit), request, reply)
      }
      write(refusalOf(error) ?? internal(error, request), request, reply)
    })

    app.decorate('answerNotFound', (request, reply) => {
      const path = requestPath(request.url)
      const allow = allowedMethods(routes, path)
      if (allow.length === 0) return write(problem('not_found', `There is nothing at ${path}.`), request, reply)
      reply.header('allow', allow.join(', '))
      if (request.method === 'OPTIONS') reply.code(204).send()
      else write(problem('method_not_allowed', `${path} takes ${allow.join(', ')}.`), request, reply)
    })
    app.setNotFoundHandler((request, reply) => {
      app.answerNotFound(request, reply)
    })

    app.decorate('answerFrameworkError', (error, request, reply) => {
      atTheGate(request.ip)
        .then((passage) => {
          reply.headers(rateLimitHeaders(passage)).header('x-request-id', request.id)
          write(passage.error ?? refusalOf(error) ?? internal(error, request), request, reply)
          app.metrics.countBroken(reply.statusCode)
        })
        .catch((failure: unknown) => {
          app.log.error({ err: failure }, 'a framework error could not be answered')
          request.raw.destroy()
        })
    })

    async function sayWhatIsBroken(error: Error, socket: Socket): Promise<void> {
      if (!(await whenAnswered(socket))) {
        socket.destroy()
        return
      }
      const passage = await atTheGate(socket.remoteAddress ?? '')
      const refusal = passage.error ?? refusalOf(error) ?? problem('malformed_http', 'The message could not be parsed.')
      app.metrics.countBroken(refusal.statusCode)
      endGently(
        socket,
        rawAnswer(refusal, rateLimitHeaders(passage), { docsUrl: docsUrl(), instance: '', requestId: newRequestId() })
      )
    }

    const broken = new WeakSet<Socket>()
    app.decorate('answerBrokenMessage', (error, socket) => {
      // One answer is enough, whatever else arrives on this connection.
      if (broken.has(socket)) return
      broken.add(socket)
      socket.on('error', () => {
        socket.destroy()
      })
      if ('syscall' in error || error.code === 'ECONNRESET') return socket.destroy()
      sayWhatIsBroken(error, socket).catch((failure: unknown) => {
        app.log.error({ err: failure }, 'a broken message could not be answered')
        socket.destroy()
      })
    })
  },
  { name: 'errors', dependencies: ['config', 'services', 'metrics'] }
)

/** Answers, and closes the connection. */
function writeLast(body: string, request: FastifyRequest, reply: FastifyReply): void {
  reply
    .header('connection', 'close')
    .header('content-length', Buffer.byteLength(body))
    .send(request.raw.complete ? body : heldOpen(request.raw, body))
}

const bodyTooLarge = (limit: number) =>
  problem('payload_too_large', `The body may have ${limit} bytes.`, { members: { limit } })
