import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { problem, type ErrorCode } from '../errors.ts'
import { isAcceptable } from '../lib/http/negotiation.ts'
import { bearerToken, requestPath } from '../lib/http/request.ts'
import type { Feature } from '../schemas/account.ts'
import type { Scope } from '../schemas/api-key.ts'
import { keyPrefix } from '../services/api-keys/key-format.ts'
import type { AuthContext, AuthRequest, Caller } from '../services/auth/index.ts'

/**
 * Who may call a route. `health` is public and exempt from rate limits, so that other clients of
 * the same address cannot make a probe fail.
 */
export type Access =
  | { kind: 'public' }
  | { kind: 'health' }
  | { kind: 'session'; admin?: boolean; feature?: Feature }
  | { kind: 'key'; scope: Scope; feature: Feature }

declare module 'fastify' {
  interface FastifyRequest {
    /** Null until the request has been authenticated. */
    auth: AuthContext | null
    caller: Caller
  }
  interface FastifyContextConfig {
    /** Required for every route under /api. */
    access?: Access
    /** The error codes of the route, besides those of every route. Used in the API document. */
    errors?: readonly ErrorCode[]
  }
}

/**
 * Authenticates every request, checks the access rules of its route, and sets the headers of every
 * response.
 */
export default fp(
  async (app) => {
    const { auth, health } = app.services
    const { metrics } = app
    const apiKeyPrefix = keyPrefix(app.config.BRAND)
    app.decorateRequest('auth', null)
    app.decorateRequest('caller', {
      getter(): Caller {
        return (this as FastifyRequest).auth!.caller
      }
    })

    // A route without an access rule is a bug. It is reported at startup.
    app.addHook('onRoute', ({ url, config }) => {
      if (url.startsWith('/api/') && config?.access === undefined) {
        throw new Error(`The route ${url} has no access rule (config.access).`)
      }
    })

    function authenticate(request: FastifyRequest): AuthContext | Promise<AuthContext> {
      const { access } = request.routeConfig
      const kind = credentialKind(request)
      return auth.authenticate({
        kind,
        credential: kind === 'public' ? null : readCredential(request.headers, kind),
        address: request.ip,
        cost: request.method === 'OPTIONS' || access?.kind === 'health' ? 0 : 1
      })
    }

    const responseHeaders = (request: FastifyRequest, context: AuthContext): Record<string, string> => ({
      ...app.rateLimitHeaders(context),
      // Clients and proxies that reuse connections move to another process before this one stops.
      ...(health.isDraining ? { connection: 'close' } : {}),
      'x-request-id': request.id,
      'x-content-type-options': 'nosniff'
    })

    /** Throws the first reason to reject the request. */
    function assertAllowed(request: FastifyRequest, context: AuthContext, stopping: boolean): void {
      if (stopping) {
        throw problem('unavailable', 'The service is shutting down.', {
          headers: { 'Retry-After': '5', connection: 'close' }
        })
      }
      assertWellFormed(request)
      const query = request.url.indexOf('?')
      if (query !== -1 && request.url.includes(apiKeyPrefix, query)) {
        throw problem('credential_in_query', 'The query string contains an API key.')
      }
      const { access } = request.routeConfig
      // Without a route the response is 404 or 405. Only rate limiting takes precedence.
      if (context.error !== null && (access !== undefined || context.error.code === 'rate_limited')) {
        throw context.error
      }
      if (access !== undefined) assertAccess(context.caller, access)
      const offered = offeredTypes(request)
      if (offered !== null && !isAcceptable(request.headers.accept, offered)) {
        throw problem('not_acceptable', `This endpoint only returns ${offered.join(', ')}.`)
      }
    }

    app.addHook('onRequest', (request, reply, done) => {
      // Requests that arrive before the shutdown are served, however long authentication takes.
      const stopping = app.closing
      const proceed = (context: AuthContext): void => {
        request.auth = context
        reply.headers(responseHeaders(request, context))
        // Probes are never limited; counting them would hide the other requests.
        if (request.routeConfig.access?.kind !== 'health') metrics.countRateLimitDecision(context)
        try {
          assertAllowed(request, context, stopping)
        } catch (error) {
          return done(error as Error)
        }
        // Before the body is read: errors in the body of an unknown path do not matter.
        if (request.is404) return app.sendNotFound(request, reply)
        done()
      }
      // Authentication failed, so the caller is unknown: the response reports the limit of the
      // client address, and does not count against it.
      const fail = (error: Error): void => {
        Promise.resolve(auth.authenticate({ kind: 'public', credential: null, address: request.ip, cost: 0 }))
          .then((context) => {
            request.auth = context
            reply.headers(responseHeaders(request, context))
            if (request.routeConfig.access?.kind !== 'health') metrics.countRateLimitDecision(context)
            done(error)
          })
          .catch(done)
      }
      const context = authenticate(request)
      if (context instanceof Promise) context.then(proceed, fail)
      else proceed(context)
    })
  },
  { name: 'auth', dependencies: ['config', 'services', 'metrics', 'errors', 'rate-limit', 'request-context'] }
)

/** The required kind of credential: the route's, or for unknown paths the one of their prefix. */
function credentialKind({ routeConfig, url }: FastifyRequest): AuthRequest['kind'] {
  const { access } = routeConfig
  if (access !== undefined) return access.kind === 'health' ? 'public' : access.kind
  const path = requestPath(url)
  if (path === '/api/v1' || path.startsWith('/api/v1/')) return 'key'
  return path.startsWith('/api/') ? 'session' : 'public'
}

/**
 * The credential of a request, or null without one. Two different credentials, and a malformed
 * Authorization header, yield the empty string, which is never valid.
 */
function readCredential(headers: IncomingHttpHeaders, kind: AuthRequest['kind']): string | null {
  const bearer = bearerToken(headers)
  if (kind !== 'key') return bearer ?? null
  const key = headers['x-api-key']
  if (key === undefined) return bearer ?? null
  if (typeof key !== 'string' || (headers.authorization !== undefined && bearer !== key)) return ''
  return key
}

/** Rejects what Node would reject by itself, see lib/http/server.ts. */
function assertWellFormed({ headers, raw }: FastifyRequest): void {
  if (headers.host === undefined && raw.httpVersionMinor === 1) {
    throw problem('malformed_http', 'The Host header is missing (RFC 9112, section 3.2).', {
      headers: { connection: 'close' }
    })
  }
  if (headers.expect !== undefined && !/^100-continue$/i.test(headers.expect)) {
    throw problem('expectation_failed', 'The only supported expectation is 100-continue (RFC 9110, section 10.1.1).', {
      headers: { connection: 'close' }
    })
  }
}

/** Throws a 403 that names the missing scope, feature or role. */
function assertAccess(caller: Caller, access: Access): void {
  if (access.kind === 'key' && caller.kind === 'key') {
    const { scope, feature } = access
    if (!caller.scopes.includes(scope)) {
      throw problem('scope_missing', `The API key lacks the scope ${scope}.`, { members: { scope } })
    }
    assertFeature(caller.features, feature)
  }
  if (access.kind === 'session' && access.feature !== undefined && caller.kind === 'session') {
    assertFeature(caller.features, access.feature)
  }
  if (access.kind === 'session' && access.admin === true && !(caller.kind === 'session' && caller.admin)) {
    throw problem('admin_only', 'The session token lacks the role admin.')
  }
}

function assertFeature(features: readonly Feature[], feature: Feature): void {
  if (features.includes(feature)) return
  throw problem('feature_not_in_plan', `The account lacks the feature ${feature}.`, { members: { feature } })
}

const JSON_ONLY = ['application/json']

/** The media types that the caller can choose from; null for pages and images. */
function offeredTypes({ routeConfig, routeOptions }: FastifyRequest): readonly string[] | null {
  const kind = routeConfig.access?.kind
  if (kind !== 'key' && kind !== 'session') return null
  return (routeOptions.schema as { produces?: string[] } | undefined)?.produces ?? JSON_ONLY
}
