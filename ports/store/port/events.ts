import type { EventType } from '../../../schemas/event.ts'
import type { Timestamp } from './common.ts'

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

export interface EventStore {
  /** Adds events in this order, each with the account's next sequence. Skips ids that exist. */
  add: (events: NewEvent[]) => Promise<void>
  /**
   * Adds the event and, in one atomic operation, marks these products as published: sets
   * `publishedDigest` to the digest, clears `eventPendingSince` and increments the version. Returns
   * false, and changes nothing, when a product has another version or no pending event, or when the
   * event exists.
   */
  addProductEvent: (event: NewEvent, products: { id: string; ifVersion: number; digest: string }[]) => Promise<boolean>
  find: (accountId: string, id: string) => Promise<EventRecord | null>
  /** Events with sequence > `after`, in order of sequence. */
  list: (accountId: string, page: { after: number; limit: number; types?: EventType[] }) => Promise<EventRecord[]>
  /** Events whose deliveries have not been created, in order of sequence. */
  pendingFanOut: (accountId: string, limit: number) => Promise<EventRecord[]>
  /** Accounts with events whose deliveries have not been created. */
  pendingFanOutAccounts: (limit: number) => Promise<string[]>
  markFannedOut: (accountId: string, ids: string[]) => Promise<void>
  /**
   * Deletes events of all accounts with timestamp < `before` that were fanned out, and their
   * deliveries. Returns the number of deleted events, at most `limit`. Sequences are not reused.
   */
  deleteBefore: (before: Timestamp, limit: number) => Promise<number>
}
