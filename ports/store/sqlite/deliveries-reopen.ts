import type { Database } from './database.ts'

const OF_ACCOUNT =
  'id IN (SELECT value FROM json_each(?)) AND webhook_n IN (SELECT n FROM webhooks WHERE account_id = ?)'
const END_LEASES = `DELETE FROM delivery_leases WHERE until <= ? AND n IN (SELECT n FROM deliveries WHERE ${OF_ACCOUNT})`
const REOPEN = `
  UPDATE deliveries SET status = 'pending', round = 0, next_attempt_at = ?, delivered_at = NULL
  WHERE ${OF_ACCOUNT} AND NOT EXISTS (SELECT 1 FROM delivery_leases l WHERE l.n = deliveries.n)`

/**
 * Lets the account's deliveries of these ids be tried again from `at` on, in a new round; those
 * that are leased then are passed over. Returns how many.
 */
export function reopenDeliveries(db: Database, accountId: string, { ids, at }: { ids: string[]; at: string }): number {
  const list = JSON.stringify(ids)
  // A lease that has ended means nothing any more, so it does no harm when only this is done.
  db.run(END_LEASES, at, list, accountId)
  return db.run(REOPEN, at, list, accountId)
}
