/**
 * The path of a request's target, without its query, whether the client names the origin too or not
 * (RFC 9112, section 3.2).
 */
export function requestPath(target: string): string {
  const path = target.split('?', 1)[0]!
  return path.startsWith('/') ? path : path.replace(/^https?:\/\/[^/]*/i, '') || '/'
}
