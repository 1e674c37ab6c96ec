import type { Worker } from './worker.ts'

/**
 * Creates the deliveries of an account's events. One run of an account at a time, so that deliveries
 * are created in the order of the events.
 */
export const fanOutEvents: Worker<'fan-out-events'> = {
  concurrency: 4,
  accountConcurrency: 1,
  attempts: 5,
  backoffMs: [1000, 5000, 30_000],
  timeoutMs: 120_000,
  async run({ payload, signal, isSliceOver }, { webhooks }) {
    return await webhooks.fanOut(payload.accountId, signal, isSliceOver)
  }
}
