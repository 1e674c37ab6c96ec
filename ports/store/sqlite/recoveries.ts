import type { RecoveryRecord, RecoveryStore } from '../port.ts'
import type { Database } from './database.ts'
import { reopenDeliveries } from './deliveries-reopen.ts'
import { changed, recordOf, type RecordRow } from './records.ts'

const INSERT = `INSERT INTO recoveries (id, account_id, webhook_n, status, after_sequence, created_at, finished_at, record)
  SELECT ?, account_id, n, ?, ?, ?, ?, ? FROM webhooks WHERE id = ? AND account_id = ?`
const RUNNING_AT =
  "SELECT record FROM recoveries WHERE id = ? AND account_id = ? AND status = 'running' AND after_sequence = ?"

/** Keeps recoveries. */
export function createRecoveries(db: Database): RecoveryStore {
  return {
    // One of a webhook that has just been removed is not kept either.
    add: async (recovery) => {
      const { id, accountId, webhookId, status, afterSequence, createdAt, finishedAt } = recovery
      db.run(INSERT, id, status, afterSequence, createdAt, finishedAt, JSON.stringify(recovery), webhookId, accountId)
    },
    find: async (accountId, id) =>
      recordOf<RecoveryRecord>(
        db.one<RecordRow>('SELECT record FROM recoveries WHERE id = ? AND account_id = ?', id, accountId)
      ),
    advance: async ({ accountId, id, afterSequence }, { change, requeue, at }) =>
      db.atomically(() => {
        const before = recordOf<RecoveryRecord>(db.one<RecordRow>(RUNNING_AT, id, accountId, afterSequence))
        if (before === null) return false
        reopenDeliveries(db, accountId, { ids: requeue, at })
        const after = { ...changed(before, change), id, accountId, webhookId: before.webhookId }
        db.run(
          'UPDATE recoveries SET status = ?, after_sequence = ?, finished_at = ?, record = ? WHERE id = ?',
          after.status,
          after.afterSequence,
          after.finishedAt,
          JSON.stringify(after),
          id
        )
        return true
      }),
    unfinished: async (limit) =>
      db
        .all<{ accountId: string; id: string }>(
          `
      SELECT account_id AS accountId, id FROM recoveries WHERE status = 'running' ORDER BY created_at, id LIMIT ?`,
          limit
        )
        .map((row) => ({ ...row }))
  }
}
