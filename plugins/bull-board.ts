import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { problem } from '../errors.ts'
import { cookieWith, tokenInCookie } from './queue-pages/admin-cookie.ts'

/** Where administrators find the pages of the queues. */
const PATH = '/admin/queues'
/** The pages bring all that they need; what they would fetch from elsewhere is not let through. */
const POLICY =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; base-uri 'self'; form-action 'none'; frame-ancestors 'none'"

/**
 * Bull Board, where the queue is in Redis and requests are served. A browser that follows an
 * address sends no Authorization header, so the session token of an
 * administrator is taken from the address once and kept in a cookie. The log never has it.
 */
export default fp(
  async (app) => {
    const { REDIS_URL: url, REDIS_PREFIX: prefix, ROLE: role } = app.config
    if (url === undefined || role === 'worker') return
    const { openBoard } = await import('./queue-pages/board.ts')
    const board = openBoard({
      url,
      prefix,
      basePath: PATH,
      failed: (error) => {
        app.log.warn({ err: error }, 'the pages of the queues could not reach Redis')
      }
    })
    app.addHook('onClose', board.close)

    /** Throws what an administrator would not hear. */
    async function assertAdmin(token: string | null, request: FastifyRequest): Promise<void> {
      if (token === null) {
        throw problem(
          'unauthenticated',
          `Open the address that svc queues --open prints, or ${PATH}?token=<a session token with the role admin>.`,
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

    async function enter(request: FastifyRequest, reply: FastifyReply): Promise<'in' | 'redirected'> {
      reply.headers({
        'cache-control': 'no-store',
        'content-security-policy': POLICY,
        'referrer-policy': 'no-referrer'
      })
      const { token } = request.query as { token?: unknown }
      if (typeof token !== 'string' || request.method !== 'GET') {
        await assertAdmin(tokenInCookie(request.headers.cookie), request)
        return 'in'
      }
      await assertAdmin(token, request)
      reply
        .header('set-cookie', cookieWith(token, { path: PATH, secure: app.publicUrl.startsWith('https:') }))
        .redirect(PATH, 303)
      return 'redirected'
    }

    await app.register(
      async (scope) => {
        scope.addHook('onRequest', (request, reply, done) => {
          enter(request, reply)
            .then((where) => {
              if (where === 'in') done()
            })
            .catch((error: Error) => {
              // By the writer of all error bodies; Bull Board has one of its own for its routes.
              app.errorHandler(error as never, request, reply)
            })
        })
        scope.addHook('onError', async (request, _reply, error) => {
          request.log.warn({ err: error }, 'a page of the queues failed')
        })
        await scope.register(board.routes)
      },
      { prefix: PATH }
    )
  },
  { name: 'bull-board', dependencies: ['config', 'services', 'auth', 'errors', 'openapi'] }
)
