import { hash } from 'node:crypto'
import { createRemoteJWKSet, jwtVerify, type JWTPayload, type JWTVerifyOptions } from 'jose'
import { refuse } from '../../errors.ts'

export interface Session {
  userId: string
  accountId: string
  admin: boolean /** Milliseconds since 1970. */
  expiresAt: number
}
export interface SessionSettings {
  secret?: string
  jwksUrl?: string
  issuer?: string
  audience?: string
}
export type Sessions = ReturnType<typeof createSessions>

/** Clock difference with the identity provider that is forgiven, both ways. */
export const LEEWAY_SECONDS = 30
const ASYMMETRIC = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']
/**
 * Verified tokens are kept so that not every request costs a signature; this bounds how many, and
 * how long: no longer than a key set is, so that a key that the provider withdraws is worth nothing
 * soon after.
 */
const MAX_KEPT = 1000
const KEPT_MS = 600_000
/**
 * A token that names an unknown key makes the key set be read again, at most this often: keys that
 * change work at once, and invented ones cannot flood the provider.
 */
const KEY_SET_PAUSE_MS = 5000

/**
 * Session tokens: JWTs (RFC 7519) of the operator's identity provider, HS256 by the shared secret
 * or an asymmetric algorithm by its key set. `none` and mixed-up algorithms never pass.
 */
export function createSessions(settings: SessionSettings) {
  const kept = new Map<string, { session: Session; until: number }>()
  const secret = settings.secret === undefined ? null : new TextEncoder().encode(settings.secret)
  const keySet =
    settings.jwksUrl === undefined
      ? null
      : createRemoteJWKSet(new URL(settings.jwksUrl), {
          timeoutDuration: 5000,
          cooldownDuration: KEY_SET_PAUSE_MS,
          cacheMaxAge: KEPT_MS
        })
  const rules: JWTVerifyOptions = {
    clockTolerance: LEEWAY_SECONDS,
    requiredClaims: ['exp', 'sub'],
    issuer: settings.issuer,
    audience: settings.audience
  }

  async function payloadOf(token: string): Promise<JWTPayload | null> {
    const algorithm = algorithmOf(token)
    if (algorithm === null) return null
    try {
      if (algorithm === 'HS256' && secret !== null) {
        return (await jwtVerify(token, secret, { ...rules, algorithms: ['HS256'] })).payload
      }
      if (ASYMMETRIC.includes(algorithm) && keySet !== null) {
        return (await jwtVerify(token, keySet, { ...rules, algorithms: ASYMMETRIC })).payload
      }
      return null
    } catch (error) {
      if (isRefusedToken(error)) return null
      throw refuse('unavailable', "The identity provider's keys cannot be had just now.", {
        headers: { 'Retry-After': '5' },
        cause: error
      })
    }
  }

  return {
    /**
     * The session that the token stands for, or null when it is not valid now. Throws `unavailable`
     * when the identity provider's key set cannot be had.
     */
    async verify(token: string): Promise<Session | null> {
      const key = hash('sha256', token, 'base64url')
      const known = kept.get(key)
      if (known !== undefined) {
        if (Date.now() < known.until) return known.session
        kept.delete(key)
      }
      const payload = await payloadOf(token)
      const session = payload === null ? null : sessionOf(payload)
      if (session === null) return null
      if (kept.size >= MAX_KEPT) kept.delete(kept.keys().next().value!)
      kept.set(key, { session, until: Math.min(session.expiresAt + LEEWAY_SECONDS * 1000, Date.now() + KEPT_MS) })
      return session
    }
  }
}

function algorithmOf(token: string): string | null {
  try {
    const header = JSON.parse(Buffer.from(token.slice(0, token.indexOf('.')), 'base64url').toString()) as {
      alg?: unknown
    }
    return typeof header.alg === 'string' ? header.alg : null
  } catch {
    return null // Not a JWT at all, which is the caller's doing.
  }
}

/**
 * jose names what is wrong with a token by ERR_JWT_…, ERR_JWS_… and by a key set that has no such
 * key; a timeout or an unreachable provider is not the token's fault.
 */
function isRefusedToken(error: unknown): boolean {
  const code = (error as { code?: unknown }).code
  return (
    typeof code === 'string' &&
    (/^ERR_(JWT|JWS|JOSE_ALG|JOSE_NOT)/.test(code) ||
      code === 'ERR_JWKS_NO_MATCHING_KEY' ||
      code === 'ERR_JWKS_MULTIPLE_MATCHING_KEYS')
  )
}

function sessionOf(payload: JWTPayload): Session | null {
  const account = payload.account ?? payload.sub
  if (!isName(payload.sub) || !isName(account)) return null
  return { userId: payload.sub, accountId: account, admin: payload.role === 'admin', expiresAt: payload.exp! * 1000 }
}

const isName = (value: unknown): value is string =>
  typeof value === 'string' && value.length >= 1 && value.length <= 200
