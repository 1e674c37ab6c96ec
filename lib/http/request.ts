import { randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'

const processId = randomBytes(6).toString('hex')
let requestCount = 0

/** A request id that is unique across processes: a random part per process, and a counter. */
export const createRequestId = (): string => `${processId}-${(++requestCount).toString(36)}`

/**
 * The path of a request target, without the query. The target may be absolute (RFC 9112, section
 * 3.2).
 */
export function requestPath(target: string): string {
  const path = target.split('?', 1)[0]!
  return path.startsWith('/') ? path : path.replace(/^https?:\/\/[^/]*/i, '') || '/'
}

/**
 * The bearer token of an Authorization header; undefined without the header, and empty for another
 * scheme or a malformed value. The scheme is case-insensitive (RFC 9110, section 11.1).
 */
export function bearerToken({ authorization }: IncomingHttpHeaders): string | undefined {
  if (authorization === undefined) return undefined
  return /^bearer +(\S+) *$/i.exec(authorization)?.[1] ?? ''
}

/** The value of a cookie, or null. */
export function readCookie({ cookie }: IncomingHttpHeaders, name: string): string | null {
  const pairs = (cookie ?? '').split(';').map((pair) => pair.trim().split('='))
  return pairs.find(([key]) => key === name)?.[1] ?? null
}

/** Whether the body is JSON by its Content-Type, with or without parameters. */
export const isJson = (headers: IncomingHttpHeaders): boolean =>
  /^application\/json\b/i.test(headers['content-type'] ?? '')

/** The most bytes that a body may have: `limit` without a Content-Length (RFC 9112, section 6.3). */
export function bodyBytes(headers: IncomingHttpHeaders, limit: number): number {
  const length = headers['content-length']
  if (length !== undefined) return Number(length)
  return headers['transfer-encoding'] === undefined ? 0 : limit
}

/** The length of the target and the headers of a request, in characters. */
export function headLength({ url = '', rawHeaders }: IncomingMessage): number {
  let length = url.length
  for (const text of rawHeaders) length += text.length
  return length
}

/**
 * The body of a request that consists of these chunks. A handler may end before an error, such as that of a damaged
 * file, and nobody reads the rest: an error of the rest is ignored then, instead of ending the process.
 */
export function createBody(chunks: AsyncIterable<Buffer>): Readable {
  return Readable.from(chunks, { objectMode: false }).on('error', () => {})
}
