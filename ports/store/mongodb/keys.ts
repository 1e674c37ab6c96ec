import type { Filter } from 'mongodb'
import type { ApiKeyRecord, ApiKeyStore } from '../port.ts'
import type { Database } from './database.ts'
import { createKeyChanges } from './keys-changes.ts'
import { keysOf, RECORD_ALONE, type KeyDocument } from './keys-documents.ts'

/**
 * Keeps API keys. How many of an account are active is counted by seats, of which every active key
 * has one.
 */
export function createKeys(database: Database): ApiKeyStore {
  const keys = keysOf(database)
  const find = (filter: Filter<KeyDocument>) =>
    database.act(() => keys.findOne<ApiKeyRecord>(filter, { projection: RECORD_ALONE }))

  return {
    ...createKeyChanges(database),
    findByHash: (hash) => find({ hash }),
    find: (accountId, id) => find({ _id: id, accountId }),
    list: (accountId) =>
      database.act(() =>
        keys.find<ApiKeyRecord>({ accountId }, { projection: RECORD_ALONE, sort: { createdAt: 1, id: 1 } }).toArray()
      ),
    rotate: ({ accountId, id, generation }, { at, ...value }) =>
      database.act(() =>
        keys.findOneAndUpdate(
          { _id: id, accountId, generation },
          { $set: { ...value, updatedAt: at }, $inc: { generation: 1 } },
          { projection: RECORD_ALONE, returnDocument: 'after' }
        )
      ),
    recordUses: async (uses) => {
      if (uses.length === 0) return
      const touches = uses.map(({ id, at }) => ({
        updateOne: { filter: { _id: id }, update: { $max: { lastUsedAt: at } } }
      }))
      await database.act(() => keys.bulkWrite(touches, { ordered: false }))
    }
  }
}
