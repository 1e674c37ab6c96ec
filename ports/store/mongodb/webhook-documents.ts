import type { WebhookRecord } from '../port.ts'
import type { Database } from './database.ts'

/** Somebody tries the delivery until then; `attempts` is how many it had when it was taken. */
export interface Lease {
  id: string
  until: string
  attempts: number
}
/**
 * The delivery is being reopened by who has this token, until then at the latest; nobody takes it
 * meanwhile.
 */
export interface Hold {
  id: string
  until: string
  by: string
}

/**
 * A webhook as it is stored. One that was removed has only its `_id` and `removed`, until its last
 * delivery is gone (see webhooks-remove.ts).
 */
export interface WebhookDocument {
  _id: string
  accountId: string
  createdAt: string
  version: number
  record: WebhookRecord
  /**
   * Who has which deliveries: all of a webhook in one place, so that one conditional change decides
   * who gets some and that there are not too many.
   */
  leases: Lease[]
  held: Hold[]
  /** Grows with everything that is added to `leases` or `held`. */
  turn: number
  /** The last sequence of its deliveries that was swept. */
  swept: number
  removed?: true
}

export const webhooks = (database: Database) => database.collection<WebhookDocument>('webhooks')

/** Asked of some of its fields, `accountId` among them. */
export const isRemoved = (webhook: Partial<Pick<WebhookDocument, 'accountId'>>): boolean =>
  webhook.accountId === undefined

export function documentOf(webhook: WebhookRecord): WebhookDocument {
  return {
    _id: webhook.id,
    accountId: webhook.accountId,
    createdAt: webhook.createdAt,
    version: webhook.version,
    record: webhook,
    leases: [],
    held: [],
    turn: 0,
    swept: 0
  }
}

/** Those of these webhooks of the account that there are. */
export async function existing(database: Database, accountId: string, ids: string[]): Promise<Set<string>> {
  const found = await webhooks(database)
    .find({ _id: { $in: ids }, accountId }, { projection: { _id: 1 } })
    .toArray()
  return new Set(found.map(({ _id }) => _id))
}
