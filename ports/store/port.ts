import type { AccountStore } from './port/accounts.ts'
import type { ApiKeyStore } from './port/api-keys.ts'
import type { AuditStore } from './port/audit.ts'
import type { BlogResponseStore } from './port/blog-responses.ts'
import type { BlogRevisionStore } from './port/blog-revisions.ts'
import type { BlogStore } from './port/blogs.ts'
import type { DeliveryStore } from './port/deliveries.ts'
import type { EventStore } from './port/events.ts'
import type { GeneratedFileStore } from './port/generated-files.ts'
import type { IdempotencyStore } from './port/idempotency.ts'
import type { ImageStore } from './port/images.ts'
import type { ImportStore } from './port/imports.ts'
import type { LeaseStore } from './port/leases.ts'
import type { MetadataStore } from './port/metadata.ts'
import type { ProductStore } from './port/products.ts'
import type { ProjectStore } from './port/projects.ts'
import type { RecoveryStore } from './port/recoveries.ts'
import type { RelatedIndexStore } from './port/related-index.ts'
import type { StorageStore } from './port/storage.ts'
import type { TransferStore } from './port/transfer.ts'
import type { UsageStore } from './port/usage.ts'
import type { VisualCheckStore } from './port/visual-checks.ts'
import type { WebhookStore } from './port/webhooks.ts'
export type * from './port/accounts.ts'
export type * from './port/api-keys.ts'
export type * from './port/audit.ts'
export type * from './port/blog-responses.ts'
export type * from './port/blog-revisions.ts'
export type * from './port/blogs.ts'
export type * from './port/common.ts'
export type * from './port/deliveries.ts'
export type * from './port/events.ts'
export type * from './port/generated-files.ts'
export type * from './port/idempotency.ts'
export type * from './port/images.ts'
export type * from './port/imports.ts'
export type * from './port/leases.ts'
export type * from './port/metadata.ts'
export type * from './port/products.ts'
export { MAX_TRANSLATIONS } from './port/blogs.ts'
export { PENDING_BYTES, TITLED_BYTES } from './port/products.ts'
export { IMPORT_ERRORS_BYTES } from './port/imports.ts'
export { NOT_COMPUTED } from './port/related-index.ts'
export type * from './port/projects.ts'
export type * from './port/related-index.ts'
export type * from './port/recoveries.ts'
export type * from './port/storage.ts'
export type * from './port/transfer.ts'
export type * from './port/usage.ts'
export type * from './port/visual-checks.ts'
export type * from './port/webhooks.ts'

/** A wait until the store takes changes. */
export interface WriteDelay {
  /** Resolves with true when it does, and with false if the wait was released before. */
  ready: Promise<boolean>
  /** Ends the wait. Further calls do nothing. */
  release: () => void
}

/**
 * The persistent store. Every adapter guarantees the following:
 *
 * - A method that changes data is atomic and durable when its promise resolves, also across a crash (see
 *   `deferDurability` for an exception).
 * - Arguments and results are copies: changing them does not change stored data.
 * - Reading an unknown account, project, blog, … returns null, false or an empty list.
 * - Lists are complete at the time of the call, except for records that change during it. `limit` is the maximum
 *   number of results.
 * - Text compares by Unicode code point.
 * - When the database cannot be reached, methods throw the API error `unavailable`.
 */
export interface Store {
  /** Whether an operation is a request to a server, so that few large ones are faster than many small ones. */
  readonly isRemote: boolean
  readonly accounts: AccountStore
  readonly projects: ProjectStore
  readonly apiKeys: ApiKeyStore
  readonly blogs: BlogStore
  readonly blogResponses: BlogResponseStore
  readonly blogRevisions: BlogRevisionStore
  readonly relatedIndex: RelatedIndexStore
  readonly images: ImageStore
  readonly generatedFiles: GeneratedFileStore
  readonly products: ProductStore
  readonly imports: ImportStore
  readonly events: EventStore
  readonly webhooks: WebhookStore
  readonly deliveries: DeliveryStore
  readonly recoveries: RecoveryStore
  readonly visualChecks: VisualCheckStore
  readonly idempotency: IdempotencyStore
  readonly leases: LeaseStore
  readonly metadata: MetadataStore
  readonly usage: UsageStore
  readonly audit: AuditStore
  readonly storage: StorageStore
  readonly transfer: TransferStore
  /** Resolves when the database responds. Throws `unavailable` otherwise. */
  ping: () => Promise<void>
  /**
   * Writes a record and resolves when it is durable. Rejects when the store cannot write, and when
   * any operation has found the store damaged.
   */
  probe: () => Promise<void>
  /**
   * Resolves when all changes that calls can see now are durable, also those of methods that have not resolved yet.
   * Rejects with `unavailable` if that is unknown.
   */
  durable: () => Promise<void>
  /**
   * Runs `work`, in which methods may resolve before their changes are durable, so that many changes wait for the disk
   * only once. Until `durable` has resolved, nothing may be confirmed, and nothing outside of the store may depend on
   * the changes. Calling it ends this for `work`.
   */
  deferDurability: <Result>(work: () => Result) => Result
  /**
   * Null if methods that change data do not have to wait for what others have changed. Methods wait by themselves; this
   * is for callers that would hold something meanwhile that others need.
   */
  writeDelay: () => WriteDelay | null
  /**
   * Does what can wait: changes data of earlier versions so that reading it takes less time. Ends early when the signal
   * aborts; the next call continues.
   */
  maintain: (signal: AbortSignal) => Promise<void>
  close: () => Promise<void>
}
