import type { Database } from './database.ts'
import { reopenDeliveries } from './deliveries-reopen.ts'
import { recoveries, type RecoveryDocument } from './recovery-documents.ts'

/** So many recoveries are settled by one question. */
const PORTION = 100

/**
 * Does what the last step of the recovery promised. Whoever does it again, or at the same time,
 * reopens no delivery twice: it may have been tried since.
 */
export async function settleReopening(
  database: Database,
  { _id, accountId, reopening }: Pick<RecoveryDocument, '_id' | 'accountId' | 'reopening'>
): Promise<void> {
  if (reopening === undefined) return
  await reopenDeliveries(database, accountId, reopening)
  await recoveries(database).updateOne({ _id, 'reopening.by': reopening.by }, { $unset: { reopening: '' } })
}

/** Does what a crash left to be done, of all recoveries. */
export async function settleReopenings(database: Database): Promise<void> {
  const left = await recoveries(database)
    .find(
      { 'reopening.at': { $gt: '' } },
      { projection: { accountId: 1, reopening: 1 }, limit: PORTION, hint: 'reopening' }
    )
    .toArray()
  for (const recovery of left) await settleReopening(database, recovery)
}

/** Removes recoveries that ended before this time, at most `limit`. */
export async function sweepRecoveries(database: Database, before: string, limit: number): Promise<void> {
  await settleReopenings(database)
  const old = await recoveries(database)
    .find(
      { status: 'done', finishedAt: { $lt: before } },
      { projection: { _id: 1 }, sort: { finishedAt: 1 }, limit, hint: 'done' }
    )
    .toArray()
  if (old.length > 0) await recoveries(database).deleteMany({ _id: { $in: old.map(({ _id }) => _id) } })
}
