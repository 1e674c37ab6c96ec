import type { RecoveryRecord } from '../port.ts'
import type { Database } from './database.ts'

/** A recovery as it is stored; its `_id` is its id. */
export interface RecoveryDocument
  extends Pick<RecoveryRecord, 'accountId' | 'webhookId' | 'status' | 'afterSequence' | 'createdAt' | 'finishedAt'> {
  _id: string
  record: RecoveryRecord
  /** Deliveries that are still to be reopened by the step that was written down last. */
  reopening?: { ids: string[]; at: string; by: string }
}

export const recoveries = (database: Database) => database.collection<RecoveryDocument>('recoveries')

export function fieldsOf(record: RecoveryRecord): Omit<RecoveryDocument, '_id' | 'reopening'> {
  const { accountId, webhookId, status, afterSequence, createdAt, finishedAt } = record
  return { accountId, webhookId, status, afterSequence, createdAt, finishedAt, record }
}
