import type { Collection } from 'mongodb'
import type { EventRecord, NewEvent } from '../../port.ts'
import type { Database } from '../database.ts'
import { compoundId } from '../documents.ts'
import { withMutex } from '../mutex.ts'
import { insertInSequence } from '../sequences.ts'
import { REPLY_SIZE } from '../slices.ts'

/**
 * What an event changes in a product of version `ifVersion`: the digest of its published outputs.
 */
export interface ProductMark {
  id: string
  ifVersion: number
  digest: string
}

export interface EventDocument extends EventRecord {
  _id: string
  /** Of `head` and `tail` in UTF-8. Undefined: a previous version has stored the event. */
  bytes?: number
  /** Products of the event that are not marked as published yet. */
  productMarks?: ProductMark[]
  marksPendingSince?: string
  /** `<product id> <version>` of each product in the event. Unique within an account. */
  productVersions?: string[]
}

/** The last sequence of the account that belonged to a deleted event. */
export interface EventCounter {
  _id: string
  lastSweptSequence: number
}

type UnsequencedEvent = Omit<EventDocument, 'sequence'>

export const eventCollection = (database: Database): Collection<EventDocument> =>
  database.collection<EventDocument>('events')
export const eventCounterCollection = (database: Database): Collection<EventCounter> =>
  database.collection<EventCounter>('event_counters')

export const eventKey = (accountId: string, id: string): string => compoundId(accountId, id)

/** Leaves out the fields that do not belong to the record. */
export const RECORD_ONLY = { _id: 0, bytes: 0, productMarks: 0, marksPendingSince: 0, productVersions: 0 } as const

export const bodyBytes = ({ head, tail }: Pick<NewEvent, 'head' | 'tail'>): number =>
  Buffer.byteLength(head) + Buffer.byteLength(tail)

function toEventDocument(event: NewEvent): Omit<EventDocument, 'sequence'> {
  const { id, accountId, projectId, type, timestamp, head, tail } = event
  const record = { id, accountId, projectId, type, timestamp, head, tail, fannedOut: false }
  return { _id: eventKey(accountId, id), ...record, bytes: bodyBytes(event) }
}

interface EventBatch {
  documents: UnsequencedEvent[]
  written: Promise<unknown>
}
/** Events by account that wait for the current write to finish and are then written together. */
const waitingBatches = new WeakMap<Database, Map<string, EventBatch>>()

/**
 * Adds events whose ids are new to their account, in this order, each with the account's next
 * sequence: 1, 2, 3, … without gaps. A reader who sees a sequence sees all smaller ones. A crash
 * may lose the last events, so that the caller must have stored them.
 */
export async function addEvents(database: Database, events: NewEvent[]): Promise<void> {
  const byAccount = Map.groupBy(events, ({ accountId }) => accountId)
  await Promise.all(
    [...byAccount].map(([accountId, added]) => enqueue(database, accountId, added.map(toEventDocument)))
  )
}

/** An event about products, and what it changes in them. All events of a call are of one account. */
export interface ProductEvent {
  event: NewEvent
  marks: ProductMark[]
}

/**
 * Adds events with their pending product marks. Returns those that this call added: not those that
 * the account has already, nor those of which another event covers a product in this version. A
 * unique index on `productVersions` decides between processes.
 */
export async function insertProductEvents<Added extends ProductEvent>(
  database: Database,
  accountId: string,
  events: Added[]
): Promise<Added[]> {
  if (events.length === 0) return []
  const marksPendingSince = new Date().toISOString()
  const documents = events.map(({ event, marks }) => ({
    ...toEventDocument(event),
    productMarks: marks,
    marksPendingSince,
    productVersions: marks.map(({ id, ifVersion }) => `${id} ${ifVersion}`)
  }))
  const inserted = await withMutex(database, mutexKey(accountId), () => insertEvents(database, accountId, documents))
  return events.filter(({ event }) => inserted.has(eventKey(accountId, event.id)))
}

const mutexKey = (accountId: string): string => `events ${accountId}`

async function enqueue(database: Database, accountId: string, documents: UnsequencedEvent[]): Promise<void> {
  const batches = waitingBatches.get(database) ?? new Map<string, EventBatch>()
  waitingBatches.set(database, batches)
  const batch = batches.get(accountId) ?? startBatch(database, accountId, batches)
  batch.documents.push(...documents)
  await batch.written
}

function startBatch(database: Database, accountId: string, batches: Map<string, EventBatch>): EventBatch {
  const documents: UnsequencedEvent[] = []
  const written = withMutex(database, mutexKey(accountId), async () => {
    batches.delete(accountId)
    await insertEvents(database, accountId, documents)
  })
  const batch = { documents, written }
  batches.set(accountId, batch)
  return batch
}

/** Returns the keys of the inserted events. Of several events with the same id, inserts the first. */
async function insertEvents(
  database: Database,
  accountId: string,
  documents: UnsequencedEvent[]
): Promise<Set<string>> {
  const unique = [...Map.groupBy(documents, ({ _id }) => _id).values()].map(([first]) => first!)
  return await insertInSequence(database, {
    collection: 'events',
    documents: unique,
    key: accountId,
    readLast: () => lastSequence(database, accountId),
    findRedundant: (remaining) => findRedundant(database, accountId, remaining)
  })
}

/**
 * Reads the events first and the counter second, because the sweep updates the counter before it
 * deletes events.
 */
async function lastSequence(database: Database, accountId: string): Promise<number> {
  const last = await eventCollection(database).findOne(
    { accountId },
    { sort: { sequence: -1 }, projection: { sequence: 1 }, hint: 'by_sequence' }
  )
  const counter = await eventCounterCollection(database).findOne({ _id: accountId })
  return Math.max(last?.sequence ?? 0, counter?.lastSweptSequence ?? 0)
}

/** Events that are stored, and events about a product in a version that a stored event covers. */
async function findRedundant(
  database: Database,
  accountId: string,
  documents: UnsequencedEvent[]
): Promise<Set<string>> {
  const events = eventCollection(database)
  const ids = documents.map(({ _id }) => _id)
  const versions = documents.flatMap(({ productVersions }) => productVersions ?? [])
  const found = await events.find({ _id: { $in: ids } }, { projection: { _id: 1 }, batchSize: REPLY_SIZE }).toArray()
  const redundant = new Set(found.map(({ _id }) => _id))
  if (versions.length === 0) return redundant
  const covering = await events
    .find(
      { accountId, productVersions: { $in: versions } },
      { projection: { productVersions: 1 }, hint: 'unique_product_version', batchSize: REPLY_SIZE }
    )
    .toArray()
  const covered = new Set(covering.flatMap(({ productVersions }) => productVersions ?? []))
  for (const { _id, productVersions = [] } of documents) {
    if (productVersions.some((version) => covered.has(version))) redundant.add(_id)
  }
  return redundant
}
