import type { Database } from '../database.ts'
import { totalsCollection, totalsId, type CountedCollection, type TotalsDocument } from './documents.ts'

/** The hold of a process that was killed ends after this time. */
const HOLD_MS = 10_000

/** Keeps the counts of an account as they are while their marked records are read. */
export interface Hold {
  /** Lets the hold last, without a command in the first half of its time. False: this generation has ended anyway. */
  renew: (generation: number) => Promise<boolean>
  release: () => Promise<void>
}

/** Matches counts that no process holds. The clock of another process may be wrong: a hold never lasts for longer. */
export function notHeld(): object {
  const nowMs = Date.now()
  return { $nor: [{ heldUntilMs: { $gt: nowMs, $lte: nowMs + 2 * HOLD_MS } }] }
}

/**
 * Holds the counts of an account: no changes are added to them, except by a process of a version that knows no holds.
 * Null: the account has no counts.
 */
export async function holdCounts(
  database: Database,
  counted: CountedCollection,
  { accountId, holdMs = HOLD_MS }: { accountId: string; holdMs?: number }
): Promise<Hold | null> {
  const totals = totalsCollection<TotalsDocument<unknown, unknown>>(database, counted)
  const _id = totalsId(accountId, 'counts')
  let heldUntilMs = 0

  async function extend(filter: { generation?: number }): Promise<boolean> {
    heldUntilMs = Date.now() + holdMs
    return (await totals.updateOne({ _id, ...filter }, { $set: { heldUntilMs } })).matchedCount === 1
  }

  if (!(await extend({}))) return null
  return {
    renew: async (generation) => heldUntilMs - Date.now() > holdMs / 2 || (await extend({ generation })),
    release: async () => {
      await totals.updateOne({ _id, heldUntilMs }, { $unset: { heldUntilMs: '' } })
    }
  }
}
