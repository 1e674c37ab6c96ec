import {
  BSON,
  type AbstractCursor,
  type AnyBulkWriteOperation,
  type BulkWriteResult,
  type Collection,
  type Document
} from 'mongodb'
import { createYielder } from '../../../lib/async.ts'

/**
 * Documents per reply of the server, unless they have more than 16 MB. By default, the first reply
 * has 101 documents, so that every longer result takes a second command. More than a batch of any
 * service, because a reply of exactly this size is followed by an empty one.
 */
export const REPLY_SIZE = 2_000

/**
 * Reads the documents of a cursor like `toArray`, but decodes them one by one with pauses that let
 * the event loop serve others.
 */
export async function readInSlices<Found extends Document>(cursor: AbstractCursor<Found>): Promise<Found[]> {
  return (await readUpTo(cursor, Infinity)).documents
}

/**
 * The same, but stops after `maxBytes` of documents, and returns at least one. `isCut`: there are
 * more documents.
 */
export async function readUpTo<Found extends Document>(
  cursor: AbstractCursor<Found>,
  maxBytes: number
): Promise<{ documents: Found[]; isCut: boolean }> {
  const pause = createYielder()
  const documents: Found[] = []
  let bytes = 0
  for await (const document of cursor.batchSize(REPLY_SIZE)) {
    if (maxBytes !== Infinity) bytes += BSON.calculateObjectSize(document)
    if (bytes > maxBytes && documents.length > 0) return { documents, isCut: true }
    documents.push(document)
    await pause()
  }
  return { documents, isCut: false }
}

/**
 * Executes the operations of at least one item like `bulkWrite` without an order, but makes and serializes them one
 * by one with pauses that let the event loop serve others.
 */
export async function bulkWriteInSlices<Stored extends Document, Item>(
  collection: Collection<Stored>,
  items: readonly Item[],
  toOperation: (item: Item) => AnyBulkWriteOperation<Stored>
): Promise<BulkWriteResult> {
  const pause = createYielder()
  const operations = collection.initializeUnorderedBulkOp()
  for (const item of items) {
    operations.raw(toOperation(item) as AnyBulkWriteOperation)
    await pause()
  }
  return await operations.execute()
}
