import { problem } from '../../errors.ts'
import type { Store, WebhookRecord } from '../../ports/store/port.ts'
import type { WebhookRef } from './delivery-jobs.ts'
import { applyAttempt, canMerge, circuitState, type CircuitState, type AttemptReport } from './health.ts'
import { withoutExpired } from './secrets.ts'

/**
 * What was told is written down this often, and at the end: a crash loses a second of it at most,
 * and nothing of the deliveries.
 */
const SAVE_EVERY_MS = 1000
const MOST_CONFLICTS = 50

/**
 * A webhook while things are sent to it: decisions follow from each try at once, and are written
 * down together.
 */
export interface WebhookHealthTracker {
  /**
   * As it stands after all tries, but that the counts of successes may come later; null when it is
   * removed.
   */
  record: () => WebhookRecord | null
  circuitState: () => CircuitState
  report: (told: AttemptReport) => void
  /** Writes down what was told, once a second or `always`, and reads what others changed. */
  sync: (options?: { always: boolean }) => Promise<void>
}

/** The webhook, to be read with the first `refresh`. `speed` divides pauses and periods. */
export function createHealthTracker(
  store: Store,
  { accountId, webhookId }: WebhookRef,
  speed: number
): WebhookHealthTracker {
  let record: WebhookRecord | null = null
  let untold: AttemptReport[] = []
  /** Of the last that was told, so many successes are not in `record` yet. */
  let unfolded = 0
  let readVersion = 0
  let savedAtMs = Date.now()
  const after = (webhook: WebhookRecord, told: AttemptReport[]): WebhookRecord =>
    told.reduce((next, one) => applyAttempt(next, one, speed), webhook)

  function fold(webhook: WebhookRecord): WebhookRecord {
    const last = untold.at(-1)
    const folded =
      unfolded === 0 || last === undefined ? webhook : applyAttempt(webhook, { ...last, times: unfolded }, speed)
    unfolded = 0
    return folded
  }

  async function save(): Promise<void> {
    if (record !== null) record = fold(record)
    const telling = untold
    untold = []
    savedAtMs = Date.now()
    for (let tries = 0; tries < MOST_CONFLICTS; tries++) {
      const stored = await store.webhooks.find(accountId, webhookId)
      const next = stored === null ? null : { ...withoutExpired(after(stored, telling)), version: stored.version + 1 }
      if (stored === null || next === null || (await store.webhooks.save(next, stored.version))) {
        // What was told meanwhile is not in it yet.
        readVersion = next?.version ?? 0
        record = next === null ? null : after(next, untold)
        unfolded = 0
        return
      }
    }
    untold = [...telling, ...untold]
    throw problem(
      'edit_conflict',
      'The health of a webhook could not be written down, because it was changed all the time.'
    )
  }

  return {
    record: () => record,
    circuitState: () => (record === null ? 'wait' : circuitState(record)),
    report(told) {
      if (record === null) return
      const last = untold.at(-1)
      if (last !== undefined && canMerge(last, told, speed)) {
        untold[untold.length - 1] = { ...told, times: (last.times ?? 1) + 1 }
        unfolded += 1
        return
      }
      record = applyAttempt(fold(record), told, speed)
      untold.push(told)
    },
    async sync({ always } = { always: false }) {
      if (untold.length > 0 && (always || Date.now() - savedAtMs >= SAVE_EVERY_MS)) return await save()
      const stored = await store.webhooks.find(accountId, webhookId)
      if (stored !== null && stored.version === readVersion) return
      readVersion = stored?.version ?? 0
      record = stored === null ? null : after(stored, untold)
      unfolded = 0
    }
  }
}
