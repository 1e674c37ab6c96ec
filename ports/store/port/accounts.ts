import type { Feature, Plan, StorageLimits } from '../../../schemas/account.ts'
import type { IdPage, Timestamp } from './common.ts'

/** Unique by id. */
export interface AccountRecord {
  id: string
  plan: Plan
  /** The account's own hourly request limit. Null: the limit of the plan applies. */
  requestsPerHour: number | null
  features: Feature[]
  /** The account's own storage limits. Null and missing ones are those of the plan. */
  storage?: { [Name in keyof StorageLimits]?: StorageLimits[Name] | null }
  /** Missing: true. */
  countNotModified?: boolean
  /** When true, requests may only name projects that were created beforehand. */
  knownProjectsOnly: boolean
  createdAt: Timestamp
}

export interface AccountStore {
  /** Inserts the account unless one with this id exists. Returns the stored account. */
  insertIfAbsent: (account: AccountRecord) => Promise<AccountRecord>
  find: (id: string) => Promise<AccountRecord | null>
  /**
   * Changes the given fields and keeps the others, in one atomic operation: concurrent updates of
   * different fields are all kept. Returns the changed account, or null when it does not exist.
   */
  update: (id: string, change: Partial<Omit<AccountRecord, 'id'>>) => Promise<AccountRecord | null>
  /** Accounts of the whole store, in order of id. */
  list: (page: IdPage) => Promise<AccountRecord[]>
}
