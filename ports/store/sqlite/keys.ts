import type { ApiKeyRecord, ApiKeyStore } from '../port.ts'
import type { Database } from './database.ts'
import { changed, recordOf, type RecordRow } from './records.ts'

/** Neither disabled nor expired; a key expires at the instant that is named. */
function isActive(key: ApiKeyRecord, at: string): boolean {
  return !key.disabled && (key.expiresAt === null || key.expiresAt > at)
}

/** Keeps API keys. */
export function createKeys(db: Database): ApiKeyStore {
  const find = (accountId: string, id: string) =>
    recordOf<ApiKeyRecord>(db.one<RecordRow>('SELECT record FROM keys WHERE id = ? AND account_id = ?', id, accountId))
  const list = (accountId: string) =>
    db
      .all<RecordRow>('SELECT record FROM keys WHERE account_id = ? ORDER BY created_at, id', accountId)
      .map((row) => JSON.parse(row.record) as ApiKeyRecord)
  const write = (key: ApiKeyRecord) => {
    db.run('UPDATE keys SET hash = ?, record = ? WHERE id = ?', key.hash, JSON.stringify(key), key.id)
    return find(key.accountId, key.id)
  }
  /** How many keys of the account would be active with this one as it is given. */
  const activeWith = (key: ApiKeyRecord, at: string) =>
    [...list(key.accountId).filter(({ id }) => id !== key.id), key].filter((each) => isActive(each, at)).length

  return {
    add: async (key, maxActive) =>
      db.atomically(() => {
        if (activeWith(key, key.createdAt) > maxActive) return false
        db.run(
          'INSERT INTO keys (id, account_id, hash, created_at, record) VALUES (?, ?, ?, ?, ?)',
          key.id,
          key.accountId,
          key.hash,
          key.createdAt,
          JSON.stringify(key)
        )
        return true
      }),
    findByHash: async (hash) =>
      recordOf<ApiKeyRecord>(db.one<RecordRow>('SELECT record FROM keys WHERE hash = ?', hash)),
    find: async (accountId, id) => find(accountId, id),
    list: async (accountId) => list(accountId),
    rotate: async ({ accountId, id, generation }, { at, ...value }) =>
      db.atomically(() => {
        const key = find(accountId, id)
        return key?.generation !== generation
          ? null
          : write({ ...key, ...value, updatedAt: at, generation: generation + 1 })
      }),
    update: async ({ accountId, id }, change, maxActive) =>
      db.atomically(() => {
        const before = find(accountId, id)
        if (before === null) return null
        const after = changed(before, change)
        const revived = !isActive(before, after.updatedAt) && isActive(after, after.updatedAt)
        return revived && activeWith(after, after.updatedAt) > maxActive ? 'too_many' : write(after)
      }),
    delete: async (accountId, id) => db.run('DELETE FROM keys WHERE id = ? AND account_id = ?', id, accountId) === 1,
    recordUses: async (uses) =>
      db.atomically(() => {
        for (const { id, at } of uses) {
          const key = recordOf<ApiKeyRecord>(db.one<RecordRow>('SELECT record FROM keys WHERE id = ?', id))
          if (key !== null && (key.lastUsedAt === null || key.lastUsedAt < at)) write({ ...key, lastUsedAt: at })
        }
      })
  }
}
