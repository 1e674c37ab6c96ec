import type { SweepPage } from '../../../port.ts'
import type { Database } from '../../database.ts'
import { distinctValues } from '../../documents.ts'
import { readSchemaVersion, TOTALS_VERSION } from '../../schema-version.ts'
import { blogCollection } from '../documents.ts'
import { totalsMark } from './documents.ts'

/** How long a process believes that totals are not stored yet. */
const RECHECK_MS = 60_000
const ACCOUNTS_AT_ONCE = 100

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

/** Marks all blogs, so that the first read of an account counts them. Only before totals are stored. */
export async function markAllBlogs(database: Database): Promise<void> {
  // A new database may not have the index yet.
  if ((await blogCollection(database).findOne({}, { projection: { _id: 1 } })) === null) return
  for (let after: string | null = null; ; ) {
    const page: SweepPage<string> = await distinctValues(database, {
      collection: 'blogs',
      field: 'accountId',
      filter: { accountId: { $gt: '' } },
      index: 'by_project',
      after,
      limit: ACCOUNTS_AT_ONCE
    })
    for (const accountId of page.items) {
      await blogCollection(database).updateMany({ accountId, deleted: false }, { $set: totalsMark(accountId) })
    }
    if (page.next === null) return
    after = page.next
  }
}
