import type { AccountRecord, ApiKeyRecord, Store } from '../../ports/store/port.ts'

/**
 * A key with its account, and the account's key epoch that was read before they were loaded (null:
 * not known, so it may be used now and not kept).
 */
export interface LoadedKey {
  key: ApiKeyRecord
  account: AccountRecord
  expiresAtMs: number
  epoch: number | null
  loadedAtMs: number
}
export type KeptKeys = ReturnType<typeof createKeptKeys>

const MAX_KEPT = 10_000
/**
 * A process that was killed between its change and the epoch told nobody of it; so nothing is kept
 * longer than this.
 */
const KEPT_MS = 60_000

/**
 * Checked keys in memory. A kept key is good only while the account's key epoch equals the one read
 * before it was loaded;
 * a change commits, then raises the epoch, then answers. So nothing that was revoked is accepted
 * after the revocation was answered.
 */
export function createKeptKeys({ store }: { store: Store }) {
  const kept = new Map<string, LoadedKey>()

  return {
    get(hash: string): LoadedKey | undefined {
      const key = kept.get(hash)
      return key === undefined || Date.now() - key.loadedAtMs > KEPT_MS ? undefined : key
    },
    drop: (hash: string) => kept.delete(hash),

    /**
     * Reads key and account from the store; keeps them when `epoch`, read before this call, is
     * given and known.
     */
    async load(hash: string, epoch: number | null): Promise<LoadedKey | null> {
      const loadedAtMs = Date.now()
      const key = await store.apiKeys.findByHash(hash)
      const account = key === null ? null : await store.accounts.find(key.accountId)
      if (key === null || account === null) {
        kept.delete(hash)
        return null
      }
      const loaded = {
        key,
        account,
        expiresAtMs: key.expiresAt === null ? Infinity : Date.parse(key.expiresAt),
        epoch,
        loadedAtMs
      }
      if (epoch !== null && !Number.isNaN(epoch)) {
        if (kept.size >= MAX_KEPT) kept.delete(kept.keys().next().value!)
        kept.set(hash, loaded)
      }
      return loaded
    }
  }
}
