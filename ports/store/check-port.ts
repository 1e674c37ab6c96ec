import type { VisualCheckMetadata, VisualCheckRecord } from './check-records.ts'
import type { NewEvent } from './webhook-records.ts'

/**
 * One run of a check: whoever began it is the only one that can end it, until another has begun it
 * anew.
 */
export interface VisualCheckRun {
  accountId: string
  id: string
  attempt: number
}

/** How a check ended. */
export type VisualCheckOutcome = Pick<
  VisualCheckRecord,
  'status' | 'overallScore' | 'reason' | 'finalUrl' | 'result'
> & {
  finishedAt: string
}

export interface VisualCheckStore {
  /**
   * Adds a check, which if it has not ended must leave the account with at most `most` that have
   * not; false otherwise.
   */
  add: (check: VisualCheckRecord, most: number) => Promise<boolean>
  find: (accountId: string, id: string) => Promise<VisualCheckRecord | null>
  /** Checks of the blog, newest first, then by id descending. */
  list: (
    blog: { accountId: string; blogId: string },
    page: { page: number; pageSize: number }
  ) => Promise<{ checks: VisualCheckMetadata[]; totalCount: number }>
  /** The last completed check of the same blog at the same address whose id is smaller. */
  findPrevious: (
    check: Pick<VisualCheckMetadata, 'accountId' | 'blogId' | 'url' | 'id'>
  ) => Promise<VisualCheckRecord | null>
  /**
   * Begins a run: of a queued check, or of a running one whose run began before `staleBefore`, as
   * whoever began it is gone. Returns the check as it is then, with one
   * attempt more; null when there is nothing to begin.
   */
  start: (check: {
    accountId: string
    id: string
    at: string
    staleBefore: string
  }) => Promise<VisualCheckRecord | null>
  /** Gives the check back to the queue; false when this run is not the one that goes on. */
  release: (run: VisualCheckRun) => Promise<boolean>
  /**
   * Ends the check, whole with its events; returns it as it is then, null when this run is not the
   * one that goes on.
   */
  finish: (run: VisualCheckRun, end: VisualCheckOutcome, events: NewEvent[]) => Promise<VisualCheckRecord | null>
  /**
   * Checks of all accounts that are queued, or whose run began before `staleBefore`, oldest first,
   * then by id.
   */
  unfinished: (staleBefore: string, limit: number) => Promise<{ accountId: string; id: string }[]>
  /** Ended ones of all accounts that finished before this time, oldest first, then by id. */
  finishedBefore: (time: string, limit: number) => Promise<{ accountId: string; id: string }[]>
  delete: (accountId: string, id: string) => Promise<void>
}
