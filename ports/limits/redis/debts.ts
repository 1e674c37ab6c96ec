import { withTimeout } from '../../../lib/async.ts'
import type { LocalLog } from './local-log.ts'
import type { Scripts } from './scripts.ts'

const MERGE_MS = 1_000
/** Buckets, and times of one bucket, that are told at once. */
const BUCKETS = 100
const TIMES = 5_000
/** Rounds of telling, as more is admitted meanwhile. */
const ROUNDS = 3
/**
 * Clocks of two machines are compared over a network; what is told twice by this margin is not
 * counted twice.
 */
const MARGIN_US = 1_000_000

export type Debts = ReturnType<typeof createDebts>

/**
 * What this process admitted and the shared log may not know: because it was away then, or lost it.
 */
export function createDebts({ scripts, log }: { scripts: Scripts; log: LocalLog }) {
  let fromUs = Infinity
  const late = new Set<Promise<void>>()

  async function pay(sinceUs: number): Promise<void> {
    let sent: Array<Promise<void>> = []
    for (const { bucket, timesUs } of log.since(sinceUs - MARGIN_US)) {
      for (let start = 0; start < timesUs.length; start += TIMES) {
        sent.push(scripts.merge(bucket, timesUs.slice(start, start + TIMES)))
      }
      if (sent.length < BUCKETS) continue
      await withTimeout(Promise.all(sent), MERGE_MS)
      sent = []
    }
    await withTimeout(Promise.all(sent), MERGE_MS)
  }

  return {
    /** Whatever was admitted since that time (microseconds) has to be told. */
    owe(sinceUs: number): void {
      fromUs = Math.min(fromUs, sinceUs)
    },

    /**
     * Holds back all telling until this is settled, which never rejects: of what the shared log was
     * asked it is not known yet whether it did it, and under which time.
     */
    waitFor(asked: Promise<void>): void {
      late.add(asked)
      asked.then(() => {
        late.delete(asked)
      })
    },

    /** Tells the shared log. Rejects when it does not answer in time; then all is still owed. */
    async settle(): Promise<void> {
      for (let round = 0; round < ROUNDS && fromUs < Infinity; round++) {
        await withTimeout(Promise.all(late), MERGE_MS)
        const sinceUs = fromUs
        fromUs = Infinity
        try {
          await pay(sinceUs)
        } catch (error) {
          fromUs = Math.min(fromUs, sinceUs)
          throw error
        }
      }
    }
  }
}
