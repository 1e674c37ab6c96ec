import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { refuse, type Refusal } from '../errors.ts'
import { newRequestId } from './http/request-id.ts'
import { problemBody, refusalOf } from './http/problem.ts'
import { rateLimitHeaders } from './http/rate-limit-headers.ts'
import { allowedMethods, rememberRoutes } from './http/route-table.ts'

declare module 'fastify' {
  interface FastifyInstance {
    closing: boolean
    /** Answers what the framework refuses before any hook runs. */
    answerFrameworkError: (error: Error, request: FastifyRequest, reply: FastifyReply) => void
    /** Answers what is not HTTP enough to become a request. */
    answerBrokenMessage: (error: Error & { code?: string }, socket: Socket) => void
  }
}

/** The only writer of error bodies: for refusals, validation, not-found, framework and client errors alike. */
export default fp(async (app) => {
  const docsUrl = () => `${app.publicUrl}/docs/errors`
  app.decorate('closing', false)
  app.addHook('preClose', async () => { app.closing = true })
  const routes = rememberRoutes(app)

  const internal = (error: Error, request: FastifyRequest): Refusal => {
    request.log.error({ err: error, url: request.url }, 'request failed')
    return refuse('internal', 'The request failed for a reason that is not yours. It was noted.')
  }

  const atTheGate = async (address: string) => await app.services.gate.approach({ kind: 'public', credential: null, address, cost: 1 })

  function write (refusal: Refusal, request: FastifyRequest, reply: FastifyReply): void {
    const body = problemBody(refusal, { docsUrl: docsUrl(), instance: request.url.split('?', 1)[0]!, requestId: request.id })
    for (const [name, value] of Object.entries(refusal.extra.headers ?? {})) reply.header(name, value)
    // A body that was not read to its end would be taken for the next request.
    if (refusal.statusCode === 413 || refusal.statusCode === 408) reply.header('connection', 'close')
    reply.code(refusal.statusCode).header('content-type', 'application/problem+json; charset=utf-8').header('cache-control', 'no-store')
    reply.removeHeader('etag')
    reply.removeHeader('last-modified')
    reply.serializer((value: unknown) => JSON.stringify(value)).send(body)
  }

  app.setErrorHandler((error: Error, request, reply) => { write(refusalOf(error) ?? internal(error, request), request, reply) })

  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?', 1)[0]!
    const allow = allowedMethods(routes, path)
    if (allow.length === 0) return write(refuse('not_found', `There is nothing at ${path}.`), request, reply)
    reply.header('allow', allow.join(', '))
    if (request.method === 'OPTIONS') return reply.code(204).send()
    return write(refuse('method_not_allowed', `${path} takes ${allow.join(', ')}.`), request, reply)
  })

  app.decorate('answerFrameworkError', (error, request, reply) => {
    atTheGate(request.ip).then((passage) => {
      reply.headers(rateLimitHeaders(passage)).header('x-request-id', request.id)
      write(passage.refusal ?? refusalOf(error) ?? internal(error, request), request, reply)
    }).catch((failure: unknown) => {
      app.log.error({ err: failure }, 'a framework error could not be answered')
      request.raw.destroy()
    })
  })

  app.decorate('answerBrokenMessage', (error, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return socket.destroy()
    atTheGate(socket.remoteAddress ?? '').then((passage) => {
      const refusal = passage.refusal ?? refusalOf(error) ?? refuse('malformed_http', 'The message could not be parsed.')
      socket.end(rawAnswer(refusal, rateLimitHeaders(passage), { docsUrl: docsUrl(), instance: '', requestId: newRequestId() }))
    }).catch((failure: unknown) => {
      app.log.error({ err: failure }, 'a broken message could not be answered')
      socket.destroy()
    })
  })
}, { name: 'errors', dependencies: ['config', 'services'] })

function rawAnswer (refusal: Refusal, headers: Record<string, string>, place: { docsUrl: string, instance: string, requestId: string }): string {
  const body = JSON.stringify(problemBody(refusal, place))
  const lines = Object.entries({
    ...headers,
    ...refusal.extra.headers,
    'x-request-id': place.requestId,
    'content-type': 'application/problem+json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'cache-control': 'no-store',
    connection: 'close'
  })
  return [`HTTP/1.1 ${refusal.statusCode} ${STATUS_CODES[refusal.statusCode]}`, ...lines.map(([name, value]) => `${name}: ${value}`), '', body].join('\r\n')
}
