import type { Queue } from '../../ports/queue/port.ts'
import type { Store } from '../../ports/store/port.ts'
import { EVENT_DAYS } from '../../schemas/event.ts'
import type { DeliveryJobs } from './delivery-jobs.ts'

const DAY_MS = 24 * 3_600_000
/** Of each kind in one sweep; the next one comes soon. */
const PORTION = 1000

/** The store is the truth: what waits there without a job gets one, and what is too old goes. */
export function createSweep({ store, queue, jobs }: { store: Store; queue: Queue; jobs: DeliveryJobs }) {
  return {
    /**
     * Adds a job for events without deliveries, for deliveries that are due and for recoveries that
     * are not done; removes events of more than 30 days.
     */
    async sweep(signal: AbortSignal): Promise<void> {
      for (const accountId of await store.events.pendingFanOutAccounts(PORTION)) {
        await queue.add('fan-out-events', { accountId }, { key: accountId })
      }
      for (const place of await store.deliveries.dueWebhooks(new Date().toISOString(), PORTION)) await jobs.now(place)
      for (const { accountId, id } of await store.recoveries.unfinished(PORTION)) {
        await queue.add('recover-deliveries', { accountId, recoveryId: id }, { key: id })
      }
      const before = new Date(Date.now() - EVENT_DAYS * DAY_MS).toISOString()
      while (!signal.aborted && (await store.events.deleteBefore(before, PORTION)) === PORTION);
    }
  }
}
