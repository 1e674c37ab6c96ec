import type { DeliveryStatus } from '../../../schemas/webhook.ts'
import type { RecordRef, SweepCursor, SweepPage, Timestamp } from './common.ts'

/** A request to redeliver the deliveries of a period. Unique by id. */
export interface RecoveryRecord {
  id: string
  accountId: string
  webhookId: string
  status: 'running' | 'done'
  since: Timestamp
  until: Timestamp
  statuses: DeliveryStatus[]
  /** The sequence of the last delivery that was examined. */
  afterSequence: number
  examined: number
  requeued: number
  createdAt: Timestamp
  finishedAt: Timestamp | null
}

export interface RecoveryStore {
  /** Inserts the recovery, unless its webhook was deleted. */
  add: (recovery: RecoveryRecord) => Promise<void>
  find: (accountId: string, id: string) => Promise<RecoveryRecord | null>
  /**
   * Applies the change and requeues these deliveries (see `DeliveryStore.requeue`) in one atomic
   * operation. Returns false, and changes nothing, when the recovery is not running or is at
   * another `afterSequence`.
   */
  advance: (
    recovery: RecordRef & { afterSequence: number },
    step: { change: Partial<RecoveryRecord>; requeue: string[]; at: Timestamp }
  ) => Promise<boolean>
  /** Running recoveries of all accounts, oldest first, then by id. */
  unfinished: (page: SweepCursor) => Promise<SweepPage<RecordRef>>
}
