import type { Worker } from './worker.ts'

/**
 * Sends what is due at one webhook. Many at once, because they wait for other people's servers; how
 * often a delivery itself is tried is a rule of webhooks, not of this job.
 */
export const deliverWebhooks: Worker<'deliver-webhooks'> = {
  concurrency: 200,
  attempts: 5,
  backoffMs: [1000, 10_000],
  timeoutMs: 120_000,
  async run({ payload, signal }, { webhooks }) {
    await webhooks.deliver(payload.accountId, payload.webhookId, signal)
  }
}
