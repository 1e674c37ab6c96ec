/** The credential of this browser tab. It is forgotten when the tab is closed. */
export interface Session {
  /** A session token, or an API key. */
  credential: string
  kind: 'session' | 'key'
  /** The account of a session token, if it names one. */
  account: string | null
  /** When the session token expires, in milliseconds since 1970; null for an API key. */
  expiresAt: number | null
}

const STORAGE_KEY = 'console-session'
const listeners = new Set<() => void>()
let current = read()

function read(): Session | null {
  const text = sessionStorage.getItem(STORAGE_KEY)
  const session = text === null ? null : (JSON.parse(text) as Session)
  return session === null || isExpired(session) ? null : session
}

function isExpired({ expiresAt }: Session): boolean {
  return expiresAt !== null && expiresAt <= Date.now()
}

/** The current session; null when signed out. */
export const getSession = (): Session | null => current

/** Starts a session, or ends it with null. */
export function setSession(session: Session | null): void {
  current = session
  if (session === null) sessionStorage.removeItem(STORAGE_KEY)
  else sessionStorage.setItem(STORAGE_KEY, JSON.stringify(session))
  for (const listener of listeners) listener()
}

/** Calls the listener after each change of the session. Returns the function that stops that. */
export function onSessionChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The session of a pasted credential. A JWT (RFC 7519) is a session token, anything else an API key. */
export function toSession(credential: string): Session {
  const claims = readClaims(credential)
  if (claims === null) return { credential, kind: 'key', account: null, expiresAt: null }
  const account = typeof claims.account === 'string' ? claims.account : claims.sub
  return {
    credential,
    kind: 'session',
    account: typeof account === 'string' ? account : null,
    expiresAt: typeof claims.exp === 'number' ? claims.exp * 1000 : null
  }
}

/** The claims of a JWT, unverified: the service verifies it. Null for other texts. */
function readClaims(token: string): Record<string, unknown> | null {
  const [, payload, signature] = token.split('.')
  if (payload === undefined || signature === undefined) return null
  try {
    const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (character) =>
      character.charCodeAt(0)
    )
    return JSON.parse(new TextDecoder().decode(bytes)) as Record<string, unknown>
  } catch {
    return null // Not a JWT: the service reports that the credential is invalid.
  }
}
