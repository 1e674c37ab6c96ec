import type { DeliveryAttempt } from '../../schemas/webhook.ts'
import type { VisualCheckRecord } from './check-records.ts'
import type { ImportErrorRecord, ImportRecord, ProductRecord } from './product-records.ts'
import type {
  AccountRecord,
  ApiKeyRecord,
  BlogRecord,
  BlogTombstone,
  ImageRecord,
  ProjectRecord,
  RelatedEntry,
  StoredResponse
} from './records.ts'
import type { DeliveryRecord, EventRecord, RecoveryRecord, WebhookRecord } from './webhook-records.ts'

/**
 * Everything that a store keeps, by kind; what is not here is made of it when it is put. Kinds are
 * moved in this order, so that what a record belongs to is
 * there before it, and a change before the event that tells it: of what changes meanwhile an event
 * may come twice, but none is missed.
 */
export interface TransferRecords {
  account: AccountRecord
  project: ProjectRecord
  apiKey: ApiKeyRecord
  blog: BlogRecord
  tombstone: BlogTombstone
  /**
   * That related entries are to be worked out again since this version of the blog; told before
   * what was worked out.
   */
  pendingRelated: { accountId: string; id: string; version: number }
  /** The stored neighbors of a blog. */
  related: { accountId: string; id: string; related: RelatedEntry[] }
  image: ImageRecord
  product: ProductRecord
  import: ImportRecord
  importError: ImportErrorRecord
  /** With what came of it; the pictures are files. A run that goes on is taken up again. */
  visualCheck: VisualCheckRecord
  event: EventRecord
  /**
   * The last sequence of the account that was given, so that none is given twice when all events
   * have been swept.
   */
  eventCounter: { accountId: string; last: number }
  webhook: WebhookRecord
  /** Leases are not moved: `leasedUntil` is null. */
  delivery: DeliveryRecord & { attemptLog: DeliveryAttempt[] }
  /** The last sequence of the webhook that was given. */
  deliveryCounter: { accountId: string; webhookId: string; last: number }
  recovery: RecoveryRecord
  idempotency: { scope: string; bodyHash: string; claimedAt: string; expiresAt: string; answer: StoredResponse | null }
  usage: { accountId: string; hour: string; requests: number; refused: number }
}

export type TransferKind = keyof TransferRecords
export type TransferRecord<Kind extends TransferKind> = TransferRecords[Kind]

/** What became, or would become, of records. */
export interface TransferOutcome {
  added: number
  /** They were there already, just the same. */
  unchanged: number
  /**
   * What they belong to is not there, such as the webhook of a delivery, or it is a tombstone whose
   * blog lives: they were passed over. Comes of changes while the records were read.
   */
  orphans: number
  /**
   * Something else is there in their place (of their id, slug, externalId, …), and was left as it
   * is: their kinds and ids, for people.
   */
  conflicts: string[]
}

/** Moves everything from one store to another, whatever either is made of. */
export interface TransferStore {
  /**
   * Records of the kind in an order that stays, by code point where it is one of names, those after
   * `after`; `next` is the `after` of the next page, null after the last record.
   * What is not changed meanwhile is told once.
   */
  page: <Kind extends TransferKind>(
    kind: Kind,
    page: { after: string | null; limit: number }
  ) => Promise<{ records: TransferRecord<Kind>[]; next: string | null }>
  /**
   * Keeps records as they are, each whole with all that hangs on it; again changes nothing. A
   * counter is raised, never lowered. All that were added are durable when it resolves.
   * For a store that nobody else changes meanwhile.
   */
  put: <Kind extends TransferKind>(kind: Kind, records: TransferRecord<Kind>[]) => Promise<TransferOutcome>
  /**
   * What `put` would do with these records; changes nothing. Orphans and records that are in each
   * other's place are not told apart from those that would be added.
   */
  compare: <Kind extends TransferKind>(kind: Kind, records: TransferRecord<Kind>[]) => Promise<TransferOutcome>
}
