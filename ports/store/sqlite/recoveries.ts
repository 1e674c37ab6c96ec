import type { RecoveryRecord, RecoveryStore } from '../port.ts'
import type { Database } from './database.ts'
import { requeueDeliveries } from './deliveries/claims.ts'
import { merge, parseRecord, readOldestFirst, type RecordRow } from './sql.ts'

/** Inserts nothing when the webhook was deleted. */
const INSERT = `
  INSERT INTO recoveries (id, account_id, webhook_n, status, after_sequence, created_at, finished_at, record)
  SELECT ?, account_id, n, ?, ?, ?, ?, ? FROM webhooks WHERE id = ? AND account_id = ?`
/** Recoveries of a deleted webhook are deleted in batches. */
export const HAS_WEBHOOK = 'EXISTS (SELECT 1 FROM webhooks w WHERE w.n = webhook_n AND w.account_id IS NOT NULL)'
const FIND = `SELECT record FROM recoveries WHERE id = ? AND account_id = ? AND ${HAS_WEBHOOK}`
const FIND_RUNNING = `${FIND} AND status = 'running' AND after_sequence = ?`
const UPDATE = 'UPDATE recoveries SET status = ?, after_sequence = ?, finished_at = ?, record = ? WHERE id = ?'
/** Returns false when the webhook does not exist. */
export function insertRecovery(db: Database, recovery: RecoveryRecord): boolean {
  const { id, accountId, webhookId, status, afterSequence, createdAt, finishedAt } = recovery
  const record = JSON.stringify(recovery)
  return db.run(INSERT, id, status, afterSequence, createdAt, finishedAt, record, webhookId, accountId) === 1
}

export function createRecoveries(db: Database): RecoveryStore {
  return {
    add: async (recovery) => {
      insertRecovery(db, recovery)
    },
    find: async (accountId, id) => parseRecord<RecoveryRecord>(db.one<RecordRow>(FIND, id, accountId)),
    advance: async ({ accountId, id, afterSequence }, { change, requeue, at }) =>
      db.transaction(() => {
        const before = parseRecord<RecoveryRecord>(db.one<RecordRow>(FIND_RUNNING, id, accountId, afterSequence))
        if (before === null) return false
        requeueDeliveries(db, accountId, { ids: requeue, at })
        const after = { ...merge(before, change), id, accountId, webhookId: before.webhookId }
        db.run(UPDATE, after.status, after.afterSequence, after.finishedAt, JSON.stringify(after), id)
        return true
      }),
    unfinished: async (page) =>
      readOldestFirst(db, { table: 'recoveries', condition: `status = 'running' AND ${HAS_WEBHOOK}` }, page)
  }
}
