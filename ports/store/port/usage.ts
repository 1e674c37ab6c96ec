import type { UsageHour } from '../../../schemas/account.ts'
import type { Timestamp } from './common.ts'

/** The requests of an account in one hour. `hour` is the start of the hour. */
export interface UsageCount {
  accountId: string
  hour: Timestamp
  requests: number
  refused: number
}

export interface UsageStore {
  /** Adds these counts to the stored ones. */
  add: (counts: UsageCount[]) => Promise<void>
  /** Hours from `since` on, oldest first. Skips hours without requests. */
  hours: (accountId: string, since: Timestamp) => Promise<UsageHour[]>
}
