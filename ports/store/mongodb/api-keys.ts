import { randomUUID } from 'node:crypto'
import type { Collection, Filter } from 'mongodb'
import { isDuplicateKey } from '../../../lib/mongodb.ts'
import type { AccountRecord, ApiKeyRecord, ApiKeyStore } from '../port.ts'
import type { Database } from './database.ts'
import { changedFields } from './documents.ts'
import { acquireSlot, releaseSlot } from './slots.ts'

export interface KeyDocument extends ApiKeyRecord {
  _id: string
  /**
   * The slot that the key holds while it is active. Slot ids are never reused, so that releasing
   * one never frees another key's slot. An expired key may still name its last slot.
   */
  slotId: string | null
  /** Grows with every change that may affect slots. */
  revision: number
}

export const keyCollection = (database: Database): Collection<KeyDocument> =>
  database.collection<KeyDocument>('api_keys')

/** Leaves out the fields that do not belong to the record. */
const RECORD_ONLY = { _id: 0, slotId: 0, revision: 0 } as const

/** API keys. Slots count the active keys of an account: every active key holds one. */
export function createApiKeys(database: Database): ApiKeyStore {
  const keys = keyCollection(database)
  const find = (filter: Filter<KeyDocument>) =>
    database.run(() => keys.findOne<ApiKeyRecord>(filter, { projection: RECORD_ONLY }))
  const writes = createKeyWrites(database)

  return {
    add: writes.add,
    update: writes.update,
    delete: writes.delete,
    findByHash: (hash) =>
      database.run(async () => {
        const [found] = await keys
          .aggregate<ApiKeyRecord & { accounts: (AccountRecord & { _id: string })[] }>([
            { $match: { hash } },
            { $lookup: { from: 'accounts', localField: 'accountId', foreignField: '_id', as: 'accounts' } },
            { $project: RECORD_ONLY }
          ])
          .toArray()
        if (found === undefined) return null
        const { accounts, ...key } = found
        if (accounts[0] === undefined) return { key, account: null }
        const { _id, ...account } = accounts[0]
        return { key, account }
      }),
    find: (accountId, id) => find({ _id: id, accountId }),
    list: (accountId) =>
      database.run(() =>
        keys.find<ApiKeyRecord>({ accountId }, { projection: RECORD_ONLY, sort: { createdAt: 1, id: 1 } }).toArray()
      ),
    rotate: ({ accountId, id, generation }, { at, ...value }) =>
      database.run(() =>
        keys.findOneAndUpdate(
          { _id: id, accountId, generation },
          { $set: { ...value, updatedAt: at }, $inc: { generation: 1 } },
          { projection: RECORD_ONLY, returnDocument: 'after' }
        )
      ),
    recordUses: async (uses) => {
      if (uses.length === 0) return
      const updates = uses.map(({ id, at }) => ({
        updateOne: { filter: { _id: id }, update: { $max: { lastUsedAt: at } } }
      }))
      await database.run(() => keys.bulkWrite(updates, { ordered: false }))
    }
  }
}

/**
 * Changes that never leave too many active keys, even after a crash. A slot is taken before a key
 * names it, lasts at least as long as the key, and is released only when no key names it any more.
 * A crash leaves at most one slot too many, which is removed when no slot is free.
 */
function createKeyWrites(database: Database): Pick<ApiKeyStore, 'add' | 'update' | 'delete'> {
  const keys = keyCollection(database)

  /** The id of a new slot. Null when no slot is free. */
  async function acquire(
    { accountId, expiresAt }: Pick<ApiKeyRecord, 'accountId' | 'expiresAt'>,
    { max, at }: { max: number; at: string }
  ): Promise<string | null> {
    const id = randomUUID()
    const findOwned = async (ids: string[]) => {
      const found = await database.run(() =>
        keys.find({ accountId, slotId: { $in: ids } }, { projection: { slotId: 1 } }).toArray()
      )
      return new Set(found.map(({ slotId }) => slotId ?? ''))
    }
    return (await acquireSlot(database, { holder: slotHolder(accountId), id, expiresAt, max, at }, findOwned))
      ? id
      : null
  }

  async function release(accountId: string, slotId: string | null): Promise<void> {
    if (slotId !== null) await releaseSlot(database, slotHolder(accountId), slotId)
  }

  async function add(key: ApiKeyRecord, maxActive: number): Promise<boolean> {
    const active = isActive(key, key.createdAt)
    const slotId = active ? await acquire(key, { max: maxActive, at: key.createdAt }) : null
    if (active && slotId === null) return false
    try {
      await database.run(() => keys.insertOne({ _id: key.id, ...key, slotId, revision: 1 }))
      return true
    } catch (error) {
      // After any other error the key may have been written and then needs its slot.
      if (isDuplicateKey(error)) await release(key.accountId, slotId)
      throw error
    }
  }

  /** Changes the key as it was read. Returns 'retry' when another process changed it since. */
  async function change(
    before: KeyDocument,
    fields: Partial<ApiKeyRecord>,
    maxActive: number
  ): Promise<ApiKeyRecord | 'too_many' | 'retry'> {
    const { _id, accountId, revision } = before
    const after = { ...before, ...fields }
    const at = after.updatedAt
    const [wasActive, isNowActive] = [isActive(before, at), isActive(after, at)]
    const needsSlot = isNowActive && (!wasActive || after.expiresAt !== before.expiresAt)
    // An active key stays active whatever the limit. It holds two slots for a moment.
    const max = wasActive ? Infinity : maxActive
    const acquired = needsSlot ? await acquire(after, { max, at }) : null
    if (needsSlot && acquired === null) return 'too_many'
    const slotId = needsSlot ? acquired : isNowActive ? before.slotId : null
    const changed = await database.run(() =>
      keys.findOneAndUpdate(
        { _id, accountId, revision },
        { $set: { ...fields, slotId }, $inc: { revision: 1 } },
        { projection: RECORD_ONLY, returnDocument: 'after' }
      )
    )
    if (changed === null) await release(accountId, acquired)
    else if (before.slotId !== slotId) await release(accountId, before.slotId)
    return changed ?? 'retry'
  }

  return {
    add,
    update: async ({ accountId, id }, requested, maxActive) => {
      const fields = changedFields<ApiKeyRecord>(requested)
      for (;;) {
        const before = await database.run(() => keys.findOne({ _id: id, accountId }))
        if (before === null) return null
        const outcome = await change(before, fields, maxActive)
        if (outcome !== 'retry') return outcome
      }
    },
    delete: async (accountId, id) => {
      const removed = await database.run(() =>
        keys.findOneAndDelete({ _id: id, accountId }, { projection: { slotId: 1 } })
      )
      if (removed !== null) await release(accountId, removed.slotId)
      return removed !== null
    }
  }
}

const slotHolder = (accountId: string): string => `api-keys ${accountId}`

/** Neither disabled nor expired. A key is expired from the instant `expiresAt` on. */
function isActive({ disabled, expiresAt }: Pick<ApiKeyRecord, 'disabled' | 'expiresAt'>, at: string): boolean {
  return !disabled && (expiresAt === null || expiresAt > at)
}
