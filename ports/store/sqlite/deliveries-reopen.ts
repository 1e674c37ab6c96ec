import type { Database } from './database.ts'

const REOPEN = `
  UPDATE deliveries SET status = 'pending', round = 0, next_attempt_at = ?, leased_until = NULL, delivered_at = NULL
  WHERE id IN (SELECT value FROM json_each(?)) AND webhook_n IN (SELECT n FROM webhooks WHERE account_id = ?) AND (leased_until IS NULL OR leased_until <= ?)`

/** Lets the account's deliveries of these ids be tried again from `at` on, in a new round; those that are leased then are passed over. Returns how many. */
export function reopenDeliveries (db: Database, accountId: string, { ids, at }: { ids: string[], at: string }): number {
  return db.run(REOPEN, at, JSON.stringify(ids), accountId, at)
}
