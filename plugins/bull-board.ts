import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { ApiError, problem } from '../errors.ts'
import { bearerToken, readCookie } from '../lib/http/request.ts'
import { signInPage } from './bull-board/sign-in-page.ts'

const PATH = '/admin/queues'
const SIGN_IN_PATH = '/admin/queues-sign-in'
/** Only these pages receive the cookie, and no script and no other site can use it. */
const COOKIE = 'queue_pages'
/** Bull Board serves all its assets itself. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "base-uri 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'"
].join('; ')

/** A session token is shorter, and nothing else is posted to the sign-in page. */
const SIGN_IN_LIMIT_BYTES = 16 * 1024

/**
 * Bull Board for administrators, when the queue is in Redis. Browsers send no Authorization header
 * when they open a page: the sign-in page posts the session token, which is stored in a cookie.
 * URLs never contain the token, because URLs are logged by proxies and kept by browsers.
 */
export default fp(
  async (app) => {
    const { REDIS_URL: url, REDIS_PREFIX: prefix, ROLE: role } = app.config
    if (url === undefined || role === 'worker') return
    const { openBoard } = await import('./bull-board/board.ts')
    const board = openBoard({
      url,
      prefix,
      basePath: PATH,
      onError: (error) => {
        app.log.warn({ err: error }, 'Bull Board could not reach Redis')
      }
    })
    app.addHook('onClose', board.close)

    async function assertAdmin(token: string | null, request: FastifyRequest): Promise<void> {
      if (token === null) {
        throw problem('unauthenticated', `Sign in at ${PATH} with a session token with the role admin.`, {
          headers: { 'WWW-Authenticate': 'Bearer realm="session"' }
        })
      }
      const { caller, error } = await app.services.auth.authenticate({
        kind: 'session',
        credential: token,
        address: request.ip,
        cost: 1
      })
      if (error !== null) throw error
      if (caller.kind !== 'session' || !caller.admin) {
        throw problem('admin_only', 'The session token lacks the role admin.')
      }
    }

    const setHeaders = (reply: FastifyReply): FastifyReply =>
      reply.cacheControl('no-store').headers({
        'content-security-policy': CONTENT_SECURITY_POLICY,
        'referrer-policy': 'no-referrer'
      })

    /** Returns `answered` if the sign-in page was sent instead. */
    async function authorize(request: FastifyRequest, reply: FastifyReply): Promise<'allowed' | 'answered'> {
      setHeaders(reply)
      const token = bearerToken(request.headers) ?? readCookie(request.headers, COOKIE)
      try {
        await assertAdmin(token, request)
        return 'allowed'
      } catch (error) {
        // Also if the token in the cookie has expired.
        const isDenied = error instanceof ApiError && (error.statusCode === 401 || error.statusCode === 403)
        if (!isDenied || !isPageRequest(request)) throw error
        reply.code(error.statusCode).headers(error.options.headers ?? {})
        reply.type('text/html; charset=utf-8').send(signInPage(SIGN_IN_PATH))
        return 'answered'
      }
    }

    // After all request decorators: Fastify adds later hooks to existing scopes, but not later decorators.
    await app.register(async (scope) => {
      scope.removeAllContentTypeParsers()
      scope.addContentTypeParser(
        'application/x-www-form-urlencoded',
        { parseAs: 'string', bodyLimit: SIGN_IN_LIMIT_BYTES },
        (_request, body, done) => {
          done(null, new URLSearchParams(body as string))
        }
      )
      scope.post(SIGN_IN_PATH, { schema: { hide: true } }, async (request, reply) => {
        setHeaders(reply)
        const token = request.body instanceof URLSearchParams ? (request.body.get('token')?.trim() ?? '') : ''
        await assertAdmin(token, request)
        const secure = app.publicUrl.startsWith('https:') ? '; Secure' : ''
        return await reply
          .header('set-cookie', `${COOKIE}=${token}; Path=${PATH}; HttpOnly; SameSite=Strict${secure}`)
          .redirect(PATH, 303)
      })
    })

    await app.register(
      async (scope) => {
        scope.addHook('onRequest', (request, reply, done) => {
          authorize(request, reply)
            .then((result) => {
              if (result === 'allowed') done()
            })
            .catch((error: Error) => {
              // Not by `done(error)`: Bull Board sets its own error handler for its routes.
              app.errorHandler(error as never, request, reply)
            })
        })
        scope.addHook('onError', async (request, _reply, error) => {
          request.log.warn({ err: error }, 'Bull Board request failed')
        })
        await scope.register(board.routes)
      },
      { prefix: PATH }
    )
  },
  {
    name: 'bull-board',
    dependencies: [
      'config',
      'http-defaults',
      'services',
      'auth',
      'audit',
      'errors',
      'idempotency',
      'openapi',
      'request-context',
      'response-cache'
    ]
  }
)

/** Whether a browser opens a page, rather than a script or an API client requesting data. */
const isPageRequest = ({ method, headers }: FastifyRequest): boolean =>
  method === 'GET' && /\btext\/html\b/i.test(headers.accept ?? '')
