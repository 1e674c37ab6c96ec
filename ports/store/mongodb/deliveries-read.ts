import type { Filter } from 'mongodb'
import type { DeliveryFilter, DeliveryStore } from '../port.ts'
import type { Database } from './database.ts'
import {
  deliveries,
  deliveryOf,
  leaseEnds,
  WITHOUT_LOG,
  type DeliveryDocument,
  type ShownDelivery
} from './delivery-documents.ts'
import { eventKey, EVENTS, type EventDocument } from './event-documents.ts'
import { webhooks, type Lease } from './webhook-documents.ts'

/**
 * Reads deliveries, one by its id or many of a webhook. Of a webhook that is removed there are
 * none, whatever is left of them.
 */
export function createDeliveryReads(database: Database): Pick<DeliveryStore, 'find' | 'list' | 'between'> {
  /** Null: there is no such webhook, or it is another account's. */
  const leasesOf = async (_id: string, accountId: string | null): Promise<Lease[] | null> =>
    (await webhooks(database).findOne({ _id, accountId: accountId ?? { $gt: '' } }, { projection: { leases: 1 } }))
      ?.leases ?? null
  const eventOf = async (accountId: string, id: string) =>
    await database
      .collection<EventDocument>(EVENTS)
      .findOne({ _id: eventKey(accountId, id) }, { projection: { head: 1, tail: 1 } })

  return {
    find: (accountId, id) =>
      database.act(async () => {
        const found = await deliveries(database).findOne({ _id: id, accountId })
        if (found === null) return null
        const [event, leases] = await Promise.all([
          eventOf(accountId, found.eventId),
          leasesOf(found.webhookId, accountId)
        ])
        if (event === null || leases === null) return null
        return {
          delivery: deliveryOf(found, leaseEnds(leases)(id)),
          attemptLog: found.attemptLog,
          head: event.head,
          tail: event.tail
        }
      }),
    list: (filter, { page, pageSize }) =>
      database.act(async () => {
        const conditions = conditionsOf(filter)
        const [found, totalCount, leases] = await Promise.all([
          deliveries(database)
            .find<ShownDelivery>(conditions, {
              projection: WITHOUT_LOG,
              sort: { sequence: -1 },
              skip: (page - 1) * pageSize,
              limit: pageSize
            })
            .toArray(),
          deliveries(database).countDocuments(conditions),
          leasesOf(filter.webhookId, filter.accountId)
        ])
        return leases === null ? { deliveries: [], totalCount: 0 } : { deliveries: shown(found, leases), totalCount }
      }),
    between: (webhookId, { since, until, afterSequence, limit }) =>
      database.act(async () => {
        const conditions = { webhookId, sequence: { $gt: afterSequence }, eventAt: { $gte: since, $lt: until } }
        const [found, leases] = await Promise.all([
          deliveries(database)
            .find<ShownDelivery>(conditions, { projection: WITHOUT_LOG, sort: { sequence: 1 }, limit, hint: 'listed' })
            .toArray(),
          leasesOf(webhookId, null)
        ])
        return leases === null ? [] : shown(found, leases)
      })
  }
}

function shown(found: ShownDelivery[], leases: Lease[]) {
  const endOf = leaseEnds(leases)
  return found.map((document) => deliveryOf(document, endOf(document._id)))
}

function conditionsOf({ accountId, webhookId, status, event, since }: DeliveryFilter): Filter<DeliveryDocument> {
  return {
    webhookId,
    ...(status === undefined ? {} : { status }),
    ...(event === undefined ? {} : { event }),
    ...(since === undefined ? {} : { eventAt: { $gte: since } })
  }
}
