import type { DeliveryRecord } from '../port.ts'

/**
 * The tables of a delivery, for a FROM clause; `d` is the delivery, `w` its webhook, `e` its event,
 * `l` its lease if there is one.
 */
export const DELIVERIES =
  'deliveries d JOIN webhooks w ON w.n = d.webhook_n JOIN events e ON e.n = d.event_n LEFT JOIN delivery_leases l ON l.n = d.n'
export const DELIVERY_COLUMNS = `d.id, w.account_id AS accountId, w.id AS webhookId, e.id AS eventId, d.event, d.event_at AS eventAt, d.sequence, d.status, d.attempts, d.round,
  d.next_attempt_at AS nextAttemptAt, l.until AS leasedUntil, d.last_status AS lastStatus, d.last_error AS lastError, d.created_at AS createdAt, d.delivered_at AS deliveredAt`
/** The columns of a delivery, named as in its record. */
export type DeliveryRow = DeliveryRecord

/** The tables of a delivery with the event's bytes. */
export const WHOLE_DELIVERIES = `${DELIVERIES} JOIN event_bodies b ON b.n = d.event_n`
export interface BytesRow {
  head: string
  tail: string
  projectId: string
}
export const BYTES_COLUMNS = 'b.head, b.tail, e.project_id AS projectId'

export function deliveryOf(row: DeliveryRow): DeliveryRecord {
  return { ...row }
}
