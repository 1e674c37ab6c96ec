import { setTimeout as wait } from 'node:timers/promises'
import { ApiError } from '../errors.ts'
import type { IdempotencyClaimResult, Store, StoredResponse } from '../ports/store/port.ts'
import { newId } from './ids.ts'
import { createStaleClaims } from './stale-claims.ts'
import type { StorageQuota } from './storage.ts'

export type Idempotency = ReturnType<typeof createIdempotency>

/** How long a response is stored, in milliseconds. */
const RETENTION_MS = 24 * 3_600_000
const DEFAULT_STALE_AFTER_MS = 120_000
/** Pause between attempts to write while the store is unavailable. */
const RETRY_MS = 1_000

export interface IdempotencySettings {
  /**
   * Age in milliseconds at which a claim without a response may be taken over: its process is
   * assumed to have crashed (see `createStaleClaims`). Must be longer than any request may take. Default: 120,000.
   */
  staleAfterMs?: number
}

/** An Idempotency-Key of a caller and a route, and the account that stores the response. */
export interface ClaimedKey {
  scope: string
  accountId: string
}

/**
 * Stores the first response for each Idempotency-Key for 24 hours
 * (draft-ietf-httpapi-idempotency-key-header).
 */
export function createIdempotency(
  { store, storage }: { store: Store; storage: Pick<StorageQuota, 'reserve' | 'add'> },
  { staleAfterMs = DEFAULT_STALE_AFTER_MS }: IdempotencySettings = {}
) {
  const toIso = (ms: number) => new Date(ms).toISOString()
  const stale = createStaleClaims(store, staleAfterMs)

  /** Resolves once the write succeeded, or was deferred because the store is unavailable. */
  async function writeOrDefer(write: () => Promise<void>): Promise<void> {
    if (await tryWrite(write)) return
    retryUntilStale(write).catch((error: unknown) => {
      process.emitWarning(`The outcome of an Idempotency-Key could not be stored: ${String(error)}`)
    })
  }

  /** Gives up once the claim is stale, because anyone may take it over then. */
  async function retryUntilStale(write: () => Promise<void>): Promise<void> {
    for (const end = Date.now() + staleAfterMs; Date.now() < end; ) {
      await wait(RETRY_MS, undefined, { ref: false })
      if (await tryWrite(write)) return
    }
  }

  const release = (scope: string) => writeOrDefer(() => store.idempotency.release(scope))

  return {
    /**
     * Claims a key for one attempt of a request. `scope` is unique per caller, route and key. Throws
     * `storage_quota_exceeded` if the account has no room for the response: the request must not take effect, because a
     * repeated one would take effect again.
     */
    async claim({ scope, accountId }: ClaimedKey, bodyHash: string): Promise<IdempotencyClaimResult> {
      const now = Date.now()
      const result = await store.idempotency.claim({
        scope,
        bodyHash,
        operationId: newId(),
        at: toIso(now),
        expiresAt: toIso(now + RETENTION_MS),
        staleBefore: stale.before(now)
      })
      if (result.state !== 'claimed') return result
      try {
        // Its length is not known yet.
        await storage.reserve(accountId, { bytes: 1 })
        return result
      } catch (error) {
        await release(scope)
        throw error
      }
    },
    /**
     * Stores the response of a claimed key. The request already took effect and the caller must get
     * its response, so an unavailable store is no error: the write is retried in the background.
     */
    async complete({ scope, accountId }: ClaimedKey, response: StoredResponse): Promise<void> {
      storage.add(accountId, { bytes: response.body.length })
      await writeOrDefer(() => store.idempotency.complete(scope, response))
    },
    /** Releases a claim, now or when the store is available again. */
    release,
    /** Deletes expired entries. */
    sweep: () => store.idempotency.deleteExpired(toIso(Date.now()))
  }
}

/** Returns false when the store is unavailable. */
async function tryWrite(write: () => Promise<void>): Promise<boolean> {
  try {
    await write()
    return true
  } catch (error) {
    if (error instanceof ApiError && error.code === 'unavailable') return false
    throw error
  }
}
