import type { NewEvent } from '../port.ts'
import type { Database } from './database.ts'
import { documentOf, EVENTS, type EventDocument, type Mark } from './event-documents.ts'
import { inTurn } from './in-turn.ts'
import { insertNumbered } from './numbered.ts'

type Unnumbered = Omit<EventDocument, 'sequence'>

/** The last number of an account that was swept. */
export interface EventCounter {
  _id: string
  swept: number
}
export const EVENT_COUNTERS = 'event_counters'

interface Portion {
  documents: Unnumbered[]
  written: Promise<unknown>
}
/**
 * What waits for its turn, by account: while one portion is written the next one gathers, and is
 * then written together.
 */
const gathering = new WeakMap<Database, Map<string, Portion>>()

/**
 * Adds those whose id their account does not have yet, in this order, each with the account's next
 * sequence: 1, 2, 3, … without gaps, and nobody sees one before all smaller ones.
 * Each by itself: after a crash the last of them may be missing, so the caller must have kept them.
 */
export async function addEvents(database: Database, events: NewEvent[]): Promise<void> {
  const accounts = Map.groupBy(events, ({ accountId }) => accountId)
  await Promise.all([...accounts].map(([accountId, theirs]) => gather(database, accountId, theirs.map(documentOf))))
}

/**
 * Adds the event with what is still to be marked by it; false when the account has it already, or
 * one of these products is told by another event in this version:
 * a unique index over what events tell decides that, between processes too.
 */
export async function addTellingEvent(database: Database, event: NewEvent, marks: Mark[]): Promise<boolean> {
  const tells = marks.map(({ id, ifVersion }) => `${id} ${ifVersion}`)
  const document = { ...documentOf(event), marks, marksAt: new Date().toISOString(), tells }
  return (await inTurn(database, lineOf(event.accountId), () => insert(database, event.accountId, [document]))) === 1
}

const lineOf = (accountId: string): string => `events ${accountId}`

async function gather(database: Database, accountId: string, documents: Unnumbered[]): Promise<void> {
  const portions = gathering.get(database) ?? new Map<string, Portion>()
  gathering.set(database, portions)
  const portion = portions.get(accountId) ?? begin(database, accountId, portions)
  portion.documents.push(...documents)
  await portion.written
}

function begin(database: Database, accountId: string, portions: Map<string, Portion>): Portion {
  const documents: Unnumbered[] = []
  const written = inTurn(database, lineOf(accountId), async () => {
    portions.delete(accountId)
    await insert(database, accountId, documents)
  })
  const portion = { documents, written }
  portions.set(accountId, portion)
  return portion
}

/** Returns how many it inserted. Of those with one id the first counts. */
async function insert(database: Database, accountId: string, documents: Unnumbered[]): Promise<number> {
  const once = [...Map.groupBy(documents, ({ _id }) => _id).values()].map(([first]) => first!)
  return await insertNumbered(database, {
    collection: EVENTS,
    documents: once,
    last: () => lastSequence(database, accountId),
    needless: (left) => needless(database, accountId, left)
  })
}

/**
 * First the events, then what was swept: `sweep` writes down the number before it removes the event
 * that has it.
 */
async function lastSequence(database: Database, accountId: string): Promise<number> {
  const last = await database
    .collection<EventDocument>(EVENTS)
    .findOne({ accountId }, { sort: { sequence: -1 }, projection: { sequence: 1 }, hint: 'in_order' })
  const counter = await database.collection<EventCounter>(EVENT_COUNTERS).findOne({ _id: accountId })
  return Math.max(last?.sequence ?? 0, counter?.swept ?? 0)
}

async function needless(database: Database, accountId: string, documents: Unnumbered[]): Promise<Set<string>> {
  const ids = documents.map(({ _id }) => _id)
  const told = documents.flatMap(({ tells }) => tells ?? [])
  const events = database.collection<EventDocument>(EVENTS)
  const there = new Set(
    (await events.find({ _id: { $in: ids } }, { projection: { _id: 1 } }).toArray()).map(({ _id }) => _id)
  )
  if (told.length === 0) return there
  const others = await events.findOne(
    { accountId, tells: { $in: told } },
    { projection: { _id: 1 }, hint: 'told_once' }
  )
  return others === null ? there : new Set(ids)
}
