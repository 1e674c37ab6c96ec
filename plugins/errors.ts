import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { problem, type ApiError } from '../errors.ts'
import { bodyAfterDraining, closeGracefully, waitForResponses } from '../lib/http/connection.ts'
import { createRequestId, requestPath } from '../lib/http/request.ts'
import { malformedHttp, toApiError, toHttpMessage, toProblemDocument } from './errors/problem.ts'
import { PartialListError, type OmittedRecord } from './validation/partial-list.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Logs and counts records that were left out of a list, and sets the header with their number. */
    reportOmitted: (omitted: OmittedRecord[], reply: FastifyReply) => void
    /** True once the shutdown has begun. */
    closing: boolean
    /** Responds to an unknown path: 404, or 405 if the path accepts another method. */
    sendNotFound: (request: FastifyRequest, reply: FastifyReply) => void
    /** Responds to errors that Fastify raises before any hook runs. */
    onFrameworkError: (error: Error, request: FastifyRequest, reply: FastifyReply) => void
    /** Responds to messages that are no HTTP requests. */
    onClientError: (error: Error & { code?: string }, socket: Socket) => void
  }
}

/** Retry-After of a 503 whose cause does not name a time. */
const RETRY_SECONDS = '5'

/**
 * Writes every error response: API errors, validation errors, unknown paths, framework errors and
 * client errors.
 */
export default fp(
  async (app) => {
    const docsUrl = () => `${app.publicUrl}/docs/errors`
    app.decorate('closing', false)
    app.addHook('preClose', async () => {
      app.closing = true
    })
    const routes = recordRoutes(app)

    const internalError = (error: Error, request: FastifyRequest): ApiError => {
      request.log.error({ err: error, req: request }, 'request failed')
      return problem('internal', 'The failure has been logged under this request id.')
    }

    const consumeAddress = async (address: string) =>
      await app.services.auth.authenticate({ kind: 'public', credential: null, address, cost: 1 })

    function send(error: ApiError, request: FastifyRequest, reply: FastifyReply): void {
      const body = toProblemDocument(error, {
        docsUrl: docsUrl(),
        instance: requestPath(request.url),
        requestId: request.id
      })
      reply.headers(error.options.headers ?? {})
      if (error.statusCode === 503 && !reply.hasHeader('retry-after')) reply.header('retry-after', RETRY_SECONDS)
      reply
        .code(error.statusCode)
        .header('content-type', 'application/problem+json; charset=utf-8')
        .header('cache-control', 'no-store')
      reply.removeHeader('etag')
      reply.removeHeader('last-modified')
      // The rest of a body that is too large or too slow is not awaited.
      if (error.statusCode === 413 || error.statusCode === 408) sendAndClose(JSON.stringify(body), request, reply)
      else reply.serializer((value: unknown) => JSON.stringify(value)).send(body)
    }

    app.setErrorHandler((error: Error, request, reply) => {
      // Fastify's own errors name neither the limit nor the accepted types.
      const { code } = error as { code?: string }
      if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
        return send(bodyTooLarge(request.routeOptions.bodyLimit), request, reply)
      }
      if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return send(wrongType(request), request, reply)
      if (error instanceof PartialListError) return sendPartialList(error, reply)
      send(toApiError(error) ?? internalError(error, request), request, reply)
    })

    function sendPartialList({ body, omitted }: PartialListError, reply: FastifyReply): void {
      app.reportOmitted(omitted, reply)
      reply
        .code(200)
        .header('content-type', 'application/json; charset=utf-8')
        .serializer((text: string) => text)
        .send(body)
    }

    app.decorate('reportOmitted', (omitted, reply) => {
      const { request } = reply
      request.log.error({ omitted, req: request }, 'left records that cannot be serialized out of a list')
      app.metrics.counts.omittedRecords += omitted.length
      reply.noCache = true
      reply.header('x-omitted-records', omitted.length)
    })

    app.decorate('sendNotFound', (request, reply) => {
      const path = requestPath(request.url)
      const allow = allowedMethods(routes, path)
      if (allow.length === 0) return send(problem('not_found', `Nothing was found at ${path}.`), request, reply)
      reply.header('allow', allow.join(', '))
      if (request.method === 'OPTIONS') reply.code(204).send()
      else send(problem('method_not_allowed', `${path} accepts ${allow.join(', ')}.`), request, reply)
    })
    app.setNotFoundHandler((request, reply) => {
      app.sendNotFound(request, reply)
    })

    app.decorate('onFrameworkError', (error, request, reply) => {
      consumeAddress(request.ip)
        .then((auth) => {
          reply.headers(app.rateLimitHeaders(auth)).header('x-request-id', request.id)
          send(auth.error ?? toApiError(error) ?? internalError(error, request), request, reply)
          app.metrics.countUnroutedResponse(reply.statusCode)
        })
        .catch((failure: unknown) => {
          app.log.error({ err: failure }, 'could not respond to a framework error')
          request.raw.destroy()
        })
    })

    async function respondToClientError(error: Error, socket: Socket): Promise<void> {
      if (!(await waitForResponses(socket))) {
        socket.destroy()
        return
      }
      const auth = await consumeAddress(socket.remoteAddress ?? '')
      const apiError = auth.error ?? toApiError(error) ?? malformedHttp()
      app.metrics.countUnroutedResponse(apiError.statusCode)
      const context = { docsUrl: docsUrl(), instance: '', requestId: createRequestId() }
      closeGracefully(socket, toHttpMessage(apiError, app.rateLimitHeaders(auth), context))
    }

    const failedSockets = new WeakSet<Socket>()
    app.decorate('onClientError', (error, socket) => {
      // Respond once, whatever else arrives on this connection.
      if (failedSockets.has(socket)) return
      failedSockets.add(socket)
      socket.on('error', () => {
        socket.destroy()
      })
      if ('syscall' in error || error.code === 'ECONNRESET') return socket.destroy()
      respondToClientError(error, socket).catch((failure: unknown) => {
        app.log.error({ err: failure }, 'could not respond to a client error')
        socket.destroy()
      })
    })
  },
  { name: 'errors', dependencies: ['config', 'services', 'metrics', 'rate-limit', 'http-defaults'] }
)

/** Sends the response and closes the connection. */
function sendAndClose(body: string, request: FastifyRequest, reply: FastifyReply): void {
  reply
    .header('connection', 'close')
    .header('content-length', Buffer.byteLength(body))
    .send(request.raw.complete ? body : bodyAfterDraining(request.raw, body))
}

const bodyTooLarge = (limit: number) =>
  problem('payload_too_large', `The body must not exceed ${limit} bytes.`, { members: { limit } })

function wrongType({ headers, routeConfig }: FastifyRequest): ApiError {
  const sent = headers['content-type']
  const accepted = routeConfig.consumes ?? ['application/json']
  const reason = sent === undefined ? 'is missing' : `${sent.slice(0, 100)} is not supported`
  return problem(
    'unsupported_media_type',
    `The Content-Type ${reason}. ` +
      `Send the body with ${accepted.map((type) => `\`Content-Type: ${type}\``).join(' or ')}.`
  )
}

interface RecordedRoute {
  pattern: RegExp
  methods: string[]
}

/** Records the routes that are registered from here on, to tell a 405 from a 404. */
function recordRoutes(app: FastifyInstance): RecordedRoute[] {
  const routes: RecordedRoute[] = []
  app.addHook('onRoute', ({ url, method }) => {
    if (url !== '*' && url !== '/*') routes.push({ pattern: toPattern(url), methods: [method].flat() })
  })
  return routes
}

/**
 * The methods of a path, with OPTIONS; empty for an unknown path. `*` means the whole server. A
 * trailing slash makes no difference.
 */
function allowedMethods(routes: RecordedRoute[], path: string): string[] {
  const withoutSlash = path.replace(/(?<=.)\/$/, '')
  const methods = new Set(
    routes
      .filter(({ pattern }) => path === '*' || pattern.test(path) || pattern.test(withoutSlash))
      .flatMap((route) => route.methods)
  )
  return methods.size === 0 ? [] : [...methods.add('OPTIONS')].sort()
}

/** `/a/:id/*` as a regular expression. A parameter matches one segment. */
function toPattern(url: string): RegExp {
  const segments = url.split('/').map((segment) => {
    if (segment === '*') return '.*'
    return segment.startsWith(':') ? '[^/]+' : segment.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  })
  return new RegExp(`^${segments.join('/')}$`)
}
