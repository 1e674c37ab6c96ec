import type { EventType } from '../../../schemas/event.ts'
import type { AttemptError, DeliveryAttempt, DeliveryStatus } from '../../../schemas/webhook.ts'
import type { Page, SweepCursor, SweepPage, Timestamp } from './common.ts'

/** Unique by id, by (webhookId, eventId) and by (webhookId, sequence). */
export interface DeliveryRecord {
  id: string
  accountId: string
  webhookId: string
  eventId: string
  event: EventType
  /** The timestamp of the event. */
  eventAt: Timestamp
  sequence: number
  status: DeliveryStatus
  /** The number of attempts. */
  attempts: number
  /** The number of attempts since the last redelivery. Selects the delay before the next one. */
  round: number
  /** When a pending delivery is to be attempted next. */
  nextAttemptAt: Timestamp | null
  /** The end of the current claim. Null: the delivery is not claimed. */
  leasedUntil: Timestamp | null
  lastStatus: number | null
  lastError: AttemptError | null
  createdAt: Timestamp
  deliveredAt: Timestamp | null
}

export type NewDelivery = Pick<
  DeliveryRecord,
  'id' | 'accountId' | 'webhookId' | 'eventId' | 'event' | 'eventAt' | 'createdAt' | 'nextAttemptAt'
> & { status: 'pending' | 'skipped' }

/** An attempt, and the state of its delivery after the attempt. */
export interface DeliveryUpdate
  extends Pick<
    DeliveryRecord,
    'status' | 'attempts' | 'round' | 'nextAttemptAt' | 'lastStatus' | 'lastError' | 'deliveredAt'
  > {
  id: string
  webhookId: string
  attempt: DeliveryAttempt
  /** As in `ClaimedDelivery`. */
  row?: number | undefined
}

/** A claimed delivery, and the parts of the event's body (see `NewEvent`). */
export interface ClaimedDelivery {
  delivery: DeliveryRecord
  head: string
  tail: string
  projectId: string
  /** Where the store has the delivery, if it can find it faster with this number. */
  row?: number | undefined
}

export interface DeliveryFilter {
  accountId: string
  webhookId: string
  status?: DeliveryStatus
  event?: EventType
  /** eventAt >= this. */
  since?: Timestamp
}

export interface DeliveryStore {
  /**
   * Adds deliveries in this order, each with its webhook's next sequence: 1, 2, 3, … without gaps.
   * Skips a delivery when its webhook has one for the event, or was deleted.
   */
  add: (deliveries: NewDelivery[]) => Promise<void>
  /**
   * Claims pending deliveries of the webhook that are due at `now` and not claimed, the smallest
   * sequence first. No other caller gets them until `leaseUntil`. Returns at most `limit`
   * deliveries, and leaves at most `maxInFlight` of the webhook claimed. Returns fewer if their bodies have more
   * than `maxBytes` bytes in UTF-8 together, but at least one. With `isFirst`, returns none while any delivery of
   * the webhook is claimed. A store that only one process can open releases all claims when it is opened.
   */
  claim: (
    webhookId: string,
    options: {
      now: Timestamp
      leaseUntil: Timestamp
      limit: number
      maxInFlight: number
      maxBytes?: number
      isFirst?: boolean
    }
  ) => Promise<ClaimedDelivery[]>
  /**
   * Records attempts and releases their claims. All survive a crash of the process when the promise
   * resolves, and one of the machine after the next durable change: a delivery whose attempt is lost
   * is attempted again, as after a crash before its attempt was recorded. Skips deleted deliveries.
   * Ignores an attempt whose number is recorded, unless it was delivered. Keeps the newest 50 attempts
   * of a delivery.
   */
  recordAttempts: (updates: DeliveryUpdate[]) => Promise<void>
  /** Releases the claims without an attempt. */
  release: (webhookId: string, ids: string[]) => Promise<void>
  find: (
    accountId: string,
    id: string
  ) => Promise<{ delivery: DeliveryRecord; attemptLog: DeliveryAttempt[]; head: string; tail: string } | null>
  /** One page and the number of all matches, greatest sequence first. */
  list: (filter: DeliveryFilter, page: Page) => Promise<{ deliveries: DeliveryRecord[]; totalCount: number }>
  /**
   * Sets deliveries of any status to pending from `at` on, with a new round. Skips claimed ones.
   * Returns the number of changed deliveries.
   */
  requeue: (accountId: string, ids: string[], at: Timestamp) => Promise<number>
  /**
   * Deliveries of any status with sequence > `afterSequence` and `since` <= eventAt < `until`, in
   * order of sequence.
   */
  between: (
    webhookId: string,
    span: { since: Timestamp; until: Timestamp; afterSequence: number; limit: number }
  ) => Promise<DeliveryRecord[]>
  /**
   * Webhooks of all accounts that have a pending delivery which is due at `now` and not claimed,
   * and that are neither disabled nor paused (`health.pausedUntil` > now). A page may have none of
   * them, and examines at most `limit` webhooks with pending deliveries.
   */
  dueWebhooks: (now: Timestamp, page: SweepCursor) => Promise<SweepPage<{ accountId: string; webhookId: string }>>
  /**
   * When the webhook's next pending delivery can be claimed: the later of `nextAttemptAt` and
   * `leasedUntil`. Null when the webhook has no pending delivery.
   */
  nextDueAt: (webhookId: string) => Promise<Timestamp | null>
}
