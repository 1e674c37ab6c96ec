import type { DeliveryStore, ClaimedDelivery } from '../port.ts'
import type { Database } from './database.ts'
import { deliveries, deliveryOf, WITHOUT_LOG, type ShownDelivery } from './delivery-documents.ts'
import { eventKey, EVENTS, type EventDocument } from './event-documents.ts'
import { webhooks } from './webhook-documents.ts'
import { busyAt, leasedAt, takeTurn, type Standing, type Turn } from './webhooks-turn.ts'

/**
 * Up to so many that are due are sorted by sequence. When there are more, they are read in that
 * order, past the ones that wait for a later attempt.
 */
const SORTED_AT_MOST = 1000

type Terms = Parameters<DeliveryStore['claim']>[1]
type Bytes = Pick<EventDocument, '_id' | 'head' | 'tail' | 'projectId'>

/**
 * Hands out deliveries that are to be tried, and takes back those that were not. Leases are in the
 * webhook's document and end at their time: who opens a store knows nothing of other processes.
 */
export function createDeliveryTaking(database: Database): Pick<DeliveryStore, 'claim' | 'release'> {
  return {
    claim: (webhookId, terms) =>
      database.act(async () => {
        const many = await isMany(database, webhookId, terms.now)
        if (many === null) return []
        return (
          (await takeTurn(database, webhookId, (standing) =>
            choose(database, standing, { ...terms, index: many ? 'by_status' : 'due' })
          )) ?? []
        )
      }),
    release: (webhookId, ids) =>
      database.act(async () => {
        await webhooks(database).updateOne({ _id: webhookId }, { $pull: { leases: { id: { $in: ids } } } })
      })
  }
}

const ended = (now: string) => ({ until: { $lte: now } })
const dueAt = (webhookId: string, now: string) =>
  ({ webhookId, status: 'pending', nextAttemptAt: { $lte: now } }) as const

/** Whether more are due than are worth sorting; null: none is. */
async function isMany(database: Database, webhookId: string, now: string): Promise<boolean | null> {
  const look = async (skip: number) =>
    await deliveries(database).findOne(dueAt(webhookId, now), { projection: { _id: 1 }, hint: 'due', skip })
  const [first, next] = await Promise.all([look(0), look(SORTED_AT_MOST)])
  return first === null ? null : next !== null
}

/**
 * Leases are looked at before deliveries, and `record` ends a lease after it wrote its delivery: so
 * what is free here and pending has not been tried meanwhile.
 */
async function choose(
  database: Database,
  standing: Standing,
  { now, leaseUntil, limit, maxInFlight, index }: Terms & { index: string }
): Promise<Turn<ClaimedDelivery[]> | null> {
  const { _id: webhookId, leases, held } = standing
  const most = Math.min(limit, maxInFlight - leasedAt(standing, now).length)
  if (most <= 0) return null
  const filter = { ...dueAt(webhookId, now), _id: { $nin: busyAt(standing, now) } }
  const chosen: ShownDelivery[] = await deliveries(database)
    .find(filter, { projection: WITHOUT_LOG, sort: { sequence: 1 }, limit: most, hint: index })
    .toArray()
  if (chosen.length === 0) return null
  // What has ended counts no more; it goes first, so that nothing is leased twice.
  if ([...leases, ...held].some(({ until }) => until <= now)) {
    await webhooks(database).updateOne({ _id: webhookId }, { $pull: { leases: ended(now), held: ended(now) } })
  }
  const bytes = bytesOf(database, chosen)
  bytes.catch(() => undefined) // Whoever waits for it hears of it; nobody does when the turn is lost.
  return {
    update: {
      $push: { leases: { $each: chosen.map(({ _id, attempts }) => ({ id: _id, until: leaseUntil, attempts })) } }
    },
    done: async () => await joined(database, { chosen, bytes: await bytes, leaseUntil })
  }
}

async function bytesOf(database: Database, chosen: ShownDelivery[]): Promise<Map<string, Bytes>> {
  const keys = chosen.map(({ accountId, eventId }) => eventKey(accountId, eventId))
  const found: Bytes[] = await database
    .collection<EventDocument>(EVENTS)
    .find({ _id: { $in: keys } }, { projection: { head: 1, tail: 1, projectId: 1 } })
    .toArray()
  return new Map(found.map((event) => [event._id, event]))
}

interface Chosen {
  chosen: ShownDelivery[]
  bytes: Map<string, Bytes>
  leaseUntil: string
}

/** A delivery without its event came when that was swept; it goes after it. */
async function joined(database: Database, { chosen, bytes, leaseUntil }: Chosen): Promise<ClaimedDelivery[]> {
  const taken: ClaimedDelivery[] = []
  const lone: string[] = []
  for (const document of chosen) {
    const event = bytes.get(eventKey(document.accountId, document.eventId))
    if (event === undefined) lone.push(document._id)
    else {
      taken.push({
        delivery: deliveryOf(document, leaseUntil),
        head: event.head,
        tail: event.tail,
        projectId: event.projectId
      })
    }
  }
  if (lone.length > 0) await deliveries(database).deleteMany({ _id: { $in: lone } })
  return taken
}
