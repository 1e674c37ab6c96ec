import { randomUUID } from 'node:crypto'
import type { Database } from './database.ts'
import { deliveries } from './delivery-documents.ts'
import { webhooks } from './webhook-documents.ts'
import { leasedAt, takeTurn } from './webhooks-turn.ts'

/** After this long deliveries that somebody was reopening when he died can be taken again. */
const HOLD_MS = 60_000

export interface Reopening {
  ids: string[]
  at: string
  /** The step of a recovery that does it: no delivery is reopened twice by it. Null: none. */
  by: string | null
}

/**
 * Lets the account's deliveries of these ids be tried again from `at` on, in a new round; those
 * that are leased then are passed over. Returns how many.
 */
export async function reopenDeliveries(database: Database, accountId: string, reopening: Reopening): Promise<number> {
  const found = await deliveries(database)
    .find({ _id: { $in: reopening.ids }, accountId, ...notBy(reopening) }, { projection: { webhookId: 1 } })
    .toArray()
  let count = 0
  for (const [webhookId, theirs] of Map.groupBy(found, (delivery) => delivery.webhookId)) {
    count += await reopenOf(database, webhookId, { ...reopening, ids: theirs.map(({ _id }) => _id) })
  }
  return count
}

const notBy = ({ by }: Reopening) => (by === null ? {} : { reopenedBy: { $ne: by } })

/**
 * Holds them, so that nobody takes one between the look at its lease and its change. Two may hold
 * one delivery; a step of a recovery that is done again ends the hold of who died over it.
 */
async function reopenOf(database: Database, webhookId: string, reopening: Reopening): Promise<number> {
  const { ids, at, by } = reopening
  const token = by ?? randomUUID()
  const until = new Date(Date.parse(at) + HOLD_MS).toISOString()
  const count = await takeTurn(database, webhookId, async (standing) => {
    const busy = new Set(leasedAt(standing, at))
    const free = ids.filter((id) => !busy.has(id))
    if (free.length === 0) return null
    const change = {
      status: 'pending',
      round: 0,
      nextAttemptAt: at,
      deliveredAt: null,
      ...(by === null ? {} : { reopenedBy: by })
    } as const
    return {
      // A lease that has ended means nothing any more.
      update: {
        $pull: { leases: { id: { $in: free } } },
        $push: { held: { $each: free.map((id) => ({ id, until, by: token })) } }
      },
      done: async () =>
        (
          await deliveries(database).updateMany(
            { _id: { $in: free }, webhookId, ...notBy(reopening) },
            { $set: change }
          )
        ).matchedCount
    }
  })
  if (count === null) return 0
  await webhooks(database).updateOne({ _id: webhookId }, { $pull: { held: { by: token } } })
  return count
}
