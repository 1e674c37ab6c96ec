import { isDeepStrictEqual } from 'node:util'
import type { TransferKind, TransferOutcome, TransferRecord, TransferStore } from '../port.ts'
import type { Database } from './database.ts'
import { createAccountMovers } from './transfer-accounts.ts'
import { createBlogMovers } from './transfer-blogs.ts'
import { createCheckMover } from './transfer-checks.ts'
import { createEventMovers } from './transfer-events.ts'
import type { Inserted, Mover, Movers, Position } from './transfer-mover.ts'
import { createProductMovers } from './transfer-products.ts'
import { createRelatedMovers } from './transfer-related.ts'
import { createWebhookMovers } from './transfer-webhooks.ts'

/**
 * Moves everything out of the MongoDB and into it. Each record is written by itself; what a crash
 * cuts off is written when it is put again.
 */
export function createTransfer(database: Database): TransferStore {
  const movers: Movers = {
    ...createAccountMovers(database),
    ...createBlogMovers(database),
    ...createRelatedMovers(database),
    ...createProductMovers(database),
    visualCheck: createCheckMover(database),
    ...createEventMovers(database),
    ...createWebhookMovers(database)
  }
  const moverOf = <Kind extends TransferKind>(kind: Kind) => movers[kind] as unknown as Mover<TransferRecord<Kind>>

  /** Does with all that are not there what is to be done with them. */
  async function each<Kind extends TransferKind>(
    kind: Kind,
    records: TransferRecord<Kind>[],
    add: (records: TransferRecord<Kind>[]) => Promise<Inserted[]>
  ): Promise<TransferOutcome> {
    const { near, name } = moverOf(kind)
    const outcome: TransferOutcome = { added: 0, unchanged: 0, orphans: 0, conflicts: [] }
    if (records.length === 0) return outcome
    const found = await near(records)
    const inserted = await add(records.filter((_, at) => found[at]!.length === 0))
    for (const [at, record] of records.entries()) {
      const there = found[at]!
      const became =
        there.length === 0
          ? inserted.shift()!
          : there.length === 1 && isDeepStrictEqual(there[0], record)
            ? 'unchanged'
            : 'conflict'
      if (became === 'conflict') outcome.conflicts.push([kind, ...name(record)].join(' '))
      else outcome[became === 'orphan' ? 'orphans' : became] += 1
    }
    return outcome
  }

  return {
    page: (kind, { after, limit }) =>
      database.act(async () => {
        const { records, at } = await moverOf(kind).page(after === null ? null : (JSON.parse(after) as Position), limit)
        return { records, next: at === null ? null : JSON.stringify(at) }
      }),
    put: (kind, records) =>
      database.act(() =>
        each(kind, records, async (fresh) => (fresh.length === 0 ? [] : await moverOf(kind).insert(fresh)))
      ),
    compare: (kind, records) => database.act(() => each(kind, records, async (fresh) => fresh.map(() => 'added')))
  }
}
