import type { Filter } from 'mongodb'
import { commandSizesOf } from './command-sizes.ts'
import type { Database } from './database.ts'
import { REPLY_SIZE } from './slices.ts'

/**
 * Deletes what matches, in commands of few documents (`command-sizes.ts`), each of which names their ids. Returns how
 * many. A crash leaves some of them: the caller must be called again then.
 */
export async function deleteInParts<Stored extends { _id: string }>(
  database: Database,
  name: string,
  filter: Filter<Stored>
): Promise<number> {
  const collection = database.collection<Stored>(name)
  const sizes = commandSizesOf(database, name)
  for (let deleted = 0; ; ) {
    const limit = sizes.size()
    const found = await collection
      .find<{ _id: string }>(filter, { projection: { _id: 1 }, limit, batchSize: REPLY_SIZE })
      .toArray()
    if (found.length > 0) {
      const ids = { _id: { $in: found.map(({ _id }) => _id) } } as Filter<Stored>
      deleted += await sizes.measure(found.length, async () => (await collection.deleteMany(ids)).deletedCount)
    }
    if (found.length < limit) return deleted
  }
}
