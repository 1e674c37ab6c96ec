import type { IncomingHttpHeaders } from 'node:http'

/**
 * The requested byte range, both ends inclusive (RFC 9110, section 14). Null means the whole body:
 * no Range header, several ranges, an unreadable range, or an If-Range with another entity tag.
 */
export function parseRange(
  headers: IncomingHttpHeaders,
  { size, etag }: { size: number; etag: string }
): { start: number; end: number } | 'unsatisfiable' | null {
  const match = /^bytes=(\d*)-(\d*)$/.exec(headers.range ?? '')
  if (match === null || (headers['if-range'] !== undefined && headers['if-range'] !== etag)) return null
  const [, first = '', last = ''] = match
  if (first === '' && last === '') return null
  if (first === '') {
    return Number(last) === 0 ? 'unsatisfiable' : { start: Math.max(0, size - Number(last)), end: size - 1 }
  }
  const start = Number(first)
  if (start >= size) return 'unsatisfiable'
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  return end < start ? null : { start, end }
}
