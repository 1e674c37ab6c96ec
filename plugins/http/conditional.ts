import { hash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/**
 * A strong entity tag of the bytes, quoted; `version`, where there is one, leads it, so that
 * If-Match can name it: `"v3-…"`.
 */
export function entityTag(body: string | Buffer, version: number | null): string {
  const digest = hash('sha1', body, 'base64url')
  return version === null ? `"${digest}"` : `"v${version}-${digest}"`
}

/** The tag of a compressed form: other bytes, so another strong tag (RFC 9110, section 8.8.3.3). */
export const encodedTag = (etag: string, encoding: string) => `${etag.slice(0, -1)}-${encoding}"`

/**
 * Whether the client's copy is still good (RFC 9110, sections 13.1.2 and 13.1.3): If-None-Match
 * decides where it is sent, else If-Modified-Since.
 * A tag of any coding of the same bytes counts, and weak comparison is used.
 */
export function isNotModified(
  headers: IncomingHttpHeaders,
  etag: string | undefined,
  lastModified: string | undefined
): boolean {
  const tags = headers['if-none-match']
  if (tags !== undefined) {
    if (tags.trim() === '*') return true
    if (etag === undefined) return false
    const own = bare(etag)
    return tags === etag || tags.split(',').some((tag) => bare(tag.trim()) === own)
  }
  const since = headers['if-modified-since']
  if (since === undefined || lastModified === undefined) return false
  return Date.parse(lastModified) <= Date.parse(since)
}

const bare = (tag: string) => tag.replace(/^W\//, '').replace(/-(?:gzip|br)"$/, '"')
