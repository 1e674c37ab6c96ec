import type { DeliveryAttempt } from '../../../schemas/webhook.ts'
import type { AccountRecord } from './accounts.ts'
import type { ApiKeyRecord } from './api-keys.ts'
import type { BlogRevisionHead } from './blog-revisions.ts'
import type { BlogRecord, BlogTombstone, RelatedEntry } from './blogs.ts'
import type { Timestamp } from './common.ts'
import type { DeliveryRecord } from './deliveries.ts'
import type { EventRecord } from './events.ts'
import type { StoredResponse } from './idempotency.ts'
import type { ImageRecord } from './images.ts'
import type { ImportErrorRecord, ImportRecord } from './imports.ts'
import type { ProductRecord } from './products.ts'
import type { ProjectRecord } from './projects.ts'
import type { RecoveryRecord } from './recoveries.ts'
import type { UsageCount } from './usage.ts'
import type { VisualCheckRecord } from './visual-checks.ts'
import type { WebhookRecord } from './webhooks.ts'

/**
 * All records of a store by kind, in the order in which they must be transferred. A record comes
 * after the records that it belongs to, and a change before its event: when the source changes
 * during the transfer, an event may be published twice, but none is lost. Search indexes and other
 * derived data are rebuilt by `put`.
 */
export interface TransferRecords {
  account: AccountRecord
  project: ProjectRecord
  apiKey: ApiKeyRecord
  blog: BlogRecord
  tombstone: BlogTombstone
  /** See `PendingRelated`. Comes before `related`, which may be outdated by it. */
  pendingRelated: { accountId: string; id: string; version: number }
  /** The related entries of a blog. */
  related: { accountId: string; id: string; related: RelatedEntry[] }
  image: ImageRecord
  /** An earlier revision of a blog. `content` is in base64. */
  blogRevision: BlogRevisionHead & { content: string }
  product: ProductRecord
  import: ImportRecord
  importError: ImportErrorRecord
  /** With its result; screenshots are files. A running check is run again. */
  visualCheck: VisualCheckRecord
  event: EventRecord
  /** The account's last sequence, which must not be reused after all events were deleted. */
  eventCounter: { accountId: string; last: number }
  webhook: WebhookRecord
  /** Claims are not transferred: `leasedUntil` is null. */
  delivery: DeliveryRecord & { attemptLog: DeliveryAttempt[] }
  /** The webhook's last sequence. */
  deliveryCounter: { accountId: string; webhookId: string; last: number }
  recovery: RecoveryRecord
  idempotency: {
    scope: string
    bodyHash: string
    claimedAt: Timestamp
    expiresAt: Timestamp
    /** Null for a claim of a version without operation ids. */
    operationId: string | null
    answer: StoredResponse | null
  }
  usage: UsageCount
}

export type TransferKind = keyof TransferRecords
export type TransferRecord<Kind extends TransferKind> = TransferRecords[Kind]

/** The number of records by result. */
export interface TransferOutcome {
  added: number
  /** The target has an identical record. */
  unchanged: number
  /**
   * Skipped, because the target lacks the record that they belong to (such as the webhook of a
   * delivery), or has a blog for a tombstone. Results from changes during the transfer.
   */
  orphans: number
  /**
   * Kinds and ids of records that were skipped because the target has a different record with the
   * same unique value, such as id, slug or externalId.
   */
  conflicts: string[]
}

/** Reads and writes complete records, to copy all data between stores of any type. */
export interface TransferStore {
  /**
   * Records of the kind in a stable order, after the position `after`. `next` is the position of
   * the next page, or null after the last record. A record that does not change is returned once.
   */
  page: <Kind extends TransferKind>(
    kind: Kind,
    page: { after: string | null; limit: number }
  ) => Promise<{ records: TransferRecord<Kind>[]; next: string | null }>
  /**
   * Inserts records as they are, each atomically with its derived data. Repeating a call changes
   * nothing. Counters are never lowered. Added records are durable when the promise resolves. No
   * other process may change the store meanwhile.
   */
  put: <Kind extends TransferKind>(kind: Kind, records: TransferRecord<Kind>[]) => Promise<TransferOutcome>
  /**
   * Returns what `put` would do with these records, and changes nothing. Does not detect orphans,
   * nor conflicts among the given records: these count as added.
   */
  compare: <Kind extends TransferKind>(kind: Kind, records: TransferRecord<Kind>[]) => Promise<TransferOutcome>
}
