import type { Event } from '../../../schemas/event.ts'

/** An event as it is listened to: one of the types that can be subscribed to, or a ping. */
export type ListenedEvent = Omit<Event, 'type'> & { type: string }

/** How an event came: its bytes, and the delivery that brought it. */
export interface Arrival {
  event: ListenedEvent
  body: Buffer
  deliveryId: string
  attempt: number
}
