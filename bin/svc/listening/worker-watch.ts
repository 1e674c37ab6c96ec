import { setTimeout as wait } from 'node:timers/promises'
import type { Operator } from '../operator.ts'
import { queueState, START_A_WORKER } from '../queue-state.ts'

const LOOK_MS = 5_000

/**
 * Says, each time that it begins, that no worker makes deliveries of new events. Ends with the
 * signal.
 */
export async function watchWorkers(
  service: Operator,
  { signal, note }: { signal: AbortSignal; note: (line: string) => void }
): Promise<void> {
  let wasMissing = false
  while (!signal.aborted) {
    await wait(LOOK_MS, undefined, { signal }).catch(() => {}) // It is the end that breaks it off.
    const queue = signal.aborted ? null : await queueState(service, 'fan-out-events')
    if (queue === null) continue
    const isMissing = queue.running === 0 && queue.oldestMs >= LOOK_MS
    if (isMissing && !wasMissing) {
      note(`waiting: there are new events, and no worker that posts them; ${START_A_WORKER}`)
    }
    wasMissing = isMissing
  }
}
