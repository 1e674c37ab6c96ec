import type { AccountRecord, AccountStore } from '../port.ts'
import type { Database } from './database.ts'
import { changedFields, WITHOUT_ID } from './records-changed.ts'
import { ensured } from './records-ensured.ts'

/** Keeps accounts. */
export function createAccounts(database: Database): AccountStore {
  const accounts = database.collection<AccountRecord & { _id: string }>('accounts')
  const find = (id: string) =>
    database.act(() => accounts.findOne<AccountRecord>({ _id: id }, { projection: WITHOUT_ID }))

  return {
    insertIfAbsent: (account) => database.act(async () => (await ensured(accounts, account.id, account)).record),
    find,
    update: async (id, change) => {
      const fields = changedFields<AccountRecord>(change)
      if (Object.keys(fields).length === 0) return await find(id)
      return await database.act(() =>
        accounts.findOneAndUpdate(
          { _id: id },
          { $set: { ...fields, id } },
          { projection: WITHOUT_ID, returnDocument: 'after' }
        )
      )
    },
    list: ({ afterId, limit }) =>
      database.act(() =>
        accounts
          .find<AccountRecord>({ _id: { $gt: afterId ?? '' } }, { projection: WITHOUT_ID, sort: { _id: 1 }, limit })
          .toArray()
      )
  }
}
