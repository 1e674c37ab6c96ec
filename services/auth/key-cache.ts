import { LRUCache } from 'lru-cache'
import type { AccountRecord, ApiKeyRecord, Store } from '../../ports/store/port.ts'

/**
 * A key with its account. `epoch` is the account's key epoch that was read before they were loaded;
 * null when it is unknown, which allows one use and no caching.
 */
export interface LoadedKey {
  key: ApiKeyRecord
  account: AccountRecord
  expiresAtMs: number
  epoch: number | null
  loadedAtMs: number
}
export type KeyCache = ReturnType<typeof createKeyCache>

const MAX_KEYS = 10_000
/**
 * Maximum age of an entry. A process that crashes between a change and the epoch bump leaves stale
 * entries behind in other processes; this bounds for how long.
 */
const MAX_AGE_MS = 60_000

/**
 * Verified API keys in memory. An entry is valid while the account's key epoch equals the one read
 * before the key was loaded. A change is committed, then the epoch is raised, then the change is
 * acknowledged, so that a revoked key is never accepted after the revocation was acknowledged.
 */
export function createKeyCache({ store }: { store: Store }) {
  const cache = new LRUCache<string, LoadedKey>({ max: MAX_KEYS })

  return {
    get(hash: string): LoadedKey | undefined {
      const entry = cache.get(hash)
      return entry === undefined || Date.now() - entry.loadedAtMs > MAX_AGE_MS ? undefined : entry
    },
    delete: (hash: string) => cache.delete(hash),

    /** Reads key and account from the store. Caches them if `epoch`, read before this call, is known. */
    async load(hash: string, epoch: number | null): Promise<LoadedKey | null> {
      const loadedAtMs = Date.now()
      const key = await store.apiKeys.findByHash(hash)
      const account = key === null ? null : await store.accounts.find(key.accountId)
      if (key === null || account === null) {
        cache.delete(hash)
        return null
      }
      const loaded: LoadedKey = {
        key,
        account,
        expiresAtMs: key.expiresAt === null ? Infinity : Date.parse(key.expiresAt),
        epoch,
        loadedAtMs
      }
      if (epoch !== null && !Number.isNaN(epoch)) cache.set(hash, loaded)
      return loaded
    }
  }
}

/**
 * Records the last use of keys in memory. `flush` writes it; called once a minute, each key costs
 * at most one write a minute.
 */
export function createKeyUsage({ store }: { store: Store }) {
  let lastUses = new Map<string, number>()
  return {
    record(keyId: string, nowMs: number): void {
      lastUses.set(keyId, nowMs)
    },
    async flush(): Promise<void> {
      if (lastUses.size === 0) return
      const pending = lastUses
      lastUses = new Map()
      try {
        await store.apiKeys.recordUses([...pending].map(([id, at]) => ({ id, at: new Date(at).toISOString() })))
      } catch (error) {
        // Retried with the next flush. Newer uses of the same key take precedence.
        lastUses = new Map([...pending, ...lastUses])
        throw error
      }
    }
  }
}
