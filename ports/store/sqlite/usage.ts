import type { UsageHour } from '../../../schemas/account.ts'
import type { UsageStore } from '../port.ts'
import type { Database } from './database.ts'

const ADD = `
  INSERT INTO usage (account_id, hour, requests, refused) VALUES (?, ?, ?, ?)
  ON CONFLICT DO UPDATE SET requests = requests + excluded.requests, refused = refused + excluded.refused`
const LIST = `
  SELECT hour, requests, refused FROM usage
  WHERE account_id = ? AND hour >= ? AND requests + refused > 0 ORDER BY hour`

export function createUsage(db: Database): UsageStore {
  return {
    add: async (counts) =>
      db.transaction(() => {
        for (const { accountId, hour, requests, refused } of counts) db.run(ADD, accountId, hour, requests, refused)
      }),
    hours: async (accountId, since) => db.all<UsageHour>(LIST, accountId, since).map((row) => ({ ...row }))
  }
}
