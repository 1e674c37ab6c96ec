import type { Database } from './database.ts'
import { deliveries } from './delivery-documents.ts'
import { webhooks } from './webhook-documents.ts'

/**
 * Removes the deliveries of these events. Before that it writes down their webhooks' greatest
 * numbers, where `add` goes on from.
 */
export async function removeDeliveriesOf(
  database: Database,
  events: { accountId: string; id: string }[]
): Promise<void> {
  for (const [accountId, theirs] of Map.groupBy(events, (event) => event.accountId)) {
    const filter = { eventId: { $in: theirs.map(({ id }) => id) }, accountId }
    const last = await deliveries(database)
      .aggregate<{ _id: string; sequence: number }>([
        { $match: filter },
        { $group: { _id: '$webhookId', sequence: { $max: '$sequence' } } }
      ])
      .toArray()
    if (last.length === 0) continue
    await webhooks(database).bulkWrite(
      last.map(({ _id, sequence }) => ({
        updateOne: { filter: { _id, accountId }, update: { $max: { swept: sequence } } }
      })),
      { ordered: false }
    )
    await deliveries(database).deleteMany(filter)
  }
}
