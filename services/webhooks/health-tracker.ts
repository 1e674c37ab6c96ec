import { problem } from '../../errors.ts'
import type { Store, WebhookRecord } from '../../ports/store/port.ts'
import { applyAttempt, type AttemptReport, canMerge, type CircuitState, circuitState } from './health.ts'
import type { WebhookRef } from './jobs.ts'
import { withoutExpired } from './secrets.ts'

/** Reports are saved this often, and at the end. A crash loses at most one second of health counts. */
const SAVE_INTERVAL_MS = 1000
/** Changes that others made are read this often. */
const READ_INTERVAL_MS = 250
const MAX_CONFLICTS = 50

/**
 * The state of a webhook during a delivery run. Every report counts at once; reports are saved
 * together.
 */
export interface WebhookHealthTracker {
  /** The webhook after all reports; counts of successes may be applied later. Null: deleted. */
  record: () => WebhookRecord | null
  /** `open` for a deleted webhook. */
  circuitState: () => CircuitState
  report: (report: AttemptReport) => void
  /** Saves reports, once a second or `always`. Otherwise reads changes that others made, a few times a second. */
  sync: (options?: { always: boolean }) => Promise<void>
}

/**
 * The webhook is read by the first `sync`. `timeScale` divides pauses and periods. `onDisabled` is called
 * with the webhook after its attempts have disabled it.
 */
export function createHealthTracker(
  store: Store,
  { accountId, webhookId }: WebhookRef,
  { timeScale, onDisabled }: { timeScale: number; onDisabled: (webhook: WebhookRecord) => Promise<void> }
): WebhookHealthTracker {
  let record: WebhookRecord | null = null
  let unsaved: AttemptReport[] = []
  /** Merged successes of the last unsaved report that are not applied to `record` yet. */
  let pendingSuccesses = 0
  /** The webhook as it is stored, as far as this run knows. */
  let known: WebhookRecord | null = null
  let savedAtMs = Date.now()
  let readAtMs = -Infinity
  const applyAll = (webhook: WebhookRecord, reports: AttemptReport[]): WebhookRecord =>
    reports.reduce((next, report) => applyAttempt(next, report, timeScale), webhook)

  /** Applies the pending successes. */
  function flush(webhook: WebhookRecord): WebhookRecord {
    const last = unsaved.at(-1)
    const times = pendingSuccesses
    pendingSuccesses = 0
    return times === 0 || last === undefined ? webhook : applyAttempt(webhook, { ...last, times }, timeScale)
  }

  const saveHealth = async (webhook: WebhookRecord, ifVersion: number): Promise<boolean> =>
    await store.webhooks.save(webhook, ifVersion, { isHealth: true })

  async function save(): Promise<void> {
    if (record !== null) record = flush(record)
    const saving = unsaved
    unsaved = []
    savedAtMs = Date.now()
    for (let conflicts = 0; conflicts < MAX_CONFLICTS; conflicts++) {
      // Usually nobody else changed the webhook since it was read.
      const isRead = conflicts === 0 && known !== null
      const stored = isRead ? known : await store.webhooks.find(accountId, webhookId)
      const next = stored === null ? null : { ...withoutExpired(applyAll(stored, saving)), version: stored.version + 1 }
      if (stored === null || next === null || (await saveHealth(next, stored.version))) {
        // Reports that arrived meanwhile are not saved yet.
        known = next
        readAtMs = savedAtMs
        record = next === null ? null : applyAll(next, unsaved)
        pendingSuccesses = 0
        if (stored?.disabledBy === null && next !== null && next.disabledBy !== null) await onDisabled(next)
        return
      }
    }
    unsaved = [...saving, ...unsaved]
    throw problem('edit_conflict', 'The health of a webhook could not be saved: the webhook was changed concurrently.')
  }

  return {
    record: () => record,
    circuitState: () => (record === null ? 'open' : circuitState(record)),
    report(report) {
      if (record === null) return
      const last = unsaved.at(-1)
      if (last !== undefined && canMerge(last, report, timeScale)) {
        unsaved[unsaved.length - 1] = { ...report, times: (last.times ?? 1) + 1 }
        pendingSuccesses += 1
        return
      }
      record = applyAttempt(flush(record), report, timeScale)
      unsaved.push(report)
    },
    async sync({ always } = { always: false }) {
      if (unsaved.length > 0 && (always || Date.now() - savedAtMs >= SAVE_INTERVAL_MS)) return await save()
      if (always || Date.now() - readAtMs < READ_INTERVAL_MS) return
      readAtMs = Date.now()
      const stored = await store.webhooks.find(accountId, webhookId)
      if (stored !== null && stored.version === known?.version) return
      known = stored
      record = stored === null ? null : applyAll(stored, unsaved)
      pendingSuccesses = 0
    }
  }
}
