import type { Database } from './database.ts'
import { removeLeftovers } from './webhooks-remove.ts'

/**
 * Removes events that happened before this time and were fanned out, at most `limit`, with all that
 * hangs on them, recoveries that ended before it, and what is left of removed webhooks; returns how
 * many events.
 */
export function sweep(db: Database, before: string, limit: number): number {
  return db.atomically(() => {
    removeLeftovers(db, limit)
    db.run(
      "DELETE FROM recoveries WHERE id IN (SELECT id FROM recoveries WHERE status = 'done' AND finished_at < ? ORDER BY finished_at LIMIT ?)",
      before,
      limit
    )
    return db.run(
      'DELETE FROM events WHERE n IN (SELECT n FROM events WHERE fanned_out = 1 AND timestamp < ? ORDER BY timestamp LIMIT ?)',
      before,
      limit
    )
  })
}
