import type { UsageHour } from '../../../schemas/account.ts'
import type { UsageStore } from '../port.ts'
import type { Database } from './database.ts'
import { duplicatesOf } from './driver-errors.ts'
import { compoundId } from './records-changed.ts'

interface UsageDocument extends UsageHour {
  _id: string
  accountId: string
}

/**
 * Keeps how many requests an account made in each hour. Each count is added by itself: a crash in
 * the middle of many leaves some out.
 */
export function createUsage(database: Database): UsageStore {
  const usage = database.collection<UsageDocument>('usage')

  return {
    add: (counts) =>
      database.act(async () => {
        let left = counts.map(({ accountId, hour, requests, refused }) => ({
          updateOne: {
            filter: { _id: compoundId(accountId, hour) },
            update: { $inc: { requests, refused }, $setOnInsert: { accountId, hour } },
            upsert: true
          }
        }))
        while (left.length > 0) {
          try {
            await usage.bulkWrite(left, { ordered: false })
            return
          } catch (error) {
            // Two processes began the same hour at once; the later one adds to it.
            left = duplicatesOf(error).map((at) => left[at]!)
          }
        }
      }),
    hours: (accountId, since) =>
      database.act(() =>
        usage
          .find<UsageHour>(
            { accountId, hour: { $gte: since }, $or: [{ requests: { $gt: 0 } }, { refused: { $gt: 0 } }] },
            { projection: { _id: 0, accountId: 0 }, sort: { hour: 1 } }
          )
          .toArray()
      )
  }
}
