import type { Collection } from 'mongodb'
import type { DeliveryAttempt } from '../../../../schemas/webhook.ts'
import type { DeliveryRecord, NewDelivery } from '../../port.ts'
import type { Database } from '../database.ts'

/**
 * An attempt as it is stored. Headers are pairs of names and values: the receiver chooses the names,
 * and as a field, `$ref` or `a.b` would have a meaning for the database or its driver.
 */
export interface LoggedAttempt extends Omit<DeliveryAttempt, 'responseHeaders'> {
  responseHeaders: [name: string, value: string][]
}

export function toLoggedAttempt(attempt: DeliveryAttempt): LoggedAttempt {
  return { ...attempt, responseHeaders: Object.entries(attempt.responseHeaders) }
}

export function toAttempt(logged: LoggedAttempt): DeliveryAttempt {
  return { ...logged, responseHeaders: Object.fromEntries(logged.responseHeaders) }
}

/** A delivery as it is stored; its `_id` is its id. Leases are in the webhook's document. */
export interface DeliveryDocument extends Omit<DeliveryRecord, 'id' | 'leasedUntil'> {
  _id: string
  attemptLog: LoggedAttempt[]
  /** The last step of a recovery that requeued it. */
  requeuedBy?: string
}
export type DeliveryWithoutLog = Omit<DeliveryDocument, 'attemptLog' | 'requeuedBy'>

/** The attempt log may be a hundred times as large as the rest. Only single reads include it. */
export const WITHOUT_LOG = { attemptLog: 0, requeuedBy: 0 } as const

export const deliveryCollection = (database: Database): Collection<DeliveryDocument> =>
  database.collection<DeliveryDocument>('deliveries')

export function toDeliveryDocument({
  id,
  accountId,
  webhookId,
  eventId,
  event,
  eventAt,
  status,
  nextAttemptAt,
  createdAt
}: NewDelivery): Omit<DeliveryDocument, 'sequence'> {
  return {
    _id: id,
    accountId,
    webhookId,
    eventId,
    event,
    eventAt,
    status,
    attempts: 0,
    round: 0,
    nextAttemptAt,
    lastStatus: null,
    lastError: null,
    createdAt,
    deliveredAt: null,
    attemptLog: []
  }
}

/** Copies each field by name, because this runs for every attempt. */
export function toDeliveryRecord(document: DeliveryWithoutLog, leasedUntil: string | null): DeliveryRecord {
  const {
    _id,
    accountId,
    webhookId,
    eventId,
    event,
    eventAt,
    sequence,
    status,
    attempts,
    round,
    nextAttemptAt,
    lastStatus,
    lastError,
    createdAt,
    deliveredAt
  } = document
  return {
    id: _id,
    accountId,
    webhookId,
    eventId,
    event,
    eventAt,
    sequence,
    status,
    attempts,
    round,
    nextAttemptAt,
    leasedUntil,
    lastStatus,
    lastError,
    createdAt,
    deliveredAt
  }
}
