import type {
  Availability,
  ProductStatus,
  ProductWarning,
  QualityCode,
  SeoField,
  SeoSource,
  UpsertResult
} from '../../../schemas/product.ts'
import type { IdPage, Page, ProjectRef, ReadScope, RecordRef, SweepCursor, SweepPage, Timestamp } from './common.ts'

/** The fields that callers send. Text is trimmed and in NFC; unknown fields are null or empty. */
export interface ProductInputs {
  title: string
  sku: string | null
  description: string | null
  /** A decimal number with the digits as they were sent, without an exponent. Never a float. */
  price: string | null
  category: string | null
  url: string | null
  imageUrl: string | null
  images: string[]
  brand: string | null
  gtin: string | null
  mpn: string | null
  currency: string | null
  availability: Availability | null
  locale: string | null
  attributes: Record<string, string>
  tags: string[]
  /** Products with the same group are variants of one product, such as its sizes. */
  groupId: string | null
}

/** One SEO output and its source. A value that a person wrote is never overwritten by a machine. */
export interface SeoValue {
  value: string
  source: SeoSource
  /** Only with source `llm`: which model wrote the value, with which prompt. */
  generated?: TextOrigin
}

/** The language model that wrote a text, the version of the prompt, and the time. */
export interface TextOrigin {
  model: string
  promptVersion: string
  at: Timestamp
}
export type SeoValues = Record<SeoField, SeoValue | null>

/** The last result of asking a language model for the texts of a product. */
export interface SuggestionRecord extends TextOrigin {
  /** The texts that did not pass the checks, with the reason. */
  rejected: { field: 'metaTitle' | 'metaDescription' | 'pageTitle'; reason: string }[]
  /** Why there are no texts of the model. Null: it answered. */
  failure: 'budget' | 'unavailable' | 'rejected' | 'unusable' | null
  /** Whether the model will be asked again; see `suggestionDueAt`. */
  pending: boolean
  /** How often the model was asked since it last answered. */
  attempts: number
}

/** The result of checking the product's image. `url` is the `imageUrl` that was checked. */
export interface ImageCheck {
  url: string
  checkedAt: Timestamp
  warning: ProductWarning | null
}

/**
 * Unique by id and by (accountId, projectId, externalId). Each of its claims is unique by
 * (accountId, projectId, claim).
 */
export interface ProductRecord extends ProductInputs {
  id: string
  accountId: string
  projectId: string
  externalId: string
  /** Grows by one with each save. */
  version: number
  status: ProductStatus
  seo: SeoValues
  /** Problems of the texts, found by the last optimization. Sorted, without duplicates. */
  quality: QualityCode[]
  /**
   * Values that no other product of the project may have: the product's handle, and digests of its
   * generated texts.
   */
  claims: string[]
  /** Case-folded search words of title, sku, externalId and brand, without duplicates. */
  terms: string[]
  /**
   * Digest of the inputs, rules and settings that the outputs were computed from. Null: never
   * computed, or to be recomputed in any case.
   */
  optimizedFromDigest: string | null
  /** When the product began to wait for optimization. Null: it does not wait. */
  optimizePendingSince: Timestamp | null
  /** When the product began to wait for a check of its image. Null: it does not wait. */
  imageCheckPendingSince: Timestamp | null
  imageCheck: ImageCheck | null
  /** Null: no language model was asked for the current texts. */
  suggestion: SuggestionRecord | null
  /**
   * When a language model is to be asked again, because it gave no texts for the current inputs.
   * Null: it is not asked again.
   */
  suggestionDueAt: Timestamp | null
  /** Digest of the outputs in the last published event. Null: none was published. */
  publishedDigest: string | null
  /** When outputs changed that no event has published yet. Null: no event is pending. */
  eventPendingSince: Timestamp | null
  /**
   * The import, or the operation of a request with an Idempotency-Key, that saved the product last.
   * When a batch is repeated after a crash, its rows are counted by the results of the first time.
   */
  lastImport: {
    importId: string
    /** The first row that changed the product. */
    firstLine: number
    /** The rows for the product in the batch that saved it last, up to the last one that changed it. */
    rows: { line: number; result: UpsertResult }[]
  } | null
  createdAt: Timestamp
  /** When a field that callers can see last changed. */
  updatedAt: Timestamp
}

/**
 * A product to be stored. `ifVersion` is the version that it replaces; null inserts a new product.
 * `product.version` is the version after the write.
 */
export interface ProductWrite {
  product: ProductRecord
  ifVersion: number | null
}

/**
 * `saved`: the write is stored. `conflict`: a new product has an externalId that exists, or the
 * stored product has another version or was deleted. `taken`: another product of the project has
 * one of the claims. `conflict` and `taken` change nothing.
 */
export type SaveOutcome = 'saved' | 'conflict' | 'taken'

export interface ProductFilter extends ReadScope {
  projectId?: string
  status?: ProductStatus
  /**
   * A category path, or its first levels: `Coffee > Beans` also matches `Coffee > Beans > Blends`.
   */
  category?: string
  sku?: string
  externalId?: string
  groupId?: string
  /** The handle of the product's page. */
  handle?: string
  quality?: QualityCode
  /** updatedAt >= this. */
  updatedSince?: Timestamp
  /** Case-folded words that must all occur. The last one matches as a prefix. */
  terms?: string[]
}

/** Background work that a product may wait for. `publish`: an event about its outputs. */
export type ProductWork = 'optimize' | 'imageCheck' | 'suggest' | 'publish'

/** Up to this many bytes of records, `findByTitles` returns all products; then two for each title. */
export const TITLED_BYTES = 4_000_000

/** `pending` and `pendingEvents` stop after this many bytes of records, but return at least one. */
export const PENDING_BYTES = 4_000_000

export interface ProductStore {
  find: (accountId: string, id: string) => Promise<ProductRecord | null>
  /** The existing products among these externalIds, in any order. */
  findByExternalIds: (project: ProjectRef, externalIds: string[]) => Promise<ProductRecord[]>
  /**
   * Saves each product independently; outcomes are in the order of the writes. No externalId may
   * occur twice. All saved products are durable when the promise resolves. With `repeatable`, they
   * are durable after the next durable change: the caller writes them again after a crash that loses
   * them, and a later change never survives a crash that they do not survive.
   */
  saveMany: (writes: ProductWrite[], options?: { repeatable?: boolean }) => Promise<SaveOutcome[]>
  /** Saves all products in one atomic operation. Returns false when one could not be saved. */
  saveAll: (writes: ProductWrite[]) => Promise<boolean>
  /** Returns false when the stored product does not have version `ifVersion`. */
  delete: (product: RecordRef & { ifVersion: number }) => Promise<boolean>
  /**
   * One page and the number of all matches, in order of externalId, then projectId. With `pageSize` 0 only the number.
   */
  list: (filter: ProductFilter, page: Page) => Promise<{ products: ProductRecord[]; totalCount: number }>
  /**
   * The first products of a project behind this externalId, in order of externalId. Null: from the beginning. For
   * readers of all products: takes as long for the last ones as for the first, and counts nothing.
   */
  listAfter: (project: ProjectRef, slice: { after: string | null; limit: number }) => Promise<ProductRecord[]>
  existsInProject: (project: ProjectRef) => Promise<boolean>
  /**
   * Products of the project that have exactly one of these titles: at most 20 for each title, in order of id
   * within a title, or two if the products are large: see TITLED_BYTES. May miss what a concurrent `saveAll` is
   * saving.
   */
  findByTitles: (
    project: ProjectRef,
    titles: string[]
  ) => Promise<Pick<ProductRecord, 'id' | 'title' | 'sku' | 'attributes'>[]>
  /** The products that hold these claims. Skips claims that are free. */
  findClaimOwners: (
    project: ProjectRef,
    claims: string[]
  ) => Promise<{ claim: string; productId: string; groupId: string | null }[]>
  /** The product with the lowest id of each of these groups, in any order. */
  findGroupLeaders: (project: ProjectRef, groupIds: string[]) => Promise<ProductRecord[]>
  /** The products of a group in order of id. */
  listGroup: (
    project: ProjectRef,
    groupId: string,
    page: IdPage
  ) => Promise<Pick<ProductRecord, 'id' | 'externalId' | 'seo' | 'optimizePendingSince'>[]>
  /**
   * Sets `optimizePendingSince` to `at` unless it is set, for these externalIds or (null) for all
   * products of the project. With `groupIds`, for the products of these groups instead. Sets the status
   * to pending and increments the version of the products that it changes. `force` also clears
   * `optimizedFromDigest`, and changes products that are already pending. Returns how many of the
   * selected products are pending now. Not atomic: if it is interrupted, some products are marked,
   * and it can be repeated.
   */
  markOptimizePending: (
    project: ProjectRef,
    mark: { externalIds: string[] | null; groupIds?: string[]; at: Timestamp; force: boolean }
  ) => Promise<number>
  /**
   * Products that wait for this work, the longest waiting first, then by id. May return fewer than
   * `limit`: see PENDING_BYTES.
   */
  pending: (project: ProjectRef, work: ProductWork, limit: number) => Promise<ProductRecord[]>
  /** Whether a product waits for this work. May miss what a concurrent `saveAll` is saving. */
  hasPending: (project: ProjectRef, work: ProductWork) => Promise<boolean>
  /** Projects of all accounts with products that wait for this work. */
  pendingProjects: (work: ProductWork, page: SweepCursor) => Promise<SweepPage<ProjectRef>>
  /**
   * The same for products that wait for an event (`publish`). `hasMore`: there are others after
   * these. Products of an event that is added but not marked yet are marked first.
   */
  pendingEvents: (project: ProjectRef, limit: number) => Promise<{ products: ProductRecord[]; hasMore: boolean }>
}
