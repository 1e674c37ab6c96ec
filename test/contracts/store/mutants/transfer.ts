import type { TransferKind, TransferRecord, TransferStore } from '../../../../ports/store/port.ts'
import { mutant, type Mutant } from './mutant.ts'

/**
 * A store that changes the records of this kind on their way in; one for which `change` gives null
 * is lost.
 */
function losing<Kind extends TransferKind>(
  title: string,
  lost: Kind,
  change: (record: TransferRecord<Kind>) => TransferRecord<Kind> | null
): Mutant {
  return mutant(title, 'transfer', (transfer) => ({
    put: async (kind, records) => {
      const accepted =
        kind === (lost as TransferKind)
          ? (records.flatMap((record) => change(record as never) ?? []) as unknown as typeof records)
          : records
      const outcome = await transfer.put(kind, accepted)
      return { ...outcome, added: outcome.added + records.length - accepted.length }
    }
  }))
}

export const TRANSFER_MUTANTS: readonly Mutant[] = [
  losing('related blogs are left behind', 'related', () => null),
  losing('what related blogs are due after is left behind', 'pendingRelated', () => null),
  losing('the marks of work of products are left behind', 'product', (product) => ({
    ...product,
    optimizePendingSince: null
  })),
  losing('claims are left behind', 'product', (product) => ({ ...product, claims: [] })),
  losing('events are all fanned out', 'event', (event) => ({ ...event, fannedOut: true })),
  losing('the numbers of events begin anew', 'eventCounter', (counter) => ({ ...counter, last: 0 })),
  losing('the numbers of deliveries begin anew', 'deliveryCounter', (counter) => ({ ...counter, last: 0 })),
  losing('attempts are left behind', 'delivery', (delivery) => ({ ...delivery, attemptLog: [] })),
  losing('tombstones are left behind', 'tombstone', () => null),
  losing('revisions are left behind', 'blogRevision', () => null),
  losing('answers are left behind', 'idempotency', (claim) => ({ ...claim, answer: null })),
  mutant('the last page is empty', 'transfer', (transfer) => ({
    page: async (kind, page) => {
      const { records, next } = await transfer.page(kind, page)
      return next === null && page.after !== null ? { records: [], next } : { records, next }
    }
  })),
  mutant('pages overlap by one record', 'transfer', (transfer) => ({
    page: async (kind, page) => {
      const { records, next } = await transfer.page(kind, page)
      return {
        records: page.after === null ? records : [records[0]!, ...records].slice(0, Math.max(page.limit, 2)),
        next
      }
    }
  })),
  mutant('a different record counts as equal', 'transfer', (transfer) => ({
    put: async (kind, records) => {
      const outcome = await transfer.put(kind, records)
      return { ...outcome, unchanged: outcome.unchanged + outcome.conflicts.length, conflicts: [] }
    }
  })),
  mutant('a different record is overwritten', 'transfer', (transfer, store) => ({
    put: async (kind, records) => {
      const outcome = await transfer.put(kind, records)
      if (kind === 'account' && outcome.conflicts.length > 0) {
        for (const { id, ...change } of records as TransferRecord<'account'>[]) await store.accounts.update(id, change)
      }
      return outcome
    }
  })),
  mutant('a repeated put is counted again', 'transfer', (transfer) => ({
    put: async (kind, records) => {
      const outcome = await transfer.put(kind, records)
      return { ...outcome, added: outcome.added + outcome.unchanged, unchanged: 0 }
    }
  })),
  mutant('compare stores the records', 'transfer', (transfer) => ({
    compare: (async (kind, records) => await transfer.put(kind, records)) as TransferStore['compare']
  }))
]
