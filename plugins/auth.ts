import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { problem, type ErrorCode } from '../errors.ts'
import { isAcceptable } from '../lib/http/negotiation.ts'
import type { Senders } from '../lib/http/request-senders.ts'
import { bearerToken, requestPath } from '../lib/http/request.ts'
import type { Feature } from '../schemas/account.ts'
import type { Scope } from '../schemas/api-key.ts'
import { keyPrefix } from '../services/api-keys/key-format.ts'
import type { AuthContext, AuthRequest, Caller, CountedKey } from '../services/auth/index.ts'

/**
 * Who may call a route. `health` is public and exempt from rate limits, so that other clients of
 * the same address cannot make a probe fail.
 */
export type Access =
  /** `image`: limited by the images that are created instead of by requests. */
  | { kind: 'public'; image?: boolean }
  | { kind: 'health' }
  /** With `scope`, an API key of the whole account is accepted too. */
  | { kind: 'session'; admin?: boolean; feature?: Feature; scope?: Scope }
  /** The session token of a user of the account is accepted too: it may do what every key may do. */
  | { kind: 'key'; scope: Scope; feature: Feature; alternatives: Scope[] }

declare module 'fastify' {
  interface FastifyInstance {
    /** Which credentials belong to which account, for the HTTP server. */
    senders: Senders
    /** Requests that were counted against the limit of their API key before they were routed. */
    countedKeys: WeakMap<IncomingMessage, CountedKey>
  }
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

    app.decorate('countedKeys', new WeakMap<IncomingMessage, CountedKey>())

    function authenticate(request: FastifyRequest): AuthContext | Promise<AuthContext> {
      const { access } = request.routeConfig
      const kind = credentialKind(request, apiKeyPrefix)
      return auth.authenticate({
        kind,
        credential: kind === 'public' || kind === 'image' ? null : readCredential(request.headers, kind),
        address: request.ip,
        cost: request.method === 'OPTIONS' || access?.kind === 'health' ? 0 : 1,
        counted: app.countedKeys.get(request.raw)
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
        if (context.caller.kind !== 'anonymous') app.senders.remember(request.raw, context.caller.accountId)
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

/**
 * The required kind of credential: the route's, or for unknown paths the one of their prefix. Where
 * keys and session tokens are accepted, the credential tells which of them it is.
 */
function credentialKind({ routeConfig, url, headers }: FastifyRequest, apiKeyPrefix: string): AuthRequest['kind'] {
  const { access } = routeConfig
  if (access?.kind === 'key') {
    return headers['x-api-key'] === undefined && isJsonWebToken(bearerToken(headers)) ? 'session' : 'key'
  }
  if (access?.kind === 'session' && access.scope !== undefined) {
    const isKey = headers['x-api-key'] !== undefined || bearerToken(headers)?.startsWith(apiKeyPrefix) === true
    return isKey ? 'key' : 'session'
  }
  if (access?.kind === 'public') return access.image === true ? 'image' : 'public'
  if (access !== undefined) return access.kind === 'health' ? 'public' : access.kind
  const path = requestPath(url)
  if (path === '/api/v1' || path.startsWith('/api/v1/')) return 'key'
  return path.startsWith('/api/') ? 'session' : 'public'
}

/** Whether the credential has the form of a JWT (RFC 7519). API keys contain no periods. */
const isJsonWebToken = (credential: string | undefined): boolean =>
  credential !== undefined && /^[\w-]+\.[\w-]+\.[\w-]+$/.test(credential)

/**
 * The credential of a request, or null without one. Two different credentials, and a malformed
 * Authorization header, yield the empty string, which is never valid. Beside X-Api-Key, an
 * Authorization header of another scheme is ignored: it is meant for a proxy in between, such as the
 * password of a staging site.
 */
export function readCredential(headers: IncomingHttpHeaders, kind: AuthRequest['kind']): string | null {
  const bearer = bearerToken(headers)
  if (kind !== 'key') return bearer ?? null
  const key = headers['x-api-key']
  if (key === undefined) return bearer ?? null
  if (typeof key !== 'string') return ''
  const isOtherScheme = headers.authorization !== undefined && !/^bearer\b/i.test(headers.authorization)
  if (headers.authorization !== undefined && !isOtherScheme && bearer !== key) return ''
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

/** Whether the caller may use a route with these access rules. */
export function isAllowed(caller: Caller, access: Access): boolean {
  try {
    assertAccess(caller, access)
    return true
  } catch {
    return false // The reason is reported when the request is routed.
  }
}

/** Throws a 403 that names the missing scope, feature or role. */
function assertAccess(caller: Caller, access: Access): void {
  if (access.kind === 'key' && caller.kind !== 'anonymous') {
    const { scope, feature, alternatives } = access
    if (caller.kind === 'key' && !alternatives.some((alternative) => caller.scopes.includes(alternative))) {
      assertScope(caller, scope)
    }
    assertFeature(caller.features, feature)
  }
  if (access.kind === 'session' && access.scope !== undefined && caller.kind === 'key') {
    assertScope(caller, access.scope)
    if (caller.projectIds !== null) {
      throw problem(
        'project_not_allowed',
        'This resource belongs to the account, and the API key is restricted to projects. ' +
          'Use a key without `projectIds`.'
      )
    }
  }
  if (access.kind === 'session' && access.feature !== undefined && caller.kind !== 'anonymous') {
    assertFeature(caller.features, access.feature)
  }
  if (access.kind === 'session' && access.admin === true && !(caller.kind === 'session' && caller.admin)) {
    throw problem('admin_only', 'The session token lacks the role admin.')
  }
}

function assertScope({ scopes }: Caller & { kind: 'key' }, scope: Scope): void {
  if (scopes.includes(scope)) return
  throw problem('scope_missing', `The API key lacks the scope ${scope}.`, { members: { scope } })
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
