import type { DeliveryStore } from '../port.ts'
import type { Database } from './database.ts'
import { deliveries } from './delivery-documents.ts'
import { distinctValues } from './distinct.ts'
import { isRemoved, webhooks, type WebhookDocument } from './webhook-documents.ts'
import { busyAt } from './webhooks-turn.ts'

/** So many webhooks are looked at at a time. */
const AT_ONCE = 16
const STANDING = { accountId: 1, leases: 1, held: 1, 'record.disabledBy': 1, 'record.health.pausedUntil': 1 } as const

type Standing = Pick<WebhookDocument, '_id' | 'accountId' | 'leases' | 'held' | 'record'>
interface Due {
  accountId: string
  webhookId: string
  dueAt: string
}

/** Tells for which webhooks there is something to do, and when. */
export function createDeliveryDue(database: Database): Pick<DeliveryStore, 'dueWebhooks' | 'nextDueAt'> {
  return {
    dueWebhooks: (now, limit) =>
      database.act(async () => {
        const waiting = await distinctValues(database, {
          collection: 'deliveries',
          field: 'webhookId',
          filter: { status: 'pending' },
          index: 'due',
          limit: Infinity
        })
        const due: Due[] = []
        for (let at = 0; at < waiting.length; at += AT_ONCE) {
          due.push(...(await dueAmong(database, waiting.slice(at, at + AT_ONCE), now)))
        }
        return due
          .sort(longestFirst)
          .slice(0, limit)
          .map(({ accountId, webhookId }) => ({ accountId, webhookId }))
      }),
    nextDueAt: (webhookId) =>
      database.act(async () => {
        const webhook = await webhooks(database).findOne(
          { _id: webhookId, accountId: { $gt: '' } },
          { projection: { leases: 1, held: 1 } }
        )
        if (webhook === null) return null
        const next = await Promise.all([nextUnleased(database, webhook), nextLeased(database, webhook)])
        return next.filter((dueAt) => dueAt !== null).toSorted()[0] ?? null
      })
  }
}

/**
 * Those of these that may be sent to and have a delivery that is due at `now` and that nobody has
 * then.
 */
async function dueAmong(database: Database, ids: string[], now: string): Promise<Due[]> {
  const found: Standing[] = await webhooks(database)
    .find({ _id: { $in: ids } }, { projection: STANDING })
    .toArray()
  const open = found
    .filter((webhook) => !isRemoved(webhook))
    .filter(
      ({ record: { disabledBy, health } }) =>
        disabledBy === null && (health.pausedUntil === null || health.pausedUntil <= now)
    )
  const due = await Promise.all(
    open.map(async (webhook): Promise<Due[]> => {
      const dueAt = await nextBut(database, webhook._id, busyAt(webhook, now))
      return dueAt === null || dueAt > now ? [] : [{ accountId: webhook.accountId, webhookId: webhook._id, dueAt }]
    })
  )
  return due.flat()
}

function longestFirst(one: Due, other: Due): number {
  const [a, b] = [`${one.dueAt} ${one.webhookId}`, `${other.dueAt} ${other.webhookId}`]
  return a < b ? -1 : Number(a > b)
}

/** When the first pending delivery of the webhook is tried next, but these. */
async function nextBut(database: Database, webhookId: string, ids: string[]): Promise<string | null> {
  const next = await deliveries(database).findOne(
    { webhookId, status: 'pending', _id: { $nin: ids } },
    { projection: { _id: 0, nextAttemptAt: 1 }, sort: { nextAttemptAt: 1 }, hint: 'due' }
  )
  return next?.nextAttemptAt ?? null
}

type Leases = Pick<WebhookDocument, '_id' | 'leases' | 'held'>
const endsOf = ({ leases, held }: Leases) => [...leases, ...held]

const nextUnleased = async (database: Database, webhook: Leases): Promise<string | null> =>
  await nextBut(
    database,
    webhook._id,
    endsOf(webhook).map(({ id }) => id)
  )

async function nextLeased(database: Database, webhook: Leases): Promise<string | null> {
  const ends = new Map(endsOf(webhook).map(({ id, until }) => [id, until]))
  if (ends.size === 0) return null
  const found = await deliveries(database)
    .find({ _id: { $in: [...ends.keys()] }, status: 'pending' }, { projection: { nextAttemptAt: 1 } })
    .toArray()
  const times = found.map(({ _id, nextAttemptAt }) => [ends.get(_id)!, nextAttemptAt!].toSorted()[1]!)
  return times.toSorted()[0] ?? null
}
