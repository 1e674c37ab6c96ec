import Negotiator from 'negotiator'

export type ContentCoding = 'br' | 'gzip'

const CODINGS: readonly ContentCoding[] = ['br', 'gzip']

/** `@types/negotiator` does not know the `preferred` option of negotiator 1.0 yet. */
interface CodingNegotiator {
  encoding: (available: readonly string[], options: { preferred: readonly string[] }) => string | undefined
}

/** Browsers send up to 150 characters. 15 KB of media ranges take 3 ms to compare. */
const MAX_ACCEPT_LENGTH = 2_000

/** The media ranges of an Accept header, without those beyond its first 2,000 characters. */
export function splitAccept(accept: string): string[] {
  if (accept.length <= MAX_ACCEPT_LENGTH) return accept.split(',')
  return accept.slice(0, MAX_ACCEPT_LENGTH).split(',').slice(0, -1)
}

/**
 * Whether the Accept header allows one of the offered media types (RFC 9110, section 12.5.1).
 * Parameters other than the weight are ignored. A missing header and a header without a media range
 * accept anything.
 */
export function isAcceptable(accept: string | undefined, offered: readonly string[]): boolean {
  if (accept === undefined || accept === '*/*' || (accept === 'application/json' && offered.includes(accept))) {
    return true
  }
  const ranges = splitAccept(accept).filter((range) => /^\s*[^/;\s]+\/[^/;\s]+/.test(range))
  if (ranges.length === 0) return true
  const weighted = ranges.map((range) => range.replace(/;(?!\s*q\s*=)[^;]*/gi, '')).join(',')
  return new Negotiator({ headers: { accept: weighted } }).mediaType(offered) !== undefined
}

/**
 * The content coding for a response, or null for the plain body (RFC 9110, section 12.5.3). Brotli
 * wins over gzip at equal weight.
 */
export function chooseEncoding(acceptEncoding: string | string[] | undefined): ContentCoding | null {
  if (typeof acceptEncoding !== 'string') return null
  const negotiator: CodingNegotiator = new Negotiator({ headers: { 'accept-encoding': acceptEncoding } })
  return (negotiator.encoding(CODINGS, { preferred: CODINGS }) as ContentCoding | undefined) ?? null
}
