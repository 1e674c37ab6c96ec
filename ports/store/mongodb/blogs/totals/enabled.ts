import type { Database } from '../../database.ts'
import { readSchemaVersion, TOTALS_VERSION } from '../../schema-version.ts'
import { blogCollection } from '../documents.ts'
import { ALL_TOTALS, totalsCollection, totalsMark } from './documents.ts'

/** How long a process believes that totals are not stored yet. */
const RECHECK_MS = 60_000
const MARKED_AT_ONCE = 1_000

const known = new WeakMap<Database, { isEnabled: boolean; checkedMs: number }>()

/**
 * Whether every process that may write blogs marks its changes. Processes of version 1 of the schema do not, and
 * cannot start with a later one.
 */
export async function areTotalsStored(database: Database): Promise<boolean> {
  const last = known.get(database)
  if (last !== undefined && (last.isEnabled || performance.now() - last.checkedMs < RECHECK_MS)) return last.isEnabled
  const isEnabled = ((await readSchemaVersion(database)) ?? 0) >= TOTALS_VERSION
  known.set(database, { isEnabled, checkedMs: performance.now() })
  return isEnabled
}

/** Deletes all counts, and marks all blogs, so that reads count them. Only while totals are not stored. */
export async function markAllBlogs(database: Database): Promise<void> {
  const blogs = blogCollection(database)
  await totalsCollection(database).deleteMany({ _id: ALL_TOTALS })
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
