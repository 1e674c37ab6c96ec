import { Type, type Static } from '@sinclair/typebox'
import { Id, OneOf, Timestamp } from './fields.ts'

/** The version of the envelope and of all data in it; within a version fields are only added. */
export const EVENT_API_VERSION = '2026-11-01'

/** Every kind of event that a webhook can subscribe to. */
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

/** Largest body of an event. */
export const EVENT_BYTES = 256 * 1024
/** Most products in one event. */
export const EVENT_PRODUCTS = 100
/** For how long events can be pulled and deliveries looked at. */
export const EVENT_DAYS = 30

export const Event = Type.Object(
  {
    id: Id(),
    type: OneOf(EVENT_TYPES),
    apiVersion: Type.String(),
    timestamp: Timestamp(),
    sequence: Type.Integer({ minimum: 1, description: 'Grows by one with every event of the account' }),
    data: Type.Record(Type.String(), Type.Unknown())
  },
  { $id: 'Event' }
)
export type Event = Static<typeof Event>
