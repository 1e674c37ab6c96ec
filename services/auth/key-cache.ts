import { LRUCache } from 'lru-cache'
import type { AccountRecord, ApiKeyRecord, Store } from '../../ports/store/port.ts'
import type { Feature } from '../../schemas/account.ts'
import type { Scope } from '../../schemas/api-key.ts'

/**
 * A key with its account. `epoch` is the account's key epoch that was read before they were loaded;
 * null when it is unknown, which allows one use. The entry then only tells the account of the key.
 */
export interface LoadedKey {
  key: ApiKeyRecord
  account: AccountRecord
  caller: KeyCaller
  expiresAtMs: number
  epoch: number | null
  loadedAtMs: number
}
/** An API key as a caller. Callers with the same `cacheKey` may read the same content. */
export interface KeyCaller {
  kind: 'key'
  accountId: string
  keyId: string
  name: string
  /** The first and last characters of the value. */
  prefix: string
  scopes: Scope[]
  features: Feature[]
  projectIds: string[] | null
  cacheKey: string
}

function toCaller(key: ApiKeyRecord, account: AccountRecord): KeyCaller {
  return {
    kind: 'key',
    accountId: account.id,
    keyId: key.id,
    name: key.name,
    prefix: `${key.prefix}…${key.last4}`,
    scopes: key.scopes,
    features: account.features,
    projectIds: key.projectIds,
    // Project ids contain neither spaces nor commas; account ids may contain anything.
    cacheKey: `${(key.projectIds ?? []).join(',')} ${account.id}`
  }
}

export type KeyCache = ReturnType<typeof createKeyCache>

/** A key may name a hundred projects, and has their ids twice. About 10,000 keys that name one. */
const MAX_BYTES = 10_000_000
const BYTES_OF_KEY = 1_000

const sizeOf = ({ key }: LoadedKey): number =>
  (key.projectIds ?? []).reduce((bytes, id) => bytes + 2 * id.length + 20, BYTES_OF_KEY)

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
  const cache = new LRUCache<string, LoadedKey>({ maxSize: MAX_BYTES, sizeCalculation: sizeOf })

  return {
    /** What was loaded last. Use it only if it is valid under the current epoch. */
    get: (hash: string): LoadedKey | undefined => cache.get(hash),
    isValid: ({ epoch, loadedAtMs }: LoadedKey, current: number): boolean =>
      epoch === current && Date.now() - loadedAtMs <= MAX_AGE_MS,
    delete: (hash: string) => cache.delete(hash),

    /** Reads key and account from the store. They are valid under `epoch`, read before this call, if it is known. */
    async load(hash: string, epoch: number | null): Promise<LoadedKey | null> {
      const loadedAtMs = Date.now()
      const found = await store.apiKeys.findByHash(hash)
      if (found === null || found.account === null) {
        cache.delete(hash)
        return null
      }
      const { key, account } = found
      const loaded: LoadedKey = {
        key,
        account,
        caller: toCaller(key, account),
        expiresAtMs: key.expiresAt === null ? Infinity : Date.parse(key.expiresAt),
        epoch,
        loadedAtMs
      }
      cache.set(hash, loaded)
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
