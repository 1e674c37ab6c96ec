import type { FastifyContextConfig } from 'fastify'
import { LRUCache } from 'lru-cache'
import { createGrowingLru } from '../../lib/growing-lru.ts'
import {
  createCompressor,
  isCompressible,
  MIN_COMPRESSIBLE_BYTES,
  type Compressor,
  type PreparedBody
} from '../../lib/http/compression.ts'

/** A JSON response of status 200 that the store contains. */
export interface StoredResponse extends PreparedBody {
  etag: string
  body: Buffer
  /** As an HTTP date. */
  lastModified: string
  /** Headers of this response alone. */
  headers: Record<string, string>
}

/** A finished response of status 200. */
export interface CachedResponse {
  /** The account's content epoch, read before the response was made. */
  epoch: number
  createdAtMs: number
  /** The config of the route that made it. */
  routeConfig: FastifyContextConfig
  body: Buffer
  etag: string
  lastModified: string
  contentType: string
  /** Headers besides the entity tag, the content type and the content length. */
  headers: Record<string, string>
  compressor: Compressor
}

const JSON_TYPE = 'application/json; charset=utf-8'
/** Responses read since, within which a second read of a stored response caches it: about a megabyte of keys. */
const MAX_RECENT = 10_000
/**
 * Maximum age of an entry. A process that crashes between a change and the epoch bump leaves stale
 * entries behind in other processes; this bounds for how long.
 */
const MAX_AGE_MS = 60_000

/** Cache-Control of cached routes. */
export const PUBLISHED_CONTENT = 'private, max-age=60, stale-while-revalidate=600'
export const VARY = 'Authorization, X-Api-Key, Accept-Encoding'

export const canCompress = (body: Buffer, contentType: unknown): boolean =>
  body.length >= MIN_COMPRESSIBLE_BYTES && isCompressible(contentType)

/** An entry for a stored response. */
export function createStoredEntry(
  stored: StoredResponse,
  { epoch, routeConfig }: Pick<CachedResponse, 'epoch' | 'routeConfig'>
): CachedResponse {
  const { body, etag, lastModified, headers } = stored
  return {
    epoch,
    routeConfig,
    createdAtMs: Date.now(),
    body,
    etag,
    lastModified,
    contentType: JSON_TYPE,
    headers: { 'cache-control': PUBLISHED_CONTENT, vary: VARY, 'last-modified': lastModified, ...headers },
    compressor: createCompressor(body, stored)
  }
}

/** The key of an entry, equal for callers that may read the same content. */
export const entryKey = (callerKey: string, url: string): string => `${callerKey}\n${url}`

export const isExpired = ({ createdAtMs }: CachedResponse): boolean => Date.now() - createdAtMs > MAX_AGE_MS

export type ResponseEntries = ReturnType<typeof createEntries>

/** The cached responses, limited by their bytes with those of the compressed bodies that exist. */
export function createEntries(maxBytes: number) {
  const entries = new LRUCache<string, CachedResponse>({
    maxSize: maxBytes,
    maxEntrySize: maxBytes / 4,
    sizeCalculation: ({ body, compressor }, key) => body.length + compressor.size() + key.length + 500
  })
  /** The last keys that `setRepeated` was called with. */
  const recent = createGrowingLru<string, true>(MAX_RECENT)

  function set(key: string, entry: CachedResponse): void {
    // An unknown epoch (NaN) never matches.
    if (Number.isNaN(entry.epoch)) {
      entries.delete(key)
      return
    }
    entries.set(key, entry)
    entry.compressor.onAdded = () => {
      if (entries.peek(key) !== entry) return
      entries.delete(key) // The size of an entry is only calculated when it is added.
      entries.set(key, entry)
    }
  }

  return {
    /** The response that was made under the epoch. It may have expired. */
    get(key: string, epoch: number): CachedResponse | undefined {
      const entry = entries.get(key)
      if (entry === undefined) return undefined
      if (entry.epoch === epoch) return entry
      entries.delete(key)
      return undefined
    },
    /** The response, whatever its epoch. */
    peek: (key: string): CachedResponse | undefined => entries.get(key),
    set,
    /**
     * Caches the response if it was passed here before, not long ago, or replaces an outdated one. For responses that
     * are found as fast as they are evicted: reading many of them once neither evicts others nor occupies the garbage
     * collector, which takes longer for a body in the cache than the store takes to read it. The idea is the
     * doorkeeper of TinyLFU (https://dl.acm.org/doi/10.1145/3149371).
     */
    setRepeated(key: string, entry: CachedResponse): void {
      if (entries.has(key) || recent.delete(key)) set(key, entry)
      else recent.set(key, true)
    }
  }
}
