import type { EventType } from '../../schemas/event.ts'
import type { AttemptError, DeliveryAttempt, DeliveryStatus, DisabledBy } from '../../schemas/webhook.ts'

type Time = string

/**
 * Something that happened, as it will be told. Unique by id. The body that a receiver gets is
 * `head` + sequence + `tail`, byte by byte:
 * `{"id":…,"type":…,"apiVersion":…,"timestamp":…,"sequence":` and `,"data":…}`.
 */
export interface NewEvent {
  /**
   * Made from what happened, so that the same happening has the same id however often it is written
   * down.
   */
  id: string
  accountId: string
  projectId: string
  type: EventType
  timestamp: Time
  head: string
  tail: string
}

export interface EventRecord extends NewEvent {
  /**
   * Its number in the account: 1, 2, 3, … without gaps, and nobody sees one before all smaller
   * ones.
   */
  sequence: number
  /** Whether its deliveries have been made. */
  fannedOut: boolean
}

/** A signing secret. `sealed` is encrypted. */
export interface EncryptedSecret {
  id: string
  ciphertext: string
  createdAt: Time /** When it ends; null: it does not. */
  expiresAt: Time | null
}

/** How a receiver fares; what the breaker and the switching-off decide by. */
export interface WebhookHealth {
  lastSuccessAt: Time | null
  /** Attempts that failed since the last success. */
  failures: number
  /**
   * When the first and the last event that failed since the last success happened; null: none did.
   */
  firstFailed: { eventId: string; at: Time } | null
  lastFailed: { eventId: string; at: Time } | null
  /** Attempts by minute (milliseconds since 1970 / 60,000), the last few minutes. */
  minutes: { minute: number; ok: number; failed: number }[]
  pausedUntil: Time | null
  pausedFor: 'breaker' | 'retry_after' | null
  /** The breaker's last pause; doubles while probes fail. Null: it is closed. */
  pauseMs: number | null
}

/** Unique by id. */
export interface WebhookRecord {
  id: string
  accountId: string
  /** Grows by one with every update. */
  version: number
  url: string
  events: EventType[] | null
  projectIds: string[] | null
  description: string
  /** The newest first. */
  secrets: EncryptedSecret[]
  /** The id of the secret that last earned a 2xx. */
  lastAcceptedSecretId: string
  disabledBy: DisabledBy | null
  disabledReason: string | null
  disabledAt: Time | null
  health: WebhookHealth
  createdAt: Time
  updatedAt: Time
}

/** Unique by id, by (webhookId, eventId) and by (webhookId, sequence). */
export interface DeliveryRecord {
  id: string
  accountId: string
  webhookId: string
  eventId: string
  event: EventType
  /** When the event happened. */
  eventAt: Time
  sequence: number
  status: DeliveryStatus
  /**
   * Attempts in all, and those of the present round: a redelivery begins a new one, with the first
   * wait.
   */
  attempts: number
  round: number
  /** When a pending one is tried next. */
  nextAttemptAt: Time | null
  /** Until when somebody is trying it; null: nobody is. */
  leasedUntil: Time | null
  lastStatus: number | null
  lastError: AttemptError | null
  createdAt: Time
  deliveredAt: Time | null
}

export type NewDelivery = Pick<
  DeliveryRecord,
  'id' | 'accountId' | 'webhookId' | 'eventId' | 'event' | 'eventAt' | 'createdAt' | 'nextAttemptAt'
> & { status: 'pending' | 'skipped' }

/** What becomes of a delivery after an attempt. */
export interface DeliveryUpdate
  extends Pick<
    DeliveryRecord,
    'status' | 'attempts' | 'round' | 'nextAttemptAt' | 'lastStatus' | 'lastError' | 'deliveredAt'
  > {
  id: string
  webhookId: string
  attempt: DeliveryAttempt
}

/** Unique by id. */
export interface RecoveryRecord {
  id: string
  accountId: string
  webhookId: string
  status: 'running' | 'done'
  since: Time
  until: Time
  statuses: DeliveryStatus[]
  /** The sequence up to which deliveries were looked at. */
  afterSequence: number
  examined: number
  requeued: number
  createdAt: Time
  finishedAt: Time | null
}
