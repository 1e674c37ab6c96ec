import type { Database } from '../../database.ts'
import { readSchemaVersion, SCHEMA_VERSION, TIMES_VERSION, TOTALS_VERSION } from '../../schema-version.ts'
import { blogCollection } from '../documents.ts'
import { ALL_TOTALS, totalsCollection, totalsMark } from './documents.ts'
import { deleteAllTimes } from './times.ts'

/** How long a process believes that the database has an older version. */
const RECHECK_MS = 60_000
const MARKED_AT_ONCE = 1_000

const known = new WeakMap<Database, { version: number; checkedMs: number }>()

async function storedVersion(database: Database): Promise<number> {
  const last = known.get(database)
  const isKnown =
    last !== undefined && (last.version >= SCHEMA_VERSION || performance.now() - last.checkedMs < RECHECK_MS)
  if (isKnown) return last.version
  const version = (await readSchemaVersion(database)) ?? 0
  known.set(database, { version, checkedMs: performance.now() })
  return version
}

/**
 * Whether every process that may write blogs marks its changes. Processes of version 1 of the schema do not, and
 * cannot start with a later one.
 */
export const areTotalsStored = async (database: Database): Promise<boolean> =>
  (await storedVersion(database)) >= TOTALS_VERSION

/** Whether every process that may add changes to the counts adds them to the counts by time, too. */
export const areTimesStored = async (database: Database): Promise<boolean> =>
  (await storedVersion(database)) >= TIMES_VERSION

/** Deletes all counts, and marks all blogs, so that reads count them. Only while totals are not stored. */
export async function markAllBlogs(database: Database): Promise<void> {
  const blogs = blogCollection(database)
  await totalsCollection(database).deleteMany({ _id: ALL_TOTALS })
  await deleteAllTimes(database)
  for (let last = ''; ; ) {
    const page = await blogs
      .find({ _id: { $gt: last } }, { projection: { accountId: 1 }, sort: { _id: 1 }, limit: MARKED_AT_ONCE })
      .toArray()
    if (page.length === 0) return
    last = page.at(-1)!._id
    const byAccount = Map.groupBy(page, ({ accountId }) => accountId)
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
