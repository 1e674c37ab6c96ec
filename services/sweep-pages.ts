import type { SweepCursor, SweepPage } from '../ports/store/port.ts'

/** Items that a sweep reads at a time. */
const PAGE_SIZE = 500

/**
 * Reads a list of the store page by page, so that memory is bounded however long the list is. Ends
 * early when the signal aborts.
 */
export async function* readSweepPages<Item>(
  read: (page: SweepCursor) => Promise<SweepPage<Item>>,
  signal?: AbortSignal
): AsyncGenerator<Item> {
  for (let after: string | null = null; signal?.aborted !== true; ) {
    const { items, next }: SweepPage<Item> = await read({ after, limit: PAGE_SIZE })
    yield* items
    if (next === null) return
    after = next
  }
}
