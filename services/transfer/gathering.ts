import type { TransferKind, TransferRecord } from '../../ports/store/port.ts'
import { RECORDS_AT_ONCE } from './entries.ts'

/** Gathers records of one kind until there are enough to be handled together. */
export function createGathering(
  handle: <Kind extends TransferKind>(kind: Kind, records: TransferRecord<Kind>[]) => Promise<void>
) {
  let kind: TransferKind | null = null
  let records: TransferRecord<TransferKind>[] = []
  const flush = async () => {
    if (kind !== null && records.length > 0) await handle(kind, records)
    records = []
  }
  return {
    async add(next: TransferKind, record: TransferRecord<TransferKind>): Promise<void> {
      if (next !== kind || records.length >= RECORDS_AT_ONCE[next]) await flush()
      kind = next
      records.push(record)
    },
    flush
  }
}
