import type { Queue } from '../../ports/queue/port.ts'

export interface WebhookRef {
  accountId: string
  webhookId: string
}
export type DeliveryJobs = ReturnType<typeof createDeliveryJobs>

/** Jobs for later are gathered in steps of this length. */
const STEP_MS = 100

/**
 * Adds the jobs that deliver. One for later never has the key of one for now, for then it would
 * stand in its way.
 */
export function createDeliveryJobs(queue: Queue) {
  const now = async ({ accountId, webhookId }: WebhookRef): Promise<void> =>
    await queue.add('deliver-webhooks', { accountId, webhookId }, { key: webhookId })

  return {
    now,
    /** At this time, in milliseconds since 1970, or up to a tenth of a second later. */
    async at({ accountId, webhookId }: WebhookRef, atMs: number): Promise<void> {
      const step = Math.ceil(atMs / STEP_MS)
      const delayMs = step * STEP_MS - Date.now()
      if (delayMs <= 0) return await now({ accountId, webhookId })
      await queue.add('deliver-webhooks', { accountId, webhookId }, { key: `${webhookId} ${step}`, delayMs })
    }
  }
}
