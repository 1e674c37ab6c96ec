import { createTurnQueue } from './turn-queue.ts'

/** What those who waited for the same result may use of one turn of the event loop, in milliseconds. */
const SLICE_MS = 4
const turns = createTurnQueue(SLICE_MS)
/** How many wait for a result. */
const counts = new WeakMap<Promise<unknown>, number>()

/**
 * Awaits a result for which many may wait: requests for a document that is being made. The first one continues at once,
 * and the others in later turns of the event loop. Awaiting the promise would continue all of them in one.
 */
export async function sharedResult<Result>(result: Promise<Result>): Promise<Result> {
  const before = counts.get(result) ?? 0
  counts.set(result, before + 1)
  try {
    return await result
  } finally {
    if (before > 0) await new Promise<void>((resolve) => turns.add('', resolve))
  }
}
