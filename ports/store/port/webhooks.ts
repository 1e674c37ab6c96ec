import type { EventType } from '../../../schemas/event.ts'
import type { DisabledBy } from '../../../schemas/webhook.ts'
import type { Timestamp } from './common.ts'

/** A signing secret. The plain text is not stored. */
export interface EncryptedSecret {
  id: string
  ciphertext: string
  createdAt: Timestamp
  /** Null: the secret does not expire. */
  expiresAt: Timestamp | null
}

/** The state of an endpoint's circuit breaker, and what automatic disabling is decided by. */
export interface WebhookHealth {
  lastSuccessAt: Timestamp | null
  /** Failed attempts since the last success. */
  failures: number
  /** The first event that failed since the last success, and when it happened. */
  firstFailed: { eventId: string; at: Timestamp } | null
  /** The last event that failed since the last success, and when it happened. */
  lastFailed: { eventId: string; at: Timestamp } | null
  /** Attempts of the last few minutes. `minute` is Unix time in milliseconds / 60,000. */
  minutes: { minute: number; ok: number; failed: number }[]
  pausedUntil: Timestamp | null
  pausedFor: 'breaker' | 'retry_after' | null
  /** The breaker's last pause; doubles while probes fail. Null: the breaker is closed. */
  pauseMs: number | null
}

/** Unique by id. */
export interface WebhookRecord {
  id: string
  accountId: string
  /** Grows by one with each update. */
  version: number
  url: string
  /** The subscribed event types. Null: all. */
  events: EventType[] | null
  /** The projects whose events are sent. Null: all. */
  projectIds: string[] | null
  description: string
  /** Newest first. */
  secrets: EncryptedSecret[]
  /** The secret of the last request that was answered with 2xx. */
  lastAcceptedSecretId: string
  disabledBy: DisabledBy | null
  disabledReason: string | null
  disabledAt: Timestamp | null
  health: WebhookHealth
  createdAt: Timestamp
  updatedAt: Timestamp
}

export interface WebhookStore {
  /** Inserts the webhook. Returns false when the account would have more than `max` webhooks. */
  add: (webhook: WebhookRecord, max: number) => Promise<boolean>
  find: (accountId: string, id: string) => Promise<WebhookRecord | null>
  /** Oldest first, then by id. */
  list: (accountId: string) => Promise<WebhookRecord[]>
  /**
   * Replaces the webhook if the stored one has version `ifVersion`. Returns false when it has
   * another version or was deleted. With `isHealth`, the change is a result of attempts: like these (see
   * `DeliveryStore.recordAttempts`), it may be lost if the machine crashes within the next second.
   */
  save: (webhook: WebhookRecord, ifVersion: number, options?: { isHealth: boolean }) => Promise<boolean>
  /** Deletes the webhook, its deliveries and its recoveries. Returns false when it is unknown. */
  delete: (accountId: string, id: string) => Promise<boolean>
}
