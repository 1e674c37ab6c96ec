import type { Collection, Document, Filter, OptionalUnlessRequiredId } from 'mongodb'
import { isDuplicate } from './driver-errors.ts'
import { WITHOUT_ID } from './records-changed.ts'

/**
 * Adds the record under this `_id` unless there is one; returns the one that is there now, and
 * whether it was added.
 */
export async function ensured<Kept extends object>(
  collection: Collection<Kept & { _id: string }>,
  _id: string,
  record: Kept
): Promise<{ record: Kept; added: boolean }> {
  const find = async () =>
    await collection.findOne<Kept>({ _id } as Filter<Kept & { _id: string }>, { projection: WITHOUT_ID })
  for (;;) {
    const found = await find()
    if (found !== null) return { record: found, added: false }
    if (await inserted(collection, { _id, ...record })) return { record: structuredClone(record), added: true }
  }
}

/** Inserts the document; false when one of its unique values is there already. */
export async function inserted<Stored extends Document>(
  collection: Collection<Stored>,
  document: Stored
): Promise<boolean> {
  try {
    await collection.insertOne(document as OptionalUnlessRequiredId<Stored>)
    return true
  } catch (error) {
    if (isDuplicate(error)) return false
    throw error
  }
}
