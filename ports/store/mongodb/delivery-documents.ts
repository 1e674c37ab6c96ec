import type { DeliveryAttempt } from '../../../schemas/webhook.ts'
import type { DeliveryRecord, NewDelivery } from '../port.ts'
import type { Database } from './database.ts'
import type { Lease } from './webhook-documents.ts'

/** A delivery as it is stored; its `_id` is its id. Leases are in the webhook's document. */
export interface DeliveryDocument extends Omit<DeliveryRecord, 'id' | 'leasedUntil'> {
  _id: string
  attemptLog: DeliveryAttempt[]
  /** The last step of a recovery that reopened it. */
  reopenedBy?: string
}
export type ShownDelivery = Omit<DeliveryDocument, 'attemptLog' | 'reopenedBy'>

/**
 * Attempts may be a hundred times as large as the rest; only who asks for one delivery gets them.
 */
export const WITHOUT_LOG = { attemptLog: 0, reopenedBy: 0 } as const

export const deliveries = (database: Database) => database.collection<DeliveryDocument>('deliveries')

export function documentOf({
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

/** Field by field, because this is done for every attempt. */
export function deliveryOf(document: ShownDelivery, leasedUntil: string | null): DeliveryRecord {
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

/** Until when the delivery of this id is leased; null: it is not. */
export function leaseEnds(leases: Lease[]): (id: string) => string | null {
  const ends = new Map(leases.map(({ id, until }) => [id, until]))
  return (id) => ends.get(id) ?? null
}
