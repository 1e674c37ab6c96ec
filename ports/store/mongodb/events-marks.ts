import type { NewEvent, ProjectRef } from '../port.ts'
import type { Database } from './database.ts'
import { addTellingEvent } from './events-add.ts'
import { eventKey, EVENTS, type EventDocument, type Mark } from './event-documents.ts'
import { applyMarks, standsUntold } from './products-told.ts'

/** So many events are settled by one question. */
const PORTION = 100

/**
 * Adds the event that tells these products, and marks them: see `EventStore.addProductEvent`.
 *
 * The event comes into being with the marks that are still to be made, in one document, so that
 * none is lost through a crash; `settleMarks` makes them then. Of several who tell
 * one product in one version one alone comes through, because a unique index holds what events
 * tell. A product that is changed by others between the look at it and the event is told as it
 * was, and once more as it is then: `applyMarks` leaves it untold. So a change may be told twice
 * when two come at the same instant, but never not at all.
 */
export async function addProductEvent(database: Database, event: NewEvent, marks: Mark[]): Promise<boolean> {
  const known = await database
    .collection<EventDocument>(EVENTS)
    .findOne({ _id: eventKey(event.accountId, event.id) }, { projection: { _id: 1 } })
  if (known !== null || !(await standsUntold(database, event.accountId, marks))) return false
  if (!(await addTellingEvent(database, event, marks))) return false
  await mark(database, event, marks)
  return true
}

/** Makes the marks that a crash left to be made: of this project, or of all. */
export async function settleMarks(database: Database, place: ProjectRef | null): Promise<void> {
  const whose = place === null ? {} : { accountId: place.accountId, projectId: place.projectId }
  const projection = { id: 1, accountId: 1, marks: 1 } as const
  for (;;) {
    const left = await database
      .collection<EventDocument>(EVENTS)
      .find({ marksAt: { $gt: '' }, ...whose }, { projection, sort: { marksAt: 1 }, limit: PORTION, hint: 'to_mark' })
      .toArray()
    for (const event of left) await mark(database, event, event.marks ?? [])
    if (left.length < PORTION) return
  }
}

async function mark(database: Database, event: Pick<NewEvent, 'id' | 'accountId'>, marks: Mark[]): Promise<void> {
  await applyMarks(database, event, marks)
  await database
    .collection<EventDocument>(EVENTS)
    .updateOne({ _id: eventKey(event.accountId, event.id) }, { $unset: { marks: '', marksAt: '' } })
}
