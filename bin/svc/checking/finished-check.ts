import { setTimeout as wait } from 'node:timers/promises'
import { StartError } from '../../../errors.ts'
import type { VisualCheck } from '../../../schemas/visual-check.ts'
import { START_A_WORKER } from '../queue-state.ts'
import type { CheckClient } from './check-client.ts'
import { checkWaiting } from './check-waiting.ts'

/** How often the check is asked how far it is. */
const LOOK_MS = 300
/** A check that waits for longer is said to wait. */
const QUIET_MS = 5_000
/**
 * A check takes 25 seconds at most, and three attempts; what has not ended by then has nobody to
 * work it.
 */
const LONGEST_MS = 300_000

/**
 * Waits until the check has ended, and says once for what it waits when that takes long. Throws a
 * StartError after five minutes, RefusedError.
 */
export async function finishedCheck(
  client: CheckClient,
  begun: VisualCheck,
  note: (line: string) => void
): Promise<VisualCheck> {
  const start = performance.now()
  let check = begun
  let isSaid = false
  while (check.status === 'queued' || check.status === 'running') {
    const waitedMs = performance.now() - start
    if (waitedMs > LONGEST_MS) {
      throw new StartError(
        `The check ${check.id} is still ${check.status} after five minutes; svc queues shows what waits. Where no worker runs, ${START_A_WORKER}.`
      )
    }
    if (check.status === 'queued' && waitedMs > QUIET_MS && !isSaid) {
      note(checkWaiting(await client.queue()))
      isSaid = true
    }
    await wait(LOOK_MS)
    check = await client.find(check)
  }
  return check
}
