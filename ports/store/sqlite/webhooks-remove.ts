import type { Database } from './database.ts'

/** So many deliveries are gone in some milliseconds. */
const PORTION = 500
/**
 * A webhook may have a million deliveries, and everybody would wait until they are deleted. So it
 * loses its id and account, by which alone it and they are found, and the rest goes bit by bit.
 */
const HIDE =
  'UPDATE webhooks SET id = NULL, account_id = NULL, disabled = 1 WHERE id = ? AND account_id = ? RETURNING n'

/**
 * Removes the webhook, its recoveries and its deliveries; what is left of the last is out of sight,
 * and `removeLeftovers` deletes it. False when there is none.
 */
export function removeWebhook(db: Database, accountId: string, id: string): boolean {
  return db.atomically(() => {
    const row = db.one<{ n: number }>(HIDE, id, accountId)
    if (row === undefined) return false
    db.run('DELETE FROM recoveries WHERE webhook_n = ?', row.n)
    removePortion(db, row.n, PORTION)
    return true
  })
}

/**
 * Deletes what is left of webhooks that were removed, at most `limit` deliveries of it. To be
 * called inside `db.atomically`.
 */
export function removeLeftovers(db: Database, limit: number): void {
  const row = db.one<{ n: number }>('SELECT n FROM webhooks WHERE account_id IS NULL LIMIT 1')
  if (row !== undefined) removePortion(db, row.n, limit)
}

function removePortion(db: Database, n: number, limit: number): void {
  const removed = db.run(
    'DELETE FROM deliveries WHERE n IN (SELECT n FROM deliveries WHERE webhook_n = ? LIMIT ?)',
    n,
    limit
  )
  if (removed < limit) db.run('DELETE FROM webhooks WHERE n = ?', n)
}
