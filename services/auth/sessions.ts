import { hash } from 'node:crypto'
import type { JWTPayload, JWTVerifyGetKey, JWTVerifyOptions } from 'jose'
import { createGrowingLru } from '../../lib/growing-lru.ts'
import { problem } from '../../errors.ts'

export interface Session {
  userId: string
  accountId: string
  admin: boolean
  /** Milliseconds since 1970. */
  expiresAt: number
}
export interface SessionSettings {
  secret?: string
  jwksUrl?: string
  issuer?: string
  audience?: string
}
/** What a session token states. */
export interface SessionClaims {
  subject: string
  account: string
  role?: 'admin'
  expiresInSeconds: number
}

export type Sessions = ReturnType<typeof createSessions>

/** Accepted clock skew between this server and the identity provider, in either direction. */
export const LEEWAY_SECONDS = 30
const ASYMMETRIC = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']
/** Verified tokens are cached, so that a request need not verify a signature each time. */
const MAX_CACHED_TOKENS = 1000
/** Maximum age of a cached token and of a key set: how long a withdrawn key may remain in use. */
const MAX_AGE_MS = 600_000
/**
 * Minimum time between two fetches of the key set. A token with an unknown key id triggers a fetch,
 * so that key rotation works at once and invented key ids cannot flood the provider.
 */
const KEY_SET_COOLDOWN_MS = 5000

/**
 * Verifies session tokens: JWTs (RFC 7519) of the operator's identity provider. HS256 uses the shared
 * secret, asymmetric algorithms use the key set. `none` and mixed-up algorithms are rejected.
 */
export function createSessions(settings: SessionSettings) {
  const cache = createGrowingLru<string, { session: Session; until: number }>(MAX_CACHED_TOKENS)
  const secret = settings.secret === undefined ? null : new TextEncoder().encode(settings.secret)
  const options: JWTVerifyOptions = {
    clockTolerance: LEEWAY_SECONDS,
    requiredClaims: ['exp', 'sub'],
    issuer: settings.issuer,
    audience: settings.audience
  }

  let keySet: JWTVerifyGetKey | null = null

  async function verifyPayload(token: string): Promise<JWTPayload | null> {
    const algorithm = readAlgorithm(token)
    if (algorithm === null) return null
    // Loaded with the first token: servers that only know API keys do without it.
    const { createRemoteJWKSet, jwtVerify } = await import('jose')
    if (settings.jwksUrl !== undefined) {
      keySet ??= createRemoteJWKSet(new URL(settings.jwksUrl), {
        timeoutDuration: 5000,
        cooldownDuration: KEY_SET_COOLDOWN_MS,
        cacheMaxAge: MAX_AGE_MS
      })
    }
    try {
      if (algorithm === 'HS256' && secret !== null) {
        return (await jwtVerify(token, secret, { ...options, algorithms: ['HS256'] })).payload
      }
      if (ASYMMETRIC.includes(algorithm) && keySet !== null) {
        return (await jwtVerify(token, keySet, { ...options, algorithms: ASYMMETRIC })).payload
      }
      return null
    } catch (error) {
      if (isInvalidToken(error)) return null
      throw problem('unavailable', 'The key set of the identity provider cannot be read.', {
        headers: { 'Retry-After': '5' },
        cause: error
      })
    }
  }

  return {
    /**
     * The session of a valid token, or null for an invalid one. Throws `unavailable` when the key
     * set of the identity provider cannot be read.
     */
    async verify(token: string): Promise<Session | null> {
      const key = hash('sha256', token, 'base64url')
      const cached = cache.get(key)
      if (cached !== undefined) {
        if (Date.now() < cached.until) return cached.session
        cache.delete(key)
      }
      const payload = await verifyPayload(token)
      const session = payload === null ? null : toSession(payload)
      if (session === null) return null
      const until = Math.min(session.expiresAt + LEEWAY_SECONDS * 1000, Date.now() + MAX_AGE_MS)
      cache.set(key, { session, until })
      return session
    }
  }
}

/** A session token, signed with the shared secret (HS256). */
export async function signSession(
  { issuer, audience }: Pick<SessionSettings, 'issuer' | 'audience'>,
  secret: string,
  { subject, account, role, expiresInSeconds }: SessionClaims
): Promise<string> {
  const { SignJWT } = await import('jose')
  return await new SignJWT({ account, ...(role === undefined ? {} : { role }), iss: issuer, aud: audience })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(subject)
    .setIssuedAt()
    .setExpirationTime(`${expiresInSeconds}s`)
    .sign(new TextEncoder().encode(secret))
}

function readAlgorithm(token: string): string | null {
  try {
    const header = JSON.parse(Buffer.from(token.slice(0, token.indexOf('.')), 'base64url').toString()) as {
      alg?: unknown
    }
    return typeof header.alg === 'string' ? header.alg : null
  } catch {
    return null // Not a JWT.
  }
}

/**
 * Whether the error is about the token: jose reports invalid tokens as ERR_JWT_… and ERR_JWS_…, and
 * unknown keys as ERR_JWKS_…. Timeouts and an unreachable provider are not the token's fault.
 */
function isInvalidToken(error: unknown): boolean {
  const code = (error as { code?: unknown }).code
  return (
    typeof code === 'string' &&
    (/^ERR_(JWT|JWS|JOSE_ALG|JOSE_NOT)/.test(code) ||
      code === 'ERR_JWKS_NO_MATCHING_KEY' ||
      code === 'ERR_JWKS_MULTIPLE_MATCHING_KEYS')
  )
}

function toSession(payload: JWTPayload): Session | null {
  const account = payload.account ?? payload.sub
  if (!isIdentifier(payload.sub) || !isIdentifier(account)) return null
  return { userId: payload.sub, accountId: account, admin: payload.role === 'admin', expiresAt: payload.exp! * 1000 }
}

const isIdentifier = (value: unknown): value is string =>
  typeof value === 'string' && value.length >= 1 && value.length <= 200
