import type { AnyBulkWriteOperation } from 'mongodb'
import type { NewEvent } from '../port.ts'
import type { Database } from './database.ts'
import { readSettled } from './products-batch-reads.ts'
import { awaitBatches, batchesOf } from './products-batch-settle.ts'
import { FREE, products, SHOWN, type ProductDocument } from './products-documents.ts'

/** The product is told with these outputs (their digest), as it is in this version. */
export interface ToldMark {
  id: string
  ifVersion: number
  digest: string
}

/** How many events a product remembers: more than can be applied to it at a time. */
const REMEMBERED = 4
/** Longer than a batch can stay undecided. */
const BATCH_MS = 60_000

/** True when all these products of the account have something to tell and are of these versions. */
export async function standsUntold(database: Database, accountId: string, marks: ToldMark[]): Promise<boolean> {
  const ids = marks.map(({ id }) => id)
  const found = await readSettled(database, () =>
    products(database)
      .find({ _id: { $in: ids }, accountId }, { projection: { version: 1, eventPendingSince: 1, 'pending.batch': 1 } })
      .toArray()
  )
  const byId = new Map(found.map((document) => [document._id, document]))
  return marks.every(
    ({ id, ifVersion }) => byId.get(id)?.version === ifVersion && byId.get(id)?.eventPendingSince !== undefined
  )
}

/**
 * Marks these products of the account as told by this event, one version on: `told` is the digest,
 * and nothing is left to tell. Of one that changed since, something is:
 * it is compared with what was told and told again. One that is gone is passed over. Doing it
 * again, also with many at once, does nothing.
 */
export async function applyMarks(
  database: Database,
  { id: eventId, accountId }: Pick<NewEvent, 'id' | 'accountId'>,
  marks: ToldMark[]
): Promise<void> {
  const set = (
    { id, digest }: ToldMark,
    version: number,
    left: string | null
  ): AnyBulkWriteOperation<ProductDocument> => ({
    updateOne: {
      filter: { _id: id, accountId, version, ...FREE },
      update: {
        $set: { publishedDigest: digest, ...(left === null ? {} : { eventPendingSince: left }) },
        $inc: { version: 1 },
        $push: { toldBy: { $each: [eventId], $slice: -REMEMBERED } },
        ...(left === null ? { $unset: { eventPendingSince: '' as const } } : {})
      }
    }
  })
  const byId = new Map(marks.map((mark) => [mark.id, mark]))
  let writes = marks.map((mark) => set(mark, mark.ifVersion, null))
  while (writes.length > 0) {
    const { matchedCount } = await products(database).bulkWrite(writes, { ordered: false })
    if (matchedCount === byId.size) return
    const left = await products(database)
      .find(
        { _id: { $in: [...byId.keys()] }, accountId, ...SHOWN, toldBy: { $ne: eventId } },
        { projection: { version: 1, eventPendingSince: 1, 'pending.batch': 1 } }
      )
      .toArray()
    const open = batchesOf(left)
    if (open.length > 0) await awaitBatches(database, open, BATCH_MS)
    const now = new Date().toISOString()
    writes = left.map(({ _id, version, eventPendingSince }) => {
      const mark = byId.get(_id) as ToldMark
      return set(mark, version, version === mark.ifVersion ? null : (eventPendingSince ?? now))
    })
  }
}
