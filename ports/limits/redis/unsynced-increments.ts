import { withTimeout } from '../../../lib/async.ts'
import type { LocalLimits } from './local-limits.ts'
import type { Scripts } from './scripts.ts'

const MERGE_TIMEOUT_MS = 1_000
/** Merges sent at once, and times in one of them. */
const MAX_MERGES = 100
const MAX_TIMES = 5_000
/** More requests are allowed while the first ones are merged, so several rounds may be needed. */
const MAX_ROUNDS = 3
/** Allows for clocks that differ. Times that are merged twice count once. */
const MARGIN_US = 1_000_000

export type UnsyncedIncrements = ReturnType<typeof createUnsyncedIncrements>

/**
 * Tracks the requests that this process allowed and that the shared log may not contain: because
 * Redis was unreachable, or because it lost them.
 */
export function createUnsyncedIncrements({ scripts, local }: { scripts: Scripts; local: LocalLimits }) {
  let fromUs = Infinity
  const pendingReplies = new Set<Promise<void>>()

  async function merge(sinceUs: number): Promise<void> {
    let sent: Array<Promise<void>> = []
    for (const { bucket, timesUs } of local.allowedSince(sinceUs - MARGIN_US)) {
      for (let start = 0; start < timesUs.length; start += MAX_TIMES) {
        sent.push(scripts.merge(bucket, timesUs.slice(start, start + MAX_TIMES)))
      }
      if (sent.length < MAX_MERGES) continue
      await withTimeout(Promise.all(sent), MERGE_TIMEOUT_MS)
      sent = []
    }
    await withTimeout(Promise.all(sent), MERGE_TIMEOUT_MS)
  }

  return {
    /** Marks everything that was allowed at or after this time (microseconds) as unsynced. */
    addFrom(sinceUs: number): void {
      fromUs = Math.min(fromUs, sinceUs)
    },

    /**
     * Delays syncing until `reply`, which never rejects, has resolved: the shared log may still
     * record that request, under a time that is unknown until then.
     */
    waitFor(reply: Promise<void>): void {
      pendingReplies.add(reply)
      reply.then(() => {
        pendingReplies.delete(reply)
      })
    },

    /** Merges into the shared log. Rejects if it does not answer in time; then all stays unsynced. */
    async sync(): Promise<void> {
      for (let round = 0; round < MAX_ROUNDS && fromUs < Infinity; round++) {
        await withTimeout(Promise.all(pendingReplies), MERGE_TIMEOUT_MS)
        const sinceUs = fromUs
        fromUs = Infinity
        try {
          await merge(sinceUs)
        } catch (error) {
          fromUs = Math.min(fromUs, sinceUs)
          throw error
        }
      }
    }
  }
}
