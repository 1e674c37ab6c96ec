import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { problem } from '../errors.ts'
import { readCookie } from '../lib/http/request.ts'

const PATH = '/admin/queues'
/** Only these pages receive the cookie, and no script and no other site can use it. */
const COOKIE = 'queue_pages'
/** Bull Board serves all its assets itself. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "base-uri 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'"
].join('; ')

/**
 * Bull Board for administrators, when the queue is in Redis. Browsers send no Authorization header
 * when they open a page, so the session token is taken from the URL once and kept in a cookie. The
 * token is removed from the log (app.ts).
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
        throw problem(
          'unauthenticated',
          `Open the URL printed by \`svc queues --open\`, or ${PATH}?token=<session token with the role admin>.`,
          { headers: { 'WWW-Authenticate': 'Bearer realm="session"' } }
        )
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

    async function authorize(request: FastifyRequest, reply: FastifyReply): Promise<'allowed' | 'redirected'> {
      reply.cacheControl('no-store').headers({
        'content-security-policy': CONTENT_SECURITY_POLICY,
        'referrer-policy': 'no-referrer'
      })
      const { token } = request.query as { token?: unknown }
      if (typeof token !== 'string' || request.method !== 'GET') {
        await assertAdmin(readCookie(request.headers, COOKIE), request)
        return 'allowed'
      }
      await assertAdmin(token, request)
      const secure = app.publicUrl.startsWith('https:') ? '; Secure' : ''
      reply
        .header('set-cookie', `${COOKIE}=${token}; Path=${PATH}; HttpOnly; SameSite=Strict${secure}`)
        .redirect(PATH, 303)
      return 'redirected'
    }

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
  { name: 'bull-board', dependencies: ['config', 'http-defaults', 'services', 'auth', 'errors', 'openapi'] }
)
