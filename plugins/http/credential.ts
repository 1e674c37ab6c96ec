import type { IncomingHttpHeaders } from 'node:http'
import type { AuthRequest } from '../../services/auth/index.ts'

/**
 * What is asked for at an address: an API key below /api/v1, a session elsewhere below /api,
 * nothing outside.
 */
export function kindOfPath(path: string): AuthRequest['kind'] {
  if (path === '/api/v1' || path.startsWith('/api/v1/')) return 'key'
  return path.startsWith('/api/') ? 'session' : 'public'
}

/**
 * The credential that a request shows, or null. Two that differ are no credential: the empty text,
 * which nothing accepts.
 * The scheme is matched without regard to case (RFC 9110, section 11.1).
 */
export function credentialOf(headers: IncomingHttpHeaders, kind: AuthRequest['kind']): string | null {
  const bearer = bearerOf(headers.authorization)
  if (kind !== 'key') return bearer ?? null
  const key = headers['x-api-key']
  if (key === undefined) return bearer ?? null
  if (typeof key !== 'string' || (headers.authorization !== undefined && bearer !== key)) return ''
  return key
}

function bearerOf(authorization: string | undefined): string | undefined {
  if (authorization === undefined) return undefined
  return /^bearer +(\S+) *$/i.exec(authorization)?.[1] ?? ''
}
