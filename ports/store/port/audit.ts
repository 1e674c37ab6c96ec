import type { AuditAction, AuditActor, AuditChange, AuditTarget } from '../../../schemas/audit.ts'
import type { Timestamp } from './common.ts'

/** An entry of the audit log: who changed what, and when. Never changed. */
export interface AuditRecord {
  /** A UUIDv7 of the time of the change: entries are ordered by it. Unique. */
  id: string
  accountId: string
  actor: AuditActor
  action: AuditAction
  target: AuditTarget
  projectId: string | null
  changes: AuditChange[]
  requestId: string | null
  ipAddress: string | null
}

/** Which entries of an account to read. All given conditions must hold. */
export interface AuditFilter {
  /** The id of the actor. */
  actor?: string
  action?: AuditAction
  /** The id of the target. */
  target?: string
  /** Entries at this time or later. */
  since?: Timestamp
  /** Entries before this time. */
  until?: Timestamp
}

export interface AuditStore {
  /**
   * Adds entries. Skips ids that exist. The entries survive a crash of the process. They survive a crash
   * of the machine only after a later durable change, if the store is a file of this process.
   */
  add: (entries: AuditRecord[]) => Promise<void>
  /** The newest first, from the one before `beforeId` on. Null: from the newest on. */
  list: (
    accountId: string,
    filter: AuditFilter,
    page: { beforeId: string | null; limit: number }
  ) => Promise<AuditRecord[]>
  /** Deletes entries of all accounts before this time, the oldest first, at most `limit`. Returns their number. */
  deleteBefore: (before: Timestamp, limit: number) => Promise<number>
  /** Deletes the account's entries with these actions, except for the newest `keep` of them. Returns their number. */
  trim: (accountId: string, actions: readonly AuditAction[], keep: number) => Promise<number>
}
