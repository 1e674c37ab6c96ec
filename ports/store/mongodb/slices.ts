import { BSON, type Document, type FindCursor } from 'mongodb'
import { createYielder } from '../../../lib/async.ts'

/** Documents per reply of the server, unless they have more than 16 MB. */
const DOCUMENTS_PER_REPLY = 100

/**
 * Reads the documents of a cursor like `toArray`, but decodes them one by one with pauses that let
 * the event loop serve others. Stops after `maxBytes` of documents, but returns at least one.
 */
export async function readInSlices<Found extends Document>(
  cursor: FindCursor<Found>,
  { maxBytes = Infinity }: { maxBytes?: number } = {}
): Promise<Found[]> {
  const pause = createYielder()
  const documents: Found[] = []
  let bytes = 0
  for await (const document of cursor.batchSize(DOCUMENTS_PER_REPLY)) {
    if (maxBytes !== Infinity) bytes += BSON.calculateObjectSize(document)
    if (bytes > maxBytes && documents.length > 0) break
    documents.push(document)
    await pause()
  }
  return documents
}
