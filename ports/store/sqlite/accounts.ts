import type { AccountRecord, AccountStore } from '../port.ts'
import type { Database } from './database.ts'
import { changed, recordOf, type RecordRow } from './records.ts'

/** Keeps accounts. */
export function createAccounts(db: Database): AccountStore {
  const find = (id: string) =>
    recordOf<AccountRecord>(db.one<RecordRow>('SELECT record FROM accounts WHERE id = ?', id))

  return {
    insertIfAbsent: async (account) => {
      db.run(
        'INSERT INTO accounts (id, record) VALUES (?, ?) ON CONFLICT DO NOTHING',
        account.id,
        JSON.stringify(account)
      )
      return find(account.id) as AccountRecord
    },
    find: async (id) => find(id),
    update: async (id, change) =>
      db.atomically(() => {
        const found = find(id)
        if (found === null) return null
        const account = { ...changed(found, change), id }
        db.run('UPDATE accounts SET record = ? WHERE id = ?', JSON.stringify(account), id)
        return find(id)
      }),
    list: async ({ afterId, limit }) =>
      db
        .all<RecordRow>('SELECT record FROM accounts WHERE id > ? ORDER BY id LIMIT ?', afterId ?? '', limit)
        .map((row) => JSON.parse(row.record) as AccountRecord)
  }
}
