import type { IncomingMessage, ServerResponse } from 'node:http'
import { encodedTag, isNotModified } from '../../lib/http/conditional.ts'
import { chooseEncoding, type ContentCoding } from '../../lib/http/negotiation.ts'
import { canCompress, type CachedResponse } from './entries.ts'

/** Names and values of headers in turn, as `writeHead` takes them: the fastest form. */
export type RawHeaders = string[]

/** Whether the client has the cached response already. */
export const isCurrent = (request: IncomingMessage, { etag, lastModified }: CachedResponse): boolean =>
  isNotModified(request.headers, { etag, lastModified })

/**
 * Writes a cached response to the connection: 304, the body, or the compressed body. `headers` are
 * those of this request. Returns the status, or a promise of it while the body is compressed.
 */
export function sendCached(
  request: IncomingMessage,
  response: ServerResponse,
  { cached, headers }: { cached: CachedResponse; headers: RawHeaders }
): number | Promise<number> {
  const { body, contentType, etag } = cached
  const all = [...headersOf(cached), ...headers]

  function writeBody(payload: Buffer): number {
    all.push('content-type', contentType, 'content-length', String(payload.length))
    response.writeHead(200, all)
    if (request.method === 'HEAD') response.end()
    else response.end(payload)
    return 200
  }
  function writeCompressed(coding: ContentCoding, payload: Buffer): number {
    all.push('etag', encodedTag(etag, coding), 'content-encoding', coding)
    return writeBody(payload)
  }

  if (isCurrent(request, cached)) {
    all.push('etag', etag)
    response.writeHead(304, all)
    response.end()
    return 304
  }
  const accepted = request.headers['accept-encoding']
  const coding = accepted !== undefined && canCompress(body, contentType) ? chooseEncoding(accepted) : null
  if (coding === null) {
    all.push('etag', etag)
    return writeBody(body)
  }
  const compressed = cached.compressor.compress(coding)
  if (Buffer.isBuffer(compressed)) return writeCompressed(coding, compressed)
  return compressed.then((bytes) => writeCompressed(coding, bytes))
}

const rawHeaders = new WeakMap<CachedResponse, RawHeaders>()

/** The headers of every response from this entry. */
function headersOf(cached: CachedResponse): RawHeaders {
  let headers = rawHeaders.get(cached)
  if (headers === undefined) rawHeaders.set(cached, (headers = Object.entries(cached.headers).flat()))
  return headers
}
