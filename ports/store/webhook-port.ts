import type { EventType } from '../../schemas/event.ts'
import type { DeliveryAttempt, DeliveryStatus } from '../../schemas/webhook.ts'
import type {
  DeliveryUpdate,
  DeliveryRecord,
  EventRecord,
  NewDelivery,
  NewEvent,
  RecoveryRecord,
  WebhookRecord
} from './webhook-records.ts'

export interface EventStore {
  /**
   * Adds those whose id the account does not have yet, in this order, each with the account's next
   * sequence.
   */
  add: (events: NewEvent[]) => Promise<void>
  /**
   * Adds the event and marks these products as told with these outputs (`told` = digest, `eventPendingSince`
   * = null, version + 1), or does nothing of it when one of them has nothing to
   * tell any more or is not of this version: false. Also false when the account has the event
   * already.
   */
  addProductEvent: (event: NewEvent, told: { id: string; ifVersion: number; digest: string }[]) => Promise<boolean>
  find: (accountId: string, id: string) => Promise<EventRecord | null>
  /** In order of sequence, those after `after`. */
  list: (accountId: string, page: { after: number; limit: number; types?: EventType[] }) => Promise<EventRecord[]>
  /** Those whose deliveries have not been made, in order of sequence. */
  pendingFanOut: (accountId: string, limit: number) => Promise<EventRecord[]>
  pendingFanOutAccounts: (limit: number) => Promise<string[]>
  markFannedOut: (accountId: string, ids: string[]) => Promise<void>
  /**
   * Removes those of all accounts that happened before this time and were fanned out, with their
   * deliveries; returns how many events. At most `limit`. Sequences go on.
   */
  deleteBefore: (before: string, limit: number) => Promise<number>
}

export interface WebhookStore {
  /** Adds the webhook when the account then has at most `most`; false otherwise. */
  add: (webhook: WebhookRecord, most: number) => Promise<boolean>
  find: (accountId: string, id: string) => Promise<WebhookRecord | null>
  /** Oldest first, then by id. */
  list: (accountId: string) => Promise<WebhookRecord[]>
  /** Replaces it when the stored one is of this version; false when it is not, or is removed. */
  save: (webhook: WebhookRecord, ifVersion: number) => Promise<boolean>
  /** Removes it with its deliveries and recoveries. */
  delete: (accountId: string, id: string) => Promise<boolean>
}

/** A delivery and the event's bytes around its sequence. */
export interface ClaimedDelivery {
  delivery: DeliveryRecord
  head: string
  tail: string
  projectId: string
}

export interface DeliveryFilter {
  accountId: string
  webhookId: string
  status?: DeliveryStatus
  event?: EventType /** eventAt >= this. */
  since?: string
}

export interface DeliveryStore {
  /**
   * Adds each unless its webhook has one of the event, or is removed; in this order, each with its
   * webhook's next sequence: 1, 2, 3, … without gaps.
   */
  add: (deliveries: NewDelivery[]) => Promise<void>
  /**
   * Takes pending ones of the webhook that are due at `now` and that nobody is trying, the smallest
   * sequence first, and lets nobody else take them until `leaseUntil`;
   * a store that one process has alone ends leases when it is opened, because whoever held them is
   * gone.
   * At most `limit`, and so many that at most `inFlight` of the webhook are leased.
   */
  claim: (
    webhookId: string,
    terms: { now: string; leaseUntil: string; limit: number; maxInFlight: number }
  ) => Promise<ClaimedDelivery[]>
  /**
   * Writes down attempts and ends their leases, all durable together. One that is gone is passed
   * over. An attempt of a number that is written down already is not added again. At most 50
   * attempts a delivery are kept, the newest.
   */
  recordAttempts: (changes: DeliveryUpdate[]) => Promise<void>
  /** Ends the leases without an attempt. */
  release: (webhookId: string, ids: string[]) => Promise<void>
  find: (
    accountId: string,
    id: string
  ) => Promise<{ delivery: DeliveryRecord; attemptLog: DeliveryAttempt[]; head: string; tail: string } | null>
  /** A page and the number of all, newest sequence first. */
  list: (
    filter: DeliveryFilter,
    page: { page: number; pageSize: number }
  ) => Promise<{ deliveries: DeliveryRecord[]; totalCount: number }>
  /**
   * Lets these be tried again from `at` on, in a new round, whatever became of them; a leased one
   * is passed over. Returns how many.
   */
  requeue: (accountId: string, ids: string[], at: string) => Promise<number>
  /**
   * Deliveries of the webhook with sequence > afterSequence, in that order, whose event happened
   * from since (included) to until (excluded), in any status.
   */
  between: (
    webhookId: string,
    span: { since: string; until: string; afterSequence: number; limit: number }
  ) => Promise<DeliveryRecord[]>
  /**
   * Webhooks that are neither disabled nor paused (`health.pausedUntil` > now), with a pending
   * delivery that is due at `now` and not leased then; of all accounts, the longest due first.
   */
  dueWebhooks: (now: string, limit: number) => Promise<{ accountId: string; webhookId: string }[]>
  /**
   * When the next pending delivery of the webhook can be taken (the later of nextAttemptAt and the
   * end of its lease); null: there is none.
   */
  nextDueAt: (webhookId: string) => Promise<string | null>
}

export interface RecoveryStore {
  add: (recovery: RecoveryRecord) => Promise<void>
  find: (accountId: string, id: string) => Promise<RecoveryRecord | null>
  /**
   * Goes on when the stored one stands at `afterSequence` and runs: reopens these deliveries (as
   * `DeliveryStore.reopen`) and writes the change down, whole; false otherwise.
   */
  advance: (
    recovery: { accountId: string; id: string; afterSequence: number },
    step: { change: Partial<RecoveryRecord>; requeue: string[]; at: string }
  ) => Promise<boolean>
  /** Running ones of all accounts. */
  unfinished: (limit: number) => Promise<{ accountId: string; id: string }[]>
}
