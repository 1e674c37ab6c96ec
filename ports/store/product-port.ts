import type { ProductStatus } from '../../schemas/product.ts'
import type { ImportErrorRecord, ImportRecord, ProductRecord } from './product-records.ts'
import type { NewEvent } from './webhook-records.ts'

/**
 * A product as it shall be; `ifVersion` is the version that it replaces, null for a new one. Its
 * own `version` is the one it has then.
 */
export interface ProductWrite {
  product: ProductRecord
  ifVersion: number | null
}

/**
 * `saved`; or `conflict`: it is new but there is one of its externalId, or the stored one is of
 * another version or deleted;
 * or `taken`: another product of the project has one of its claims. Of the latter two nothing is
 * changed.
 */
export type SaveOutcome = 'saved' | 'conflict' | 'taken'

/** Who may see what: an account, and the projects that a key is confined to (null: all). */
export interface ProductFilter {
  accountId: string
  projectIds: string[] | null
  projectId?: string
  status?: ProductStatus
  /**
   * The whole path, or the beginning of one, level by level: `Coffee > Beans` holds `Coffee > Beans
   * > Blends`.
   */
  category?: string
  sku?: string
  externalId?: string
  /** updatedAt >= this. */
  updatedSince?: string
  /** Folded words that must all occur; of the last, its beginning is enough. */
  terms?: string[]
}

/** A project of an account. */
export interface ProjectRef {
  accountId: string
  projectId: string
}
/** Work that a product waits for. */
export type ProductWork = 'optimize' | 'imageCheck'

export interface ProductStore {
  find: (accountId: string, id: string) => Promise<ProductRecord | null>
  /** Those of these externalIds that there are, in any order. */
  findByExternalIds: (place: ProjectRef, externalIds: string[]) => Promise<ProductRecord[]>
  /**
   * Saves each on its own; the outcomes are in the order of the writes. No externalId comes twice.
   * All that were saved are durable together when it resolves.
   */
  saveMany: (writes: ProductWrite[]) => Promise<SaveOutcome[]>
  /** Saves all, or none when one could not be saved: false. */
  saveAll: (writes: ProductWrite[]) => Promise<boolean>
  /** False when the stored one is not of this version. */
  delete: (product: { accountId: string; id: string; ifVersion: number }) => Promise<boolean>
  /** A page and the number of all, in order of externalId, then projectId. */
  list: (
    filter: ProductFilter,
    page: { page: number; pageSize: number }
  ) => Promise<{ products: ProductRecord[]; totalCount: number }>
  existsInProject: (place: ProjectRef) => Promise<boolean>
  /**
   * Products of the project with exactly one of these titles, at most 20 of each title, in order of
   * id within a title.
   */
  findByTitles: (
    place: ProjectRef,
    titles: string[]
  ) => Promise<Pick<ProductRecord, 'id' | 'title' | 'sku' | 'attributes'>[]>
  /** Who has which of these claims; those that nobody has are left out. */
  findClaimOwners: (place: ProjectRef, claims: string[]) => Promise<{ claim: string; productId: string }[]>
  /**
   * Lets products wait to be optimized since `at`, unless they do already: all of the project, or
   * those of these externalIds that there are.
   * With `force` also forgets what their outputs were made from. Their status is pending and their
   * versions grow. Returns how many of them wait now.
   */
  markOptimizePending: (
    place: ProjectRef,
    mark: { externalIds: string[] | null; at: string; force: boolean }
  ) => Promise<number>
  /** Those that wait for this work, the longest waiting first, then by id. */
  pending: (place: ProjectRef, work: ProductWork, limit: number) => Promise<ProductRecord[]>
  /** Projects with products that wait for this work, of all accounts. */
  pendingProjects: (work: ProductWork, limit: number) => Promise<ProjectRef[]>
  /**
   * Those with something to tell: the first to tell (eventPendingSince, then id), how many there are, and
   * the latest eventPendingSince of all of them.
   */
  pendingEvents: (
    place: ProjectRef,
    limit: number
  ) => Promise<{ products: ProductRecord[]; count: number; latestAt: string | null }>
  pendingEventProjects: (limit: number) => Promise<ProjectRef[]>
}

/**
 * One step of an import: conditional on the byte where it stands, and on its being queued or
 * running.
 */
export interface ImportStep {
  accountId: string
  id: string
  fromByte: number
  change: Partial<Omit<ImportRecord, 'id' | 'accountId' | 'projectId' | 'cancelRequested'>>
  errors: ImportErrorRecord[]
  /** Events that come into being with this step. */
  events: NewEvent[]
}

export interface ImportStore {
  add: (record: ImportRecord) => Promise<void>
  find: (accountId: string, id: string) => Promise<ImportRecord | null>
  /** Newest first, then by id descending. */
  list: (
    filter: { accountId: string; projectIds: string[] | null; projectId?: string },
    page: { page: number; pageSize: number }
  ) => Promise<{ imports: ImportRecord[]; totalCount: number }>
  /**
   * Does the step whole, or not at all when the import does not stand there any more or has ended:
   * null. Returns the import as it is then.
   */
  advance: (step: ImportStep) => Promise<ImportRecord | null>
  /**
   * Asks a queued or running import to stop; returns it as it is then, null for an unknown one. One
   * that has ended is returned unchanged.
   */
  requestCancel: (accountId: string, id: string) => Promise<ImportRecord | null>
  /** In order of line, those after `afterLine`. */
  errors: (id: string, page: { afterLine: number; limit: number }) => Promise<ImportErrorRecord[]>
  /** Queued or running ones of all accounts, oldest first. */
  unfinished: (limit: number) => Promise<{ accountId: string; id: string }[]>
  /** Ended ones of all accounts that finished before this time, oldest first. */
  finishedBefore: (time: string, limit: number) => Promise<{ accountId: string; id: string }[]>
  /** Removes the import and its errors. */
  delete: (accountId: string, id: string) => Promise<void>
}
