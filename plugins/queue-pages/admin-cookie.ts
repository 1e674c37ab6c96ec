/**
 * The cookie that opens the pages of the queues. Only those pages get it, no script can read it,
 * and no other website can have it sent.
 */
const NAME = 'queue_pages'

/** The session token in a Cookie header; null where there is none. */
export function tokenInCookie(header: string | undefined): string | null {
  const pairs = (header ?? '').split(';').map((pair) => pair.trim().split('='))
  return pairs.find(([name]) => name === NAME)?.[1] ?? null
}

/** Sets the cookie until the browser is closed; the token in it ends sooner or later by itself. */
export const cookieWith = (token: string, { path, secure }: { path: string; secure: boolean }): string =>
  `${NAME}=${token}; Path=${path}; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`
