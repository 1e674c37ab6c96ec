import type { Filter } from 'mongodb'
import type { DeliveryFilter, DeliveryStore, SweepPage } from '../../port.ts'
import type { Database } from '../database.ts'
import { BY_ID, toSweepPage } from '../documents.ts'
import { eventCollection, eventKey } from '../events/add.ts'
import { REPLY_SIZE } from '../slices.ts'
import { busyIds, isDeleted, webhookCollection, type Lease, type WebhookDocument } from '../webhooks/documents.ts'
import {
  deliveryCollection,
  toAttempt,
  toDeliveryRecord,
  WITHOUT_LOG,
  type DeliveryDocument,
  type DeliveryWithoutLog
} from './documents.ts'

/** Deliveries that `dueWebhooks` reads at a time. */
const PAGE_SIZE = 100

/** Reads deliveries. Those of a deleted webhook are invisible, even while documents are left. */
export function createDeliveryReads(database: Database): Pick<DeliveryStore, 'find' | 'list' | 'between'> {
  const deliveries = deliveryCollection(database)
  /** Null when the webhook does not exist or belongs to another account. */
  async function readLeases(_id: string, accountId: string | null): Promise<Lease[] | null> {
    const found = await webhookCollection(database).findOne(
      { _id, accountId: accountId ?? { $gt: '' } },
      { projection: { leases: 1 } }
    )
    return found?.leases ?? null
  }

  return {
    find: (accountId, id) =>
      database.run(async () => {
        const found = await deliveries.findOne({ _id: id, accountId })
        if (found === null) return null
        const [event, leases] = await Promise.all([
          eventCollection(database).findOne(
            { _id: eventKey(accountId, found.eventId) },
            { projection: { head: 1, tail: 1 } }
          ),
          readLeases(found.webhookId, accountId)
        ])
        if (event === null || leases === null) return null
        const [delivery] = toRecords([found], leases)
        return { delivery: delivery!, attemptLog: found.attemptLog.map(toAttempt), head: event.head, tail: event.tail }
      }),
    list: (query, { page, pageSize }) =>
      database.run(async () => {
        const filter = toFilter(query)
        const [found, totalCount, leases] = await Promise.all([
          deliveries
            .find<DeliveryWithoutLog>(filter, {
              projection: WITHOUT_LOG,
              sort: { sequence: -1 },
              skip: (page - 1) * pageSize,
              limit: pageSize
            })
            .toArray(),
          // Without an order, nearly all indexes are candidates: see `countIn` of blogs.
          deliveries.countDocuments(filter, { hint: query.status === undefined ? 'list' : 'by_status' }),
          readLeases(query.webhookId, query.accountId)
        ])
        return leases === null
          ? { deliveries: [], totalCount: 0 }
          : { deliveries: toRecords(found, leases), totalCount }
      }),
    between: (webhookId, { since, until, afterSequence, limit }) =>
      database.run(async () => {
        const filter = { webhookId, sequence: { $gt: afterSequence }, eventAt: { $gte: since, $lt: until } }
        const [found, leases] = await Promise.all([
          deliveries
            .find<DeliveryWithoutLog>(filter, { projection: WITHOUT_LOG, sort: { sequence: 1 }, limit, hint: 'list' })
            .toArray(),
          readLeases(webhookId, null)
        ])
        return leases === null ? [] : toRecords(found, leases)
      })
  }
}

function toRecords(found: DeliveryWithoutLog[], leases: Lease[]) {
  const leaseEnds = new Map(leases.map(({ id, until }) => [id, until]))
  return found.map((document) => toDeliveryRecord(document, leaseEnds.get(document._id) ?? null))
}

function toFilter({ webhookId, status, event, since }: DeliveryFilter): Filter<DeliveryDocument> {
  return {
    webhookId,
    ...(status === undefined ? {} : { status }),
    ...(event === undefined ? {} : { event }),
    ...(since === undefined ? {} : { eventAt: { $gte: since } })
  }
}

type WebhookState = Pick<WebhookDocument, '_id' | 'accountId' | 'leases' | 'holds' | 'record'>
const STATE_FIELDS = {
  accountId: 1,
  leases: 1,
  holds: 1,
  'record.disabledBy': 1,
  'record.health.pausedUntil': 1
} as const

/** A webhook with pending deliveries, and the next attempt time of the first of them. */
interface PendingWebhook {
  webhookId: string
  firstAt: string
}

/** Finds webhooks with due deliveries. */
export function createDeliverySchedule(database: Database): Pick<DeliveryStore, 'dueWebhooks' | 'nextDueAt'> {
  return {
    dueWebhooks: (now, { after, limit }) =>
      database.run(async () => {
        const { items, next } = await findPendingWebhooks(database, after, limit)
        const dueIds = items.filter(({ firstAt }) => firstAt <= now).map(({ webhookId }) => webhookId)
        return { items: dueIds.length === 0 ? [] : await findDue(database, dueIds, now), next }
      }),
    nextDueAt: (webhookId) =>
      database.run(async () => {
        // Usually everything is delivered, and one command is enough.
        if ((await nextPendingExcept(database, webhookId, [])) === null) return null
        const webhook = await webhookCollection(database).findOne(
          { _id: webhookId, accountId: { $gt: '' } },
          { projection: { leases: 1, holds: 1 } }
        )
        if (webhook === null) return null
        const next = await Promise.all([nextUnleased(database, webhook), nextLeased(database, webhook)])
        return next.filter((dueAt) => dueAt !== null).toSorted()[0] ?? null
      })
  }
}

/** Webhooks with pending deliveries, in order of id. Reads at most 100 deliveries of each. */
async function findPendingWebhooks(
  database: Database,
  after: string | null,
  limit: number
): Promise<SweepPage<PendingWebhook>> {
  const found = new Map<string, string>()
  for (let last = after ?? ''; found.size < limit; ) {
    const page = await deliveryCollection(database)
      .find(
        { status: 'pending', webhookId: { $gt: last } },
        {
          projection: { _id: 0, webhookId: 1, nextAttemptAt: 1 },
          sort: { webhookId: 1, nextAttemptAt: 1 },
          limit: PAGE_SIZE,
          hint: 'due'
        }
      )
      .toArray()
    for (const { webhookId, nextAttemptAt } of page) {
      if (!found.has(webhookId)) found.set(webhookId, nextAttemptAt!)
    }
    if (page.length < PAGE_SIZE) break
    last = page.at(-1)!.webhookId
  }
  return toSweepPage([...found].slice(0, limit), limit, {
    keyOf: ([webhookId]) => webhookId,
    toItem: ([webhookId, firstAt]) => ({ webhookId, firstAt })
  })
}

/**
 * The enabled, unpaused webhooks among these with a delivery that is due at `now` and not busy. All
 * of them have one that is due.
 */
async function findDue(
  database: Database,
  ids: string[],
  now: string
): Promise<{ accountId: string; webhookId: string }[]> {
  const found: WebhookState[] = await webhookCollection(database)
    .find({ _id: { $in: ids } }, { projection: STATE_FIELDS, batchSize: REPLY_SIZE })
    .toArray()
  const due: { accountId: string; webhookId: string }[] = []
  for (const webhook of found) {
    if (isDeleted(webhook)) continue
    const { _id: webhookId, accountId, record } = webhook
    const { pausedUntil } = record.health
    if (record.disabledBy !== null || (pausedUntil !== null && pausedUntil > now)) continue
    const busy = busyIds(webhook, now)
    const dueAt = busy.length === 0 ? now : await nextPendingExcept(database, webhookId, busy)
    if (dueAt !== null && dueAt <= now) due.push({ accountId, webhookId })
  }
  return due
}

/** The next attempt time of the webhook's pending deliveries, except for these deliveries. */
async function nextPendingExcept(database: Database, webhookId: string, ids: string[]): Promise<string | null> {
  const next = await deliveryCollection(database).findOne(
    { webhookId, status: 'pending', _id: { $nin: ids } },
    { projection: { _id: 0, nextAttemptAt: 1 }, sort: { nextAttemptAt: 1 }, hint: 'due' }
  )
  return next?.nextAttemptAt ?? null
}

type WebhookLeases = Pick<WebhookDocument, '_id' | 'leases' | 'holds'>
const leasesAndHolds = ({ leases, holds }: WebhookLeases) => [...leases, ...holds]

async function nextUnleased(database: Database, webhook: WebhookLeases): Promise<string | null> {
  const ids = leasesAndHolds(webhook).map(({ id }) => id)
  return await nextPendingExcept(database, webhook._id, ids)
}

async function nextLeased(database: Database, webhook: WebhookLeases): Promise<string | null> {
  const leaseEnds = new Map(leasesAndHolds(webhook).map(({ id, until }) => [id, until]))
  if (leaseEnds.size === 0) return null
  const found = await deliveryCollection(database)
    .find({ _id: { $in: [...leaseEnds.keys()] }, status: 'pending' }, { projection: { nextAttemptAt: 1 }, ...BY_ID })
    .toArray()
  const times = found.map(({ _id, nextAttemptAt }) => [leaseEnds.get(_id)!, nextAttemptAt!].toSorted()[1]!)
  return times.toSorted()[0] ?? null
}
