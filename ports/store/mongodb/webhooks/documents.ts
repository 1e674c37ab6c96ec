import { setTimeout as sleep } from 'node:timers/promises'
import type { Collection, UpdateFilter } from 'mongodb'
import { problem } from '../../../../errors.ts'
import type { WebhookRecord } from '../../port.ts'
import type { Database } from '../database.ts'
import { BY_ID } from '../documents.ts'
import { withMutex } from '../mutex.ts'

/** After losing to other processes for this long, the caller must retry later. */
const TIMEOUT_MS = 20_000
const MAX_RETRY_DELAY_MS = 20

/**
 * A worker attempts the delivery until `until`; `attempts` is the count when the lease was claimed.
 */
export interface Lease {
  id: string
  until: string
  attempts: number
}

/**
 * The delivery is being requeued by the owner of the token `by`. No worker may take it before
 * `until`.
 */
export interface Hold {
  id: string
  until: string
  by: string
}

/**
 * A webhook as it is stored. A deleted webhook has only `_id` and `deleted`, until its last
 * delivery is deleted (see index.ts).
 */
export interface WebhookDocument {
  _id: string
  accountId: string
  createdAt: string
  version: number
  record: WebhookRecord
  /**
   * All leases of the webhook's deliveries are in one document, so that one conditional update
   * decides who takes which deliveries and that there are not too many in flight.
   */
  leases: Lease[]
  holds: Hold[]
  /** Grows with every addition to `leases` or `holds`. */
  leaseVersion: number
  /** The greatest sequence of its deleted deliveries. */
  lastSweptSequence: number
  deleted?: true
}

export const webhookCollection = (database: Database): Collection<WebhookDocument> =>
  database.collection<WebhookDocument>('webhooks')

/** `webhook` must include `accountId` if it is stored. */
export const isDeleted = (webhook: Partial<Pick<WebhookDocument, 'accountId'>>): boolean =>
  webhook.accountId === undefined

export function toWebhookDocument(webhook: WebhookRecord): WebhookDocument {
  return {
    _id: webhook.id,
    accountId: webhook.accountId,
    createdAt: webhook.createdAt,
    version: webhook.version,
    record: webhook,
    leases: [],
    holds: [],
    leaseVersion: 0,
    lastSweptSequence: 0
  }
}

/** The ids among these that are webhooks of the account. */
export async function findExistingIds(database: Database, accountId: string, ids: string[]): Promise<Set<string>> {
  const found = await webhookCollection(database)
    .find({ _id: { $in: ids }, accountId }, { projection: { _id: 1 }, ...BY_ID })
    .toArray()
  return new Set(found.map(({ _id }) => _id))
}

export type LeaseState = Pick<WebhookDocument, '_id' | 'accountId' | 'leases' | 'holds' | 'leaseVersion'>
const LEASE_FIELDS = { accountId: 1, leases: 1, holds: 1, leaseVersion: 1 } as const

/** An addition to `leases` or `holds`, and what to do after it succeeded. */
export interface LeaseChange<Result> {
  update: UpdateFilter<WebhookDocument>
  onSuccess: () => Promise<Result>
}

/**
 * Adds leases or holds to a webhook in one conditional update. When another process added some
 * meanwhile, `decide` is called again with the new state. Therefore no process gets a delivery that
 * another one has, and the limits that `decide` checks are never exceeded. Concurrent removals only
 * make room.
 *
 * `decide` returns null when there is nothing to add. Returns null then, and when the webhook does
 * not exist. Throws `unavailable` when other processes win for 20 seconds.
 */
export async function changeLeases<Result>(
  database: Database,
  webhookId: string,
  decide: (state: LeaseState) => Promise<LeaseChange<Result> | null>
): Promise<Result | null> {
  return await withMutex(database, `leases ${webhookId}`, async () => {
    const deadline = Date.now() + TIMEOUT_MS
    while (Date.now() < deadline) {
      const state = await webhookCollection(database).findOne<LeaseState>(
        { _id: webhookId, accountId: { $gt: '' } },
        { projection: LEASE_FIELDS }
      )
      const change = state === null ? null : await decide(state)
      if (state === null || change === null) return null
      const { matchedCount } = await webhookCollection(database).updateOne(
        { _id: webhookId, leaseVersion: state.leaseVersion },
        { ...change.update, $inc: { leaseVersion: 1 } }
      )
      if (matchedCount === 1) return await change.onSuccess()
      await sleep(Math.random() * MAX_RETRY_DELAY_MS)
    }
    throw problem('unavailable', 'Too many concurrent changes of one webhook. Retry the request later.', {
      headers: { 'Retry-After': '2' }
    })
  })
}

/** Deliveries that a worker attempts at this time. */
export const leasedIds = ({ leases }: Pick<LeaseState, 'leases'>, now: string): string[] =>
  leases.filter(({ until }) => until > now).map(({ id }) => id)

/** Deliveries that no other worker may take: they are being attempted or requeued. */
export const busyIds = ({ leases, holds }: Pick<LeaseState, 'leases' | 'holds'>, now: string): string[] =>
  [...leases, ...holds].filter(({ until }) => until > now).map(({ id }) => id)
