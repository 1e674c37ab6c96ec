import type { Worker } from './worker.ts'

/**
 * Sends the due deliveries of one webhook. High concurrency, because runs mostly wait for other
 * people's servers. Retries of deliveries follow the retry schedule of webhooks, not this policy.
 */
export const deliverWebhooks: Worker<'deliver-webhooks'> = {
  concurrency: 200,
  accountConcurrency: 25,
  attempts: 5,
  backoffMs: [1000, 10_000],
  timeoutMs: 120_000,
  async run({ payload, signal }, { webhooks }) {
    await webhooks.deliver(payload.accountId, payload.webhookId, signal)
  }
}
