import type {
  CheckStatus,
  CheckTrigger,
  Environment,
  ScreenshotDetail,
  ViewportName,
  VisualCheck,
  VisualCheckScreenshot
} from '../../../schemas/visual-check.ts'
import type { Page, RecordRef, SweepCursor, SweepPage, Timestamp } from './common.ts'
import type { NewEvent } from './events.ts'

/** A visual check without its result, as lists need it. Unique by id; ids grow over time. */
export interface VisualCheckMetadata {
  id: string
  accountId: string
  /** The blog's project when the check was requested. */
  projectId: string
  blogId: string
  url: string
  finalUrl: string | null
  environment: Environment
  trigger: CheckTrigger
  viewports: ViewportName[]
  /** Which screenshots were requested. */
  detail: ScreenshotDetail
  status: CheckStatus
  overallScore: number | null
  reason: string | null
  /** How many runs were started. The number of the current run. */
  attempts: number
  createdAt: Timestamp
  /** When the current run started. Null: the check is not running. */
  startedAt: Timestamp | null
  finishedAt: Timestamp | null
}

/** The result of a check. Screenshots are files. */
export interface VisualCheckResult
  extends Pick<VisualCheck, 'categories' | 'findings' | 'coverage' | 'since' | 'checker' | 'timings'> {
  screenshots: Omit<VisualCheckScreenshot, 'url'>[]
  /** Hashes of the texts of the site in and around the article. Absent in older checks. */
  siteTexts?: string[]
}

export interface VisualCheckRecord extends VisualCheckMetadata {
  /** Null until the check has ended. */
  result: VisualCheckResult | null
}

/** One run of a check. It is current until another run of the check is started. */
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
  finishedAt: Timestamp
}

export interface VisualCheckStore {
  /**
   * Inserts the check. Returns false when the check has not ended and the account would then have
   * more than `maxUnfinished` unfinished checks.
   */
  add: (check: VisualCheckRecord, maxUnfinished: number) => Promise<boolean>
  find: (accountId: string, id: string) => Promise<VisualCheckRecord | null>
  /** Checks of the blog, or only those of one `url`, newest first, then by id descending. */
  list: (
    blog: { accountId: string; blogId: string; url?: string | undefined },
    page: Page
  ) => Promise<{ checks: VisualCheckMetadata[]; totalCount: number }>
  /** The check with a score and with the same blog and url that has the greatest id below the given one. */
  findPrevious: (
    check: Pick<VisualCheckMetadata, 'accountId' | 'blogId' | 'url' | 'id'>
  ) => Promise<VisualCheckRecord | null>
  /**
   * The check and its predecessors: checks with a score, with the same blog and url, and with an id
   * up to the given one. In descending order of id, at most `limit`.
   */
  history: (
    check: Pick<VisualCheckMetadata, 'accountId' | 'blogId' | 'url' | 'id'>,
    limit: number
  ) => Promise<VisualCheckMetadata[]>
  /**
   * Starts a run of a queued check, or of a running one whose run started before `staleBefore`.
   * Increments `attempts` and returns the changed check. Returns null when the check is in neither
   * state. Of concurrent calls, only one starts a run.
   */
  start: (check: RecordRef & { at: Timestamp; staleBefore: Timestamp }) => Promise<VisualCheckRecord | null>
  /** Sets the check back to queued. Returns false when this run is not the current one. */
  release: (run: VisualCheckRun) => Promise<boolean>
  /**
   * Ends the check and adds the events in one atomic operation. Returns the changed check, or null
   * when this run is not the current one.
   */
  finish: (run: VisualCheckRun, outcome: VisualCheckOutcome, events: NewEvent[]) => Promise<VisualCheckRecord | null>
  /**
   * Checks of all accounts that are queued, or whose run started before `staleBefore`. Oldest
   * first, then by id.
   */
  unfinished: (staleBefore: Timestamp, page: SweepCursor) => Promise<SweepPage<RecordRef>>
  /** Checks of all accounts that ended before this time, oldest first, then by id. */
  finishedBefore: (time: Timestamp, limit: number) => Promise<RecordRef[]>
  delete: (accountId: string, id: string) => Promise<void>
}
