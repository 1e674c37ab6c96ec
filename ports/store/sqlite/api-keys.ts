import type { AccountRecord, ApiKeyRecord, ApiKeyStore } from '../port.ts'
import type { Database } from './database.ts'
import { merge, parseRecord, type RecordRow } from './sql.ts'

/** Neither disabled nor expired. A key is expired at the instant of `expiresAt`. */
function isActive(key: ApiKeyRecord, at: string): boolean {
  return !key.disabled && (key.expiresAt === null || key.expiresAt > at)
}

export function createApiKeys(db: Database): ApiKeyStore {
  const find = (accountId: string, id: string) =>
    parseRecord<ApiKeyRecord>(
      db.one<RecordRow>('SELECT record FROM api_keys WHERE id = ? AND account_id = ?', id, accountId)
    )

  const list = (accountId: string) =>
    db
      .all<RecordRow>('SELECT record FROM api_keys WHERE account_id = ? ORDER BY created_at, id', accountId)
      .map((row) => JSON.parse(row.record) as ApiKeyRecord)

  function write(key: ApiKeyRecord): ApiKeyRecord | null {
    db.run('UPDATE api_keys SET hash = ?, record = ? WHERE id = ?', key.hash, JSON.stringify(key), key.id)
    return find(key.accountId, key.id)
  }

  /** How many keys of the account would be active once this key is stored. */
  const countActiveWith = (key: ApiKeyRecord, at: string) =>
    [...list(key.accountId).filter(({ id }) => id !== key.id), key].filter((each) => isActive(each, at)).length

  return {
    add: async (key, maxActive) =>
      db.transaction(() => {
        if (countActiveWith(key, key.createdAt) > maxActive) return false
        db.run(
          'INSERT INTO api_keys (id, account_id, hash, created_at, record) VALUES (?, ?, ?, ?, ?)',
          key.id,
          key.accountId,
          key.hash,
          key.createdAt,
          JSON.stringify(key)
        )
        return true
      }),
    findByHash: async (hash) => {
      const row = db.one<{ key: string; account: string | null }>(
        `SELECT k.record AS key, a.record AS account
         FROM api_keys k LEFT JOIN accounts a ON a.id = k.account_id WHERE k.hash = ?`,
        hash
      )
      if (row === undefined) return null
      const key = JSON.parse(row.key) as ApiKeyRecord
      return { key, account: row.account === null ? null : (JSON.parse(row.account) as AccountRecord) }
    },
    find: async (accountId, id) => find(accountId, id),
    list: async (accountId) => list(accountId),
    rotate: async ({ accountId, id, generation }, { at, ...value }) =>
      db.transaction(() => {
        const key = find(accountId, id)
        if (key?.generation !== generation) return null
        return write({ ...key, ...value, updatedAt: at, generation: generation + 1 })
      }),
    update: async ({ accountId, id }, change, maxActive) =>
      db.transaction(() => {
        const before = find(accountId, id)
        if (before === null) return null
        const after = merge(before, change)
        const reactivated = !isActive(before, after.updatedAt) && isActive(after, after.updatedAt)
        return reactivated && countActiveWith(after, after.updatedAt) > maxActive ? 'too_many' : write(after)
      }),
    delete: async (accountId, id) =>
      db.run('DELETE FROM api_keys WHERE id = ? AND account_id = ?', id, accountId) === 1,
    recordUses: async (uses) =>
      db.transaction(() => {
        for (const { id, at } of uses) {
          const key = parseRecord<ApiKeyRecord>(db.one<RecordRow>('SELECT record FROM api_keys WHERE id = ?', id))
          if (key !== null && (key.lastUsedAt === null || key.lastUsedAt < at)) write({ ...key, lastUsedAt: at })
        }
      })
  }
}
