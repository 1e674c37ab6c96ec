import { createHash, hash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { createYielder } from '../async.ts'

/** Bytes that are hashed between two pauses: in less than a millisecond. */
const HASHED_BYTES = 262_144

/**
 * A strong, quoted entity tag of the body. A version becomes its prefix, so that If-Match can name
 * the version: `"v3-…"`.
 */
export function entityTag(body: string | Buffer, version: number | null): string {
  return toTag(hash('sha1', body, 'base64url'), version)
}

/** The same tag, made with pauses: a body may have tens of megabytes. */
export async function entityTagInSlices(body: Buffer, version: number | null): Promise<string> {
  if (body.length <= HASHED_BYTES) return entityTag(body, version)
  const pause = createYielder()
  const sha1 = createHash('sha1')
  for (let at = 0; at < body.length; at += HASHED_BYTES) {
    sha1.update(body.subarray(at, at + HASHED_BYTES))
    await pause()
  }
  return toTag(sha1.digest('base64url'), version)
}

const toTag = (digest: string, version: number | null): string =>
  version === null ? `"${digest}"` : `"v${version}-${digest}"`

/**
 * The tag of the compressed body: different bytes need a different strong tag (RFC 9110, section
 * 8.8.3.3).
 */
export const encodedTag = (etag: string, coding: string): string => `${etag.slice(0, -1)}-${coding}"`

/**
 * Whether the client's copy is still current (RFC 9110, sections 13.1.2 and 13.1.3). If-None-Match
 * takes precedence over If-Modified-Since. The comparison is weak and ignores the content coding.
 */
export function isNotModified(
  headers: IncomingHttpHeaders,
  { etag, lastModified }: { etag: string | undefined; lastModified: string | undefined }
): boolean {
  const tags = headers['if-none-match']
  if (tags !== undefined) {
    if (tags.trim() === '*') return true
    if (etag === undefined) return false
    const current = withoutCoding(etag)
    return tags === etag || tags.split(',').some((tag) => withoutCoding(tag.trim()) === current)
  }
  const since = headers['if-modified-since']
  if (since === undefined || lastModified === undefined) return false
  return Date.parse(lastModified) <= Date.parse(since)
}

const withoutCoding = (tag: string): string => tag.replace(/^W\//, '').replace(/-(?:gzip|br)"$/, '"')

/**
 * The versions named in an If-Match header (`"v3"` or `"v3-…"`; RFC 9110, section 13.1.1). Null
 * accepts any version. Weak tags and foreign tags match no version.
 */
export function parseIfMatch(ifMatch: string | undefined): number[] | null {
  if (ifMatch === undefined || ifMatch.trim() === '*') return null
  return ifMatch.split(',').flatMap((tag) => {
    const version = /^"v(\d+)(?:-[\w-]*)?"$/.exec(tag.trim())?.[1]
    return version === undefined ? [] : [Number(version)]
  })
}
