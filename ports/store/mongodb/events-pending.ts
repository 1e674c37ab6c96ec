import type { NewEvent } from '../port.ts'
import type { Database } from './database.ts'
import { addEvents } from './events-add.ts'

/**
 * A standalone server changes one document at a time. So events come into being inside the document whose change they tell, in the field
 * `pendingEvents`, and are moved into their collection afterwards: by who wrote them, or after a crash by whoever asks for events next.
 * Moving twice is harmless, because an event's id is made from what happened.
 */
export interface PendingEvents { pendingEvents?: NewEvent[] }

/** Collections whose documents may carry pending events. */
export type EventSource = 'blogs' | 'imports'

/** Moves the pending events of this document to where events are read. */
export async function settleEvents (database: Database, source: EventSource, id: string): Promise<void> {
  const collection = database.collection<PendingEvents & { _id: string }>(source)
  const found = await collection.findOne({ _id: id }, { projection: { pendingEvents: 1 } })
  const events = found?.pendingEvents ?? []
  if (events.length === 0) return
  await addEvents(database, events)
  await collection.updateOne({ _id: id }, { $pull: { pendingEvents: { id: { $in: events.map((event) => event.id) } } } } as object)
}
