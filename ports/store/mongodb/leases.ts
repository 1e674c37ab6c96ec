import type { LeaseStore } from '../port.ts'
import type { Database } from './database.ts'
import { isDuplicate } from './driver-errors.ts'

interface LeaseDocument {
  _id: string
  holder: string
  until: string
}

/** Keeps who may do what only one may do at a time. */
export function createLeases(database: Database): LeaseStore {
  const leases = database.collection<LeaseDocument>('leases')
  return {
    acquire: ({ name, holder, now, until }) =>
      database.act(async () => {
        try {
          await leases.updateOne(
            { _id: name, $or: [{ holder }, { until: { $lte: now } }] },
            { $set: { holder, until } },
            { upsert: true }
          )
          return true
        } catch (error) {
          // Nothing matched, and one of this name is there: another has it.
          if (isDuplicate(error)) return false
          throw error
        }
      }),
    release: async ({ name, holder }) => {
      await database.act(() => leases.deleteOne({ _id: name, holder }))
    }
  }
}
