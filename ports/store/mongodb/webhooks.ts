import type { WebhookRecord, WebhookStore } from '../port.ts'
import type { Database } from './database.ts'
import { isDuplicate } from './driver-errors.ts'
import { freeSeat, takeSeat } from './seats.ts'
import { documentOf, existing, webhooks } from './webhook-documents.ts'
import { purgeRemoved, removeWebhook } from './webhooks-remove.ts'

const RECORD = { projection: { _id: 0, record: 1 } } as const
const holderOf = (accountId: string): string => `webhooks ${accountId}`

/** Keeps webhooks. */
export function createWebhooks(database: Database): WebhookStore {
  return {
    add: (webhook, most) => database.act(() => add(database, webhook, most)),
    find: (accountId, id) =>
      database.act(async () => (await webhooks(database).findOne({ _id: id, accountId }, RECORD))?.record ?? null),
    list: (accountId) =>
      database.act(async () => {
        const found = await webhooks(database)
          .find({ accountId }, { ...RECORD, sort: { createdAt: 1, _id: 1 } })
          .toArray()
        return found.map(({ record }) => record)
      }),
    save: (webhook, ifVersion) =>
      database.act(async () => {
        const { id, accountId, createdAt, version } = webhook
        const { matchedCount } = await webhooks(database).updateOne(
          { _id: id, accountId, version: ifVersion },
          { $set: { record: webhook, createdAt, version } }
        )
        return matchedCount === 1
      }),
    delete: (accountId, id) =>
      database.act(async () => {
        if (!(await removeWebhook(database, accountId, id))) return false
        await freeSeat(database, holderOf(accountId), id)
        return true
      })
  }
}

/**
 * The seat comes first and the webhook second: a crash between leaves a seat that is cleared when
 * it is needed, and never one webhook too many.
 */
async function add(database: Database, webhook: WebhookRecord, most: number): Promise<boolean> {
  const { id, accountId, createdAt } = webhook
  const exists = async (ids: string[]) => await existing(database, accountId, ids)
  if (!(await takeSeat(database, { holder: holderOf(accountId), id, until: null, most, at: createdAt }, exists))) {
    return false
  }
  try {
    await webhooks(database).insertOne(documentOf(webhook))
  } catch (error) {
    // Deliveries of one that was removed and had the same id must not be taken for those of this
    // one.
    if (!isDuplicate(error) || !(await purgeRemoved(database, id))) throw error
    await webhooks(database).insertOne(documentOf(webhook))
  }
  return true
}
