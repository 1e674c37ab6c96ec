import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { problem, type ErrorCode } from '../errors.ts'
import { keyPrefix } from '../services/api-keys/key-format.ts'
import type { Caller, AuthContext } from '../services/auth/index.ts'
import { isAcceptable } from './http/acceptable.ts'
import { assertAccess, type Access } from './http/access.ts'
import { credentialOf, kindOfPath } from './http/credential.ts'
import { rateLimitHeaders } from './http/rate-limit-headers.ts'
import { requestPath } from './http/request-path.ts'

declare module 'fastify' {
  interface FastifyRequest {
    auth: AuthContext | null
    caller: Caller /** The route's own settings; empty where there is no route. */
    routeConfig: FastifyContextConfig
  }
  interface FastifyContextConfig {
    access?: Access /** The refusals that this route may answer besides those that every route may; for the interface's document. */
    errors?: readonly ErrorCode[]
  }
}

/**
 * What happens to a request before anything else: who is it, may it, and how does its bucket stand;
 * the headers of that are on every answer from here on.
 */
export default fp(
  async (app) => {
    const { auth } = app.services
    const keyStart = keyPrefix(app.config.BRAND)
    app.decorateRequest('passage', null)
    app.decorateRequest('routeConfig')
    app.decorateRequest('caller', {
      getter(): Caller {
        return (this as FastifyRequest).auth!.caller
      }
    })

    // Who may call a route is part of the route: one that does not say is a bug, found at boot.
    app.addHook('onRoute', ({ url, config }) => {
      if (url.startsWith('/api/') && config?.access === undefined) {
        throw new Error(`The route ${url} does not say who may call it (config.access).`)
      }
    })

    function approach(request: FastifyRequest): AuthContext | Promise<AuthContext> {
      const { access } = request.routeConfig
      const kind =
        access === undefined ? kindOfPath(requestPath(request.url)) : access.kind === 'health' ? 'public' : access.kind
      const cost = request.method === 'OPTIONS' || access?.kind === 'health' ? 0 : 1
      return auth.authenticate({
        kind,
        credential: kind === 'public' ? null : credentialOf(request.headers, kind),
        address: request.ip,
        cost
      })
    }

    function judge(request: FastifyRequest, passage: AuthContext, late: boolean): void {
      if (late) {
        throw problem('unavailable', 'The service is stopping.', {
          headers: { 'Retry-After': '5', connection: 'close' }
        })
      }
      if (request.headers.host === undefined && request.raw.httpVersionMinor === 1) {
        throw problem('malformed_http', 'The Host header is missing (RFC 9112, section 3.2).', {
          headers: { connection: 'close' }
        })
      }
      const { expect } = request.headers
      if (expect !== undefined && !/^100-continue$/i.test(expect)) {
        throw problem(
          'expectation_failed',
          'The only expectation that is met is 100-continue (RFC 9110, section 10.1.1).',
          { headers: { connection: 'close' } }
        )
      }
      const query = request.url.indexOf('?')
      if (query !== -1 && request.url.includes(keyStart, query)) {
        throw problem('credential_in_query', 'The query string holds an API key.')
      }
      const { access } = request.routeConfig
      // Where there is no route, the answer is that; only a used-up bucket comes before it.
      if (passage.error !== null && (access !== undefined || passage.error.code === 'rate_limited')) {
        throw passage.error
      }
      if (access !== undefined) assertAccess(passage.caller, access)
      const offered = offeredTypes(request)
      if (offered !== null && !isAcceptable(request.headers.accept, offered)) {
        throw problem('not_acceptable', `Only ${offered.join(', ')} is offered here.`)
      }
    }

    const answerHeaders = (request: FastifyRequest, passage: AuthContext): Record<string, string> => ({
      ...rateLimitHeaders(passage),
      'x-request-id': request.id,
      'x-content-type-options': 'nosniff'
    })

    app.addHook('onRequest', (request, reply, done) => {
      // Asked for once, because the framework puts the object together at each call.
      request.routeConfig = request.routeOptions.config ?? {}
      // Who came before the stop is served to the end, however long it takes to find out who it is.
      const late = app.closing
      const settle = (passage: AuthContext): void => {
        request.auth = passage
        const headers = answerHeaders(request, passage)
        try {
          judge(request, passage, late)
          if (request.routeConfig.keep === true && app.keptAnswers.answer(request, reply, headers)) return
          reply.headers(headers)
        } catch (refusal) {
          reply.headers(headers)
          return done(refusal as Error)
        }
        // At once: what is sent to nowhere is not read, so nothing that is wrong with its body
        // matters.
        if (request.is404) return app.answerNotFound(request, reply)
        done()
      }
      // Who it is could not be found out: the answer tells how the address stands, and costs it
      // nothing.
      const fail = (error: Error): void => {
        Promise.resolve(auth.authenticate({ kind: 'public', credential: null, address: request.ip, cost: 0 }))
          .then((passage) => {
            request.auth = passage
            reply.headers(answerHeaders(request, passage))
            done(error)
          })
          .catch(done)
      }
      const passage = approach(request)
      if (passage instanceof Promise) passage.then(settle, fail)
      else settle(passage)
    })
  },
  { name: 'auth', dependencies: ['config', 'services', 'errors', 'kept-answers', 'http-defaults'] }
)

const JSON_ALONE = ['application/json']

/**
 * What a route answers when all is well, as far as a caller can choose it: what a browser shows,
 * and pictures, are given as they are.
 */
function offeredTypes({ routeConfig, routeOptions }: FastifyRequest): readonly string[] | null {
  const kind = routeConfig.access?.kind
  if (kind !== 'key' && kind !== 'session') return null
  return (routeOptions.schema as { produces?: string[] } | undefined)?.produces ?? JSON_ALONE
}
