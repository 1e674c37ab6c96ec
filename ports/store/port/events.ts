import type { EventType } from '../../../schemas/event.ts'
import type { SweepCursor, SweepPage, Timestamp } from './common.ts'

/**
 * An event to be published. Unique by (accountId, id). The request body that receivers get is
 * `head` + sequence + `tail`, byte by byte, where `head` is
 * `{"id":…,"type":…,"apiVersion":…,"timestamp":…,"sequence":` and `tail` is `,"data":…}`.
 */
export interface NewEvent {
  /** Derived from the change, so that writing the same event again has no effect. */
  id: string
  accountId: string
  projectId: string
  type: EventType
  timestamp: Timestamp
  head: string
  tail: string
}

export interface EventRecord extends NewEvent {
  /**
   * The event's number in its account: 1, 2, 3, … without gaps. A reader who sees an event can also
   * see all events with smaller numbers.
   */
  sequence: number
  /** Whether the event's deliveries have been created. */
  fannedOut: boolean
}

/** An event, and the products in these versions whose outputs it publishes. */
export interface ProductEventWrite {
  event: NewEvent
  products: { id: string; ifVersion: number; digest: string }[]
}

/** An event without its body, which deliveries do not depend on. */
export type PendingFanOut = Omit<EventRecord, 'head' | 'tail' | 'fannedOut'>

/** Which events `EventStore.trim` deletes. */
export interface EventTrim {
  /** The newest events with at most this many bytes together stay. */
  maxBytes: number
  /** Events with a greater sequence stay. See `SETTLE_MS` in `services/webhooks/event-trimmer.ts`. */
  upTo: number
  /** The maximum number of deleted events. */
  limit: number
}

export interface EventStore {
  /** Adds events in this order, each with the account's next sequence. Skips ids that exist. */
  add: (events: NewEvent[]) => Promise<void>
  /**
   * Adds each event and, in one atomic operation, marks its products as published: sets
   * `publishedDigest` to the digest, clears `eventPendingSince` and increments the version. Returns
   * whether each event was added. It is not, and nothing of it changes, when a product has another
   * version or no pending event, or when the event exists. All events are of one account, and no
   * product is in two of them.
   */
  addProductEvents: (events: ProductEventWrite[]) => Promise<boolean[]>
  find: (accountId: string, id: string) => Promise<EventRecord | null>
  /** Events with sequence > `after`, in order of sequence. */
  list: (accountId: string, page: { after: number; limit: number; types?: EventType[] }) => Promise<EventRecord[]>
  /** Events whose deliveries have not been created, in order of sequence. */
  pendingFanOut: (accountId: string, limit: number) => Promise<PendingFanOut[]>
  /**
   * Accounts with events whose deliveries have not been created. `pendingFanOut` returns an event
   * that a crash left behind at the latest after the first page of this list was read.
   */
  pendingFanOutAccounts: (page: SweepCursor) => Promise<SweepPage<string>>
  markFannedOut: (accountId: string, ids: string[]) => Promise<void>
  /**
   * Deletes events of all accounts with timestamp < `before` that were fanned out, and their
   * deliveries. Returns the number of deleted events, at most `limit`. Sequences are not reused.
   */
  deleteBefore: (before: Timestamp, limit: number) => Promise<number>
  /**
   * Deletes the oldest events of the account that were fanned out, and their deliveries. The newest
   * events stay whose bodies (`head` and `tail` in UTF-8) have at most `maxBytes` together. Returns
   * the number of deleted events, and how many of the newest events fit into `maxBytes`. Sequences
   * are not reused.
   */
  trim: (accountId: string, trim: EventTrim) => Promise<{ deleted: number; fitting: number }>
}
