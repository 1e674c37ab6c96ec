import { setTimeout } from 'node:timers/promises'
import type { UpdateFilter } from 'mongodb'
import { problem } from '../../../errors.ts'
import type { Database } from './database.ts'
import { inTurn } from './in-turn.ts'
import { webhooks, type WebhookDocument } from './webhook-documents.ts'

/** For so long others may be faster, before the caller is told to come later. */
const MOST_MS = 20_000
const MOST_WAIT_MS = 20

export type Standing = Pick<WebhookDocument, '_id' | 'accountId' | 'leases' | 'held' | 'turn'>
/** What is to be added to leases or holds, and what follows from it once it is. */
export interface Turn<Result> {
  update: UpdateFilter<WebhookDocument>
  done: () => Promise<Result>
}

export const STANDING = { accountId: 1, leases: 1, held: 1, turn: 1 } as const

/**
 * Adds to a webhook's leases or holds what `decide` says from how they stand, in one conditional
 * change: when somebody added to them meanwhile, it is decided anew. So of many processes
 * that take at once nobody gets what another has, and never are there more than each of them saw
 * room for. What is taken out meanwhile does no harm: there is only more room then.
 * `decide` returns null when there is nothing to add. Null also when there is no such webhook;
 * throws `unavailable` when others are faster for 20 seconds.
 */
export async function takeTurn<Result>(
  database: Database,
  webhookId: string,
  decide: (standing: Standing) => Promise<Turn<Result> | null>
): Promise<Result | null> {
  return await inTurn(database, `turn ${webhookId}`, async () => {
    const endMs = Date.now() + MOST_MS
    while (Date.now() < endMs) {
      const standing = await webhooks(database).findOne<Standing>(
        { _id: webhookId, accountId: { $gt: '' } },
        { projection: STANDING }
      )
      const turn = standing === null ? null : await decide(standing)
      if (standing === null || turn === null) return null
      const { matchedCount } = await webhooks(database).updateOne(
        { _id: webhookId, turn: standing.turn },
        { ...turn.update, $inc: { turn: 1 } }
      )
      if (matchedCount === 1) return await turn.done()
      await setTimeout(Math.random() * MOST_WAIT_MS)
    }
    throw problem('unavailable', 'Too many take from one webhook just now.', { headers: { 'Retry-After': '2' } })
  })
}

type Taken = Pick<Standing, 'leases' | 'held'>

/** The deliveries that somebody tries at this time. */
export const leasedAt = ({ leases }: Pick<Taken, 'leases'>, now: string): string[] =>
  leases.filter(({ until }) => until > now).map(({ id }) => id)

/** Those that nobody else may take: somebody tries or reopens them. */
export const busyAt = ({ leases, held }: Taken, now: string): string[] =>
  [...leases, ...held].filter(({ until }) => until > now).map(({ id }) => id)
