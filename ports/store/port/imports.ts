import type { FieldProblem } from '../../../schemas/problem.ts'
import type { ImportFile, ImportStatus } from '../../../schemas/product-import.ts'
import type { Page, ReadScope, RecordRef, SweepCursor, SweepPage, Timestamp } from './common.ts'
import type { NewEvent } from './events.ts'

/** A product import. Unique by id. The uploaded data is a file. */
export interface ImportRecord {
  id: string
  accountId: string
  projectId: string
  status: ImportStatus
  file: ImportFile
  /** Maps CSV columns to product fields, where the caller specified this. */
  mapping: Record<string, string> | null
  cancelRequested: boolean
  total: number
  /** Rows processed so far. Their changes are committed. */
  processed: number
  /** Offset in bytes, and line number, of the next row. */
  nextByte: number
  nextLine: number
  created: number
  updated: number
  unchanged: number
  failed: number
  /** Bytes of the stored failed rows. Missing in records of earlier versions. */
  failedBytes?: number
  repeated: number
  reason: string | null
  createdAt: Timestamp
  startedAt: Timestamp | null
  finishedAt: Timestamp | null
}

/** A row that failed. Unique by (importId, line). */
export interface ImportErrorRecord {
  importId: string
  line: number
  externalId: string | null
  /** The row as it was uploaded, without its line ending. */
  row: string
  errors: FieldProblem[]
}

/** Progress of an import. Applies only to a queued or running import that is at `fromByte`. */
export interface ImportStep {
  accountId: string
  id: string
  fromByte: number
  change: Partial<Omit<ImportRecord, 'id' | 'accountId' | 'projectId' | 'cancelRequested'>>
  errors: ImportErrorRecord[]
  /** Events that are written with this step. */
  events: NewEvent[]
}

/** What a page of failed rows may take in the store, in bytes, unless it is a single row. */
export const IMPORT_ERRORS_BYTES = 1_000_000

export interface ImportStore {
  add: (record: ImportRecord) => Promise<void>
  find: (accountId: string, id: string) => Promise<ImportRecord | null>
  /** Newest first, then by id descending. */
  list: (
    filter: ReadScope & { projectId?: string },
    page: Page
  ) => Promise<{ imports: ImportRecord[]; totalCount: number }>
  /**
   * Applies the step in one atomic operation and returns the changed import. Returns null, and
   * changes nothing, when the import is at another byte or has ended.
   */
  advance: (step: ImportStep) => Promise<ImportRecord | null>
  /**
   * Requests that a queued or running import stops, and returns it. Returns an import that has
   * ended unchanged, and null for an unknown one.
   */
  requestCancel: (accountId: string, id: string) => Promise<ImportRecord | null>
  /**
   * Failed rows with line > `afterLine`, in order of line. A page of IMPORT_ERRORS_BYTES ends before `limit`;
   * only an empty page says that there are no more.
   */
  errors: (id: string, page: { afterLine: number; limit: number }) => Promise<ImportErrorRecord[]>
  /** Queued and running imports of all accounts, oldest first. */
  unfinished: (page: SweepCursor) => Promise<SweepPage<RecordRef>>
  /** Imports of all accounts that ended before this time, oldest first. */
  finishedBefore: (time: Timestamp, limit: number) => Promise<RecordRef[]>
  /** Deletes the import and its failed rows. */
  delete: (accountId: string, id: string) => Promise<void>
}
