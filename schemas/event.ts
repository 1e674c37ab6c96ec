import { Type, type Static } from '@sinclair/typebox'
import { Id, OneOf, Timestamp } from './fields.ts'

/** The version of the event format. Within a version, fields are only added. */
export const EVENT_API_VERSION = '2026-11-01'

/** The event types that a webhook can subscribe to. */
export const EVENT_TYPES = [
  'products.optimized',
  'products.import.completed',
  'blog.published',
  'blog.updated',
  'blog.unpublished',
  'blog.deleted',
  'visual_check.completed'
] as const
export type EventType = (typeof EVENT_TYPES)[number]

/** Maximum size of an event body. */
export const EVENT_BYTES = 256 * 1024
/** Maximum number of products in one event. */
export const EVENT_PRODUCTS = 100
/** How long events and deliveries are stored, unless the event log of their account becomes too large. */
export const EVENT_DAYS = 30

export const Event = Type.Object(
  {
    id: Id(),
    type: OneOf(EVENT_TYPES),
    apiVersion: Type.String(),
    timestamp: Timestamp(),
    sequence: Type.Integer({ minimum: 1, description: 'Increases by one with every event of the account' }),
    data: Type.Record(Type.String(), Type.Unknown())
  },
  { $id: 'EventLogEntry' }
)
export type Event = Static<typeof Event>
