import type { Scope } from '../../../schemas/api-key.ts'
import type { AccountRecord } from './accounts.ts'
import type { RecordRef, Timestamp } from './common.ts'

/** Unique by id and by hash. A key is active when it is neither disabled nor expired. */
export interface ApiKeyRecord {
  id: string
  accountId: string
  name: string
  /** SHA-256 of the key's value, in hex. The value itself is not stored. */
  hash: string
  prefix: string
  last4: string
  scopes: Scope[]
  /** The projects that the key is restricted to. Null: all projects of the account. */
  projectIds: string[] | null
  disabled: boolean
  /** Grows by one with each rotation. */
  generation: number
  createdAt: Timestamp
  updatedAt: Timestamp
  /** The key is no longer valid at this instant. */
  expiresAt: Timestamp | null
  lastUsedAt: Timestamp | null
}

export interface ApiKeyStore {
  /**
   * Inserts the key if the account then has at most `maxActive` keys that are active at
   * `key.createdAt`. Returns false otherwise. Concurrent calls never exceed the limit.
   */
  add: (key: ApiKeyRecord, maxActive: number) => Promise<boolean>
  /**
   * The key and its account (null if there is none), in one operation. Consistent read: sees every
   * change that has been acknowledged, by any process.
   */
  findByHash: (hash: string) => Promise<{ key: ApiKeyRecord; account: AccountRecord | null } | null>
  find: (accountId: string, id: string) => Promise<ApiKeyRecord | null>
  /** Oldest first, then by id. */
  list: (accountId: string) => Promise<ApiKeyRecord[]>
  /**
   * Replaces the key's value if the stored key still has this generation, and increments the
   * generation. Returns null when it has another generation or does not exist.
   */
  rotate: (
    id: RecordRef & { generation: number },
    value: { hash: string; prefix: string; last4: string; at: Timestamp }
  ) => Promise<ApiKeyRecord | null>
  /**
   * Changes the given fields and keeps the others. Returns null when the key does not exist, and
   * 'too_many' when the change would reactivate a key beyond `maxActive` (see `add`).
   */
  update: (
    id: RecordRef,
    change: Partial<Pick<ApiKeyRecord, 'name' | 'scopes' | 'expiresAt' | 'disabled' | 'updatedAt'>>,
    maxActive: number
  ) => Promise<ApiKeyRecord | null | 'too_many'>
  /** Returns false when the key does not exist. */
  delete: (accountId: string, id: string) => Promise<boolean>
  /** Sets `lastUsedAt` of each key, unless the stored time is later. Ignores unknown keys. */
  recordUses: (uses: { id: string; at: Timestamp }[]) => Promise<void>
}
