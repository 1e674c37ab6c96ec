import { randomBytes } from 'node:crypto'
import { loadSecret } from '../../plugins/secrets.ts'
import type { Config } from '../../schemas/config.ts'
import { withoutTrailingSlash } from '../../lib/text.ts'
import { signSession as sign, type SessionClaims } from '../../services/auth/sessions.ts'

/** The address at which customers reach the service; no slash at the end. */
export function publicUrl({ PUBLIC_URL, HOST, PORT }: Config): string {
  if (PUBLIC_URL !== undefined) return withoutTrailingSlash(PUBLIC_URL)
  const host = ['0.0.0.0', '::'].includes(HOST) ? 'localhost' : HOST.includes(':') ? `[${HOST}]` : HOST
  return `http://${host}:${PORT}`
}

/** False if only the identity provider of SESSION_JWKS_URL can issue session tokens. */
export const canIssueSessions = ({ SESSION_SECRET, SESSION_JWKS_URL }: Config): boolean =>
  SESSION_SECRET !== undefined || SESSION_JWKS_URL === undefined

/**
 * The secret that signs session tokens: the configured one, or the one in DATA_DIR. If session
 * tokens come from an identity provider, a random secret for this process alone.
 */
export function sessionSecret(config: Config): string {
  if (config.SESSION_SECRET !== undefined) return config.SESSION_SECRET
  return canIssueSessions(config) ? loadSecret(config.DATA_DIR, 'session') : randomBytes(32).toString('base64')
}

/** A session token of the service itself. */
export const signSession = async (
  { SESSION_ISSUER: issuer, SESSION_AUDIENCE: audience }: Config,
  secret: string,
  claims: SessionClaims
): Promise<string> => await sign({ issuer, audience }, secret, claims)
