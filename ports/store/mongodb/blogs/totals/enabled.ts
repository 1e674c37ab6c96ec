import type { Database } from '../../database.ts'
import { PRODUCT_TOTALS_VERSION, TIMES_VERSION, TOTALS_VERSION } from '../../schema-version.ts'
import { blogCollection } from '../documents.ts'
import { ALL_TOTALS, totalsCollection, totalsMark } from '../../totals/documents.ts'
import { isSchemaAtLeast } from '../../totals/enabled.ts'
import { COUNTED_BLOGS } from './documents.ts'
import { deleteAllTimes } from './times.ts'

const MARKED_AT_ONCE = 1_000

/**
 * Whether every process that may write blogs marks its changes. Processes of version 1 of the schema do not, and
 * cannot start with a later one.
 */
export const areTotalsStored = async (database: Database): Promise<boolean> =>
  await isSchemaAtLeast(database, TOTALS_VERSION)

/** Whether every process that may add changes to the counts adds them to the counts by time, too. */
export const areTimesStored = async (database: Database): Promise<boolean> =>
  await isSchemaAtLeast(database, TIMES_VERSION)

/** The same for the sizes of blogs. */
export const areSizesStored = async (database: Database): Promise<boolean> =>
  await isSchemaAtLeast(database, PRODUCT_TOTALS_VERSION)

/**
 * Deletes all counts, and marks all blogs, so that reads count them. Only while totals are not stored. `beforeEach` is
 * called before each write.
 */
export async function markAllBlogs(database: Database, beforeEach: () => Promise<void>): Promise<void> {
  const blogs = blogCollection(database)
  await beforeEach()
  await totalsCollection(database, COUNTED_BLOGS).deleteMany({ _id: ALL_TOTALS })
  await deleteAllTimes(database)
  for (let last = ''; ; ) {
    const page = await blogs
      .find({ _id: { $gt: last } }, { projection: { accountId: 1 }, sort: { _id: 1 }, limit: MARKED_AT_ONCE })
      .toArray()
    if (page.length === 0) return
    last = page.at(-1)!._id
    const byAccount = Map.groupBy(page, ({ accountId }) => accountId)
    await beforeEach()
    await blogs.bulkWrite(
      [...byAccount].map(([accountId, found]) => ({
        updateMany: {
          filter: { _id: { $in: found.map(({ _id }) => _id) } },
          update: { $set: totalsMark(accountId), $unset: { counted: '' as const } }
        }
      })),
      { ordered: false }
    )
  }
}
