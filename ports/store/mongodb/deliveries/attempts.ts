import { randomUUID } from 'node:crypto'
import type { LRUCache } from 'lru-cache'
import type { AnyBulkWriteOperation } from 'mongodb'
import { createGrowingLru } from '../../../../lib/growing-lru.ts'
import { EVENT_BYTES } from '../../../../schemas/event.ts'
import type { DeliveryUpdate, DeliveryStore, ClaimedDelivery } from '../../port.ts'
import type { Database } from '../database.ts'
import { BY_ID } from '../documents.ts'
import { eventCollection, eventKey, type EventDocument } from '../events/add.ts'
import { REPLY_SIZE } from '../slices.ts'
import {
  busyIds,
  changeLeases,
  leasedIds,
  webhookCollection,
  type LeaseChange,
  type LeaseState,
  type WebhookDocument
} from '../webhooks/documents.ts'
import {
  deliveryCollection,
  toDeliveryRecord,
  toLoggedAttempt,
  WITHOUT_LOG,
  type DeliveryDocument,
  type DeliveryWithoutLog
} from './documents.ts'

/**
 * Fewer due deliveries are sorted by sequence in this process. If there are as many, an index returns
 * them in that order and skips those whose next attempt is later.
 */
const MAX_SORTED = 1000
/** A webhook has many due deliveries if a claim found so many times as many as it asked for. */
const MIN_BACKLOG = 2
/** For so many webhooks, a process remembers that many deliveries were due. */
const MAX_BACKLOGS = 10_000
/** Attempts that are kept per delivery. */
const MAX_LOGGED_ATTEMPTS = 50
/** A hold left by a crashed process ends after this time. */
const HOLD_MS = 60_000

const toEventKey = ({ accountId, eventId }: DeliveryWithoutLog): string => eventKey(accountId, eventId)

type ClaimOptions = Parameters<DeliveryStore['claim']>[1]
type EventBytes = Pick<EventDocument, '_id' | 'head' | 'tail' | 'projectId'>

/**
 * Leases deliveries to workers and records their attempts. Leases are stored in the webhook's
 * document and end at their time, because a process knows nothing about workers in other processes.
 */
export function createDeliveryAttempts(
  database: Database
): Pick<DeliveryStore, 'claim' | 'release' | 'recordAttempts'> {
  const backlogs: Backlogs = createGrowingLru(MAX_BACKLOGS)
  return {
    claim: (webhookId, options) =>
      database.run(
        async () =>
          (await changeLeases(database, webhookId, (state) => leaseDue({ database, backlogs }, state, options))) ?? []
      ),
    release: (webhookId, ids) =>
      database.run(async () => {
        await webhookCollection(database).updateOne({ _id: webhookId }, { $pull: { leases: { id: { $in: ids } } } })
      }),
    /**
     * Two round trips: first the deliveries, then their leases. After a crash in between, the
     * leases end at their time. In the reverse order a worker could take a delivery that is
     * finished.
     */
    recordAttempts: (updates) =>
      database.run(async () => {
        if (updates.length === 0) return
        const { matchedCount } = await deliveryCollection(database).bulkWrite(updates.map(toAttemptUpdate), {
          ordered: true
        })
        if (matchedCount < updates.length) await recordLateSuccesses(database, updates)
        await webhookCollection(database).bulkWrite(toLeaseReleases(updates), { ordered: false })
      })
  }
}

const isExpired = (now: string) => ({ until: { $lte: now } })
const isDue = (webhookId: string, now: string) =>
  ({ webhookId, status: 'pending', nextAttemptAt: { $lte: now } }) as const

/** Webhooks of which a claim found many due deliveries, and no later one fewer than it asked for. */
type Backlogs = LRUCache<string, true>

interface DueQuery {
  webhookId: string
  now: string
  busy: string[]
  limit: number
}

/**
 * Due deliveries except those that are busy, the smallest sequence first. To read all that are due costs more than
 * those that are returned, so that the claims that follow on one that found many read only what they ask for.
 */
async function findDue(
  database: Database,
  backlogs: Backlogs,
  { webhookId, now, busy, limit }: DueQuery
): Promise<DeliveryWithoutLog[]> {
  const find = (index: string, sort: Record<string, 1>, max: number): Promise<DeliveryWithoutLog[]> =>
    deliveryCollection(database)
      .find(
        { ...isDue(webhookId, now), _id: { $nin: busy } },
        { projection: WITHOUT_LOG, sort, limit: max, hint: index, batchSize: REPLY_SIZE }
      )
      .toArray()
  if (backlogs.get(webhookId) === undefined) {
    const first = await find('due', { nextAttemptAt: 1 }, MAX_SORTED)
    if (first.length > MIN_BACKLOG * limit) backlogs.set(webhookId, true)
    if (first.length < MAX_SORTED) return first.toSorted((a, b) => a.sequence - b.sequence).slice(0, limit)
  }
  const found = await find('by_status', { sequence: 1 }, limit)
  if (found.length < limit) backlogs.delete(webhookId)
  return found
}

/** The first of these deliveries whose events have at most `maxBytes` together, and at least one. */
async function takeFirst(
  database: Database,
  due: DeliveryWithoutLog[],
  maxBytes: number
): Promise<DeliveryWithoutLog[]> {
  if (due.length * EVENT_BYTES <= maxBytes) return due
  const bytes = { $add: [{ $strLenBytes: '$head' }, { $strLenBytes: '$tail' }] }
  const sizes = await eventCollection(database)
    .aggregate<{ _id: string; bytes: number }>(
      [{ $match: { _id: { $in: due.map(toEventKey) } } }, { $project: { bytes } }],
      { batchSize: REPLY_SIZE }
    )
    .toArray()
  const sizeOf = new Map(sizes.map((event) => [event._id, event.bytes]))
  let total = 0
  return due.filter((each, index) => (total += sizeOf.get(toEventKey(each)) ?? 0) <= maxBytes || index === 0)
}

/**
 * Leases are read before deliveries, and `recordAttempts` writes a delivery before it ends the
 * lease. Therefore a delivery that is pending and not leased here has not been attempted meanwhile.
 */
async function leaseDue(
  { database, backlogs }: { database: Database; backlogs: Backlogs },
  state: LeaseState,
  { now, leaseUntil, limit, maxInFlight, maxBytes = Infinity, isFirst = false }: ClaimOptions
): Promise<LeaseChange<ClaimedDelivery[]> | null> {
  const { _id: webhookId, leases, holds } = state
  const leased = leasedIds(state, now).length
  const max = Math.min(limit, maxInFlight - leased)
  if (max <= 0 || (isFirst && leased > 0)) return null
  const found = await findDue(database, backlogs, { webhookId, now, busy: busyIds(state, now), limit: max })
  if (found.length === 0) return null
  const due = await takeFirst(database, found, maxBytes)
  // Remove expired leases and holds first, so that no delivery has two leases.
  if ([...leases, ...holds].some(({ until }) => until <= now)) {
    await webhookCollection(database).updateOne(
      { _id: webhookId },
      { $pull: { leases: isExpired(now), holds: isExpired(now) } }
    )
  }
  const reading = readEventBytes(database, due)
  // `onSuccess` awaits the result and its error. It is not called when the update is lost.
  reading.catch(() => undefined)
  return {
    update: {
      $push: { leases: { $each: due.map(({ _id, attempts }) => ({ id: _id, until: leaseUntil, attempts })) } }
    },
    onSuccess: async () => await toClaimedDeliveries(database, { due, events: await reading, leaseUntil })
  }
}

async function readEventBytes(database: Database, due: DeliveryWithoutLog[]): Promise<Map<string, EventBytes>> {
  const keys = due.map(toEventKey)
  const found: EventBytes[] = await eventCollection(database)
    .find({ _id: { $in: keys } }, { projection: { head: 1, tail: 1, projectId: 1 }, batchSize: REPLY_SIZE })
    .toArray()
  return new Map(found.map((event) => [event._id, event]))
}

/** Deletes deliveries without an event, which were added while the event was swept. */
async function toClaimedDeliveries(
  database: Database,
  { due, events, leaseUntil }: { due: DeliveryWithoutLog[]; events: Map<string, EventBytes>; leaseUntil: string }
): Promise<ClaimedDelivery[]> {
  const claimed: ClaimedDelivery[] = []
  const orphans: string[] = []
  for (const document of due) {
    const event = events.get(toEventKey(document))
    if (event === undefined) orphans.push(document._id)
    else {
      claimed.push({
        delivery: toDeliveryRecord(document, leaseUntil),
        head: event.head,
        tail: event.tail,
        projectId: event.projectId
      })
    }
  }
  if (orphans.length > 0) await deliveryCollection(database).deleteMany({ _id: { $in: orphans } })
  return claimed
}

function toFields({ status, attempts, round, nextAttemptAt, lastStatus, lastError, deliveredAt }: DeliveryUpdate) {
  return { status, attempts, round, nextAttemptAt, lastStatus, lastError, deliveredAt }
}

/**
 * Matches nothing when the attempt is stored already: a worker whose lease had ended made the same
 * attempt, and the first record of it wins.
 */
function toAttemptUpdate(update: DeliveryUpdate): AnyBulkWriteOperation<DeliveryDocument> {
  const { id, webhookId, attempt } = update
  return {
    updateOne: {
      filter: { _id: id, webhookId, 'attemptLog.number': { $ne: attempt.number } },
      update: {
        $set: toFields(update),
        $push: { attemptLog: { $each: [toLoggedAttempt(attempt)], $sort: { number: 1 }, $slice: -MAX_LOGGED_ATTEMPTS } }
      }
    }
  }
}

/** A success counts even if its attempt is stored already, because the receiver has the event. */
async function recordLateSuccesses(database: Database, updates: DeliveryUpdate[]): Promise<void> {
  const latest = new Map<string, number>()
  for (const { id, attempt } of updates) latest.set(id, Math.max(latest.get(id) ?? 0, attempt.number))
  const successes = updates.filter(
    ({ id, status, attempt }) => status === 'delivered' && attempt.number === latest.get(id)
  )
  if (successes.length === 0) return
  await deliveryCollection(database).bulkWrite(
    successes.map((change): AnyBulkWriteOperation<DeliveryDocument> => {
      const { id, webhookId, attempt } = change
      return {
        updateOne: {
          filter: { _id: id, webhookId, 'attemptLog.number': attempt.number, status: { $ne: 'delivered' } },
          update: { $set: toFields(change) }
        }
      }
    }),
    { ordered: true }
  )
}

/** Ends the leases of these attempts: leases with a smaller attempt count, not later ones. */
function toLeaseReleases(updates: DeliveryUpdate[]): AnyBulkWriteOperation<WebhookDocument>[] {
  const groups = Map.groupBy(updates, ({ webhookId, attempts }) => `${webhookId} ${attempts}`)
  return [...groups.values()].map((group) => {
    const { webhookId, attempts } = group[0]!
    return {
      updateOne: {
        filter: { _id: webhookId },
        update: { $pull: { leases: { id: { $in: group.map(({ id }) => id) }, attempts: { $lt: attempts } } } }
      }
    }
  })
}

export interface Requeue {
  ids: string[]
  at: string
  /**
   * The step of a recovery, which requeues each delivery at most once. Null outside of recoveries.
   */
  by: string | null
}

/**
 * Makes these deliveries of the account due at `at`, in a new round. Skips deliveries that are
 * leased then. Returns the number of requeued deliveries.
 */
export async function requeueDeliveries(database: Database, accountId: string, requeue: Requeue): Promise<number> {
  const found = await deliveryCollection(database)
    .find(
      { _id: { $in: requeue.ids }, accountId, ...notRequeuedBy(requeue) },
      { projection: { webhookId: 1 }, ...BY_ID }
    )
    .toArray()
  let count = 0
  for (const [webhookId, group] of Map.groupBy(found, (delivery) => delivery.webhookId)) {
    count += await requeueOfWebhook(database, webhookId, { ...requeue, ids: group.map(({ _id }) => _id) })
  }
  return count
}

const notRequeuedBy = ({ by }: Requeue) => (by === null ? {} : { requeuedBy: { $ne: by } })

/**
 * Holds the deliveries, so that no worker takes one between the check of its lease and the update.
 * Two processes may hold one delivery. Repeating a step of a recovery ends the hold of the crashed
 * process.
 */
async function requeueOfWebhook(database: Database, webhookId: string, requeue: Requeue): Promise<number> {
  const { ids, at, by } = requeue
  const token = by ?? randomUUID()
  const until = new Date(Date.parse(at) + HOLD_MS).toISOString()
  const count = await changeLeases(database, webhookId, async (state) => {
    const leased = new Set(leasedIds(state, at))
    const free = ids.filter((id) => !leased.has(id))
    if (free.length === 0) return null
    const fields = {
      status: 'pending',
      round: 0,
      nextAttemptAt: at,
      deliveredAt: null,
      ...(by === null ? {} : { requeuedBy: by })
    } as const
    return {
      // Leases of free deliveries have ended and can be removed.
      update: {
        $pull: { leases: { id: { $in: free } } },
        $push: { holds: { $each: free.map((id) => ({ id, until, by: token })) } }
      },
      onSuccess: async () => {
        const { matchedCount } = await deliveryCollection(database).updateMany(
          { _id: { $in: free }, webhookId, ...notRequeuedBy(requeue) },
          { $set: fields }
        )
        return matchedCount
      }
    }
  })
  if (count === null) return 0
  await webhookCollection(database).updateOne({ _id: webhookId }, { $pull: { holds: { by: token } } })
  return count
}
