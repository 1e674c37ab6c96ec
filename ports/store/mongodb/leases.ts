import { isDuplicateKey } from '../../../lib/mongodb.ts'
import type { LeaseStore } from '../port.ts'
import type { Database } from './database.ts'

interface LeaseDocument {
  _id: string
  holder: string
  until: string
}

/** Distributed locks that expire. */
export function createLeases(database: Database): LeaseStore {
  const leases = database.collection<LeaseDocument>('leases')

  return {
    acquire: ({ name, holder, now, until }) =>
      database.run(async () => {
        try {
          await leases.updateOne(
            { _id: name, $or: [{ holder }, { until: { $lte: now } }] },
            { $set: { holder, until } },
            { upsert: true }
          )
          return true
        } catch (error) {
          // The filter matched nothing and the name exists: another holder has the lease.
          if (isDuplicateKey(error)) return false
          throw error
        }
      }),
    release: async ({ name, holder }) => {
      await database.run(() => leases.deleteOne({ _id: name, holder }))
    }
  }
}
