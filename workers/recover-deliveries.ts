import type { Worker } from './worker.ts'

/** Redelivers everything that a webhook missed. Continues after a crash. */
export const recoverDeliveries: Worker<'recover-deliveries'> = {
  concurrency: 2,
  accountConcurrency: 1,
  attempts: 5,
  backoffMs: [1000, 10_000],
  timeoutMs: 600_000,
  async run({ payload, signal, isSliceOver }, { webhooks }) {
    return await webhooks.runRecovery(payload.accountId, payload.recoveryId, { signal, isSliceOver })
  }
}
