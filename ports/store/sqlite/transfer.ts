import { isDeepStrictEqual } from 'node:util'
import type { TransferKind, TransferOutcome, TransferRecord, TransferStore } from '../port.ts'
import type { Database } from './database.ts'
import { createBlogMovers } from './transfer-blogs.ts'
import { createCheckMover } from './transfer-checks.ts'
import { createEventMovers } from './transfer-events.ts'
import { recordMover, type Mover, type Movers, type Position } from './transfer-mover.ts'
import { createProductMovers } from './transfer-products.ts'
import { createRequestMovers } from './transfer-requests.ts'
import { createWebhookMovers } from './transfer-webhooks.ts'

/** Moves everything out of the embedded store and into it. */
export function createTransfer(db: Database): TransferStore {
  const movers: Movers = {
    account: recordMover(db, { table: 'accounts', key: { id: 'id' } }),
    project: recordMover(db, { table: 'projects', key: { account_id: 'accountId', id: 'id' } }),
    apiKey: recordMover(db, {
      table: 'keys',
      key: { id: 'id' },
      others: ({ accountId, hash, createdAt }) => ({ account_id: accountId, hash, created_at: createdAt }),
      unique: { column: 'hash', of: 'hash' }
    }),
    ...createBlogMovers(db),
    ...createProductMovers(db),
    visualCheck: createCheckMover(db),
    ...createEventMovers(db),
    ...createWebhookMovers(db),
    ...createRequestMovers(db)
  }
  const moverOf = <Kind extends TransferKind>(kind: Kind) => movers[kind] as unknown as Mover<TransferRecord<Kind>>

  /** Does with each what is to be done with one that is not there: `add` tells whether it was. */
  function each<Kind extends TransferKind>(
    kind: Kind,
    records: TransferRecord<Kind>[],
    add: (record: TransferRecord<Kind>) => boolean
  ): TransferOutcome {
    const { near, position } = moverOf(kind)
    const outcome: TransferOutcome = { added: 0, unchanged: 0, orphans: 0, conflicts: [] }
    for (const record of records) {
      const found = near(record)
      if (found.length === 0) outcome[add(record) ? 'added' : 'orphans'] += 1
      else if (found.length === 1 && isDeepStrictEqual(found[0], record)) outcome.unchanged += 1
      else outcome.conflicts.push([kind, ...position(record)].join(' '))
    }
    return outcome
  }

  return {
    page: async (kind, { after, limit }) => {
      const { page, position } = moverOf(kind)
      const records = page(after === null ? null : (JSON.parse(after) as Position), limit)
      return { records, next: records.length < limit ? null : JSON.stringify(position(records.at(-1)!)) }
    },
    put: async (kind, records) => db.atomically(() => each(kind, records, moverOf(kind).insert)),
    compare: async (kind, records) => each(kind, records, () => true)
  }
}
