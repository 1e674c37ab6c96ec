import type { Store } from '../../ports/store/port.ts'
import type { Counters } from '../counters.ts'
import type { AttemptSender } from './attempt.ts'
import type { DeliveryJobs } from './delivery-jobs.ts'
import { createDeliveryRun, type Run } from './delivery-run.ts'
import { createHealthTracker } from './known-webhook.ts'
import { createDecryptedSecrets } from './open-secrets.ts'
import { createRecorder } from './recorder.ts'
import type { SecretCipher } from './seal.ts'

export interface DeliveryParts {
  store: Store
  jobs: DeliveryJobs
  attemptSender: AttemptSender
  cipher: SecretCipher
  timeScale: number
  counts: Counters
}

/** Somebody else holds what is due; it is looked at again after this time. */
const OTHERS_HOLD_MS = 1000

/** Delivers what is due, webhook by webhook. */
export function createDelivery({
  store,
  jobs,
  attemptSender: trying,
  cipher: seal,
  timeScale: speed,
  counts
}: DeliveryParts) {
  const recorder = createRecorder(store)
  const running = new Map<string, Run>()

  /**
   * Adds the job that goes on: now, or when the next delivery is due and the webhook's pause is
   * over.
   */
  async function goOn(accountId: string, webhookId: string, tookAny: boolean): Promise<void> {
    const due = await store.deliveries.nextDueAt(webhookId)
    const webhook = due === null ? null : await store.webhooks.find(accountId, webhookId)
    if (due === null || webhook === null || webhook.disabledBy !== null) return
    const nowMs = Date.now()
    const atMs = Math.max(Date.parse(due), Date.parse(webhook.health.pausedUntil ?? due))
    if (atMs > nowMs) await jobs.at({ accountId, webhookId }, atMs)
    else if (tookAny) await jobs.now({ accountId, webhookId })
    else await jobs.at({ accountId, webhookId }, nowMs + OTHERS_HOLD_MS)
  }

  return {
    /**
     * Sends what is due at the webhook for some 20 s at most, and sees to it that it goes on. While
     * it runs here already, the run that is there looks again.
     */
    async deliver(accountId: string, webhookId: string, signal: AbortSignal): Promise<void> {
      const current = running.get(webhookId)
      if (current !== undefined) return current.poke()
      const webhook = createHealthTracker(store, { accountId, webhookId }, speed)
      const run = createDeliveryRun(
        { store, recorder, trying, secrets: createDecryptedSecrets(seal), speed, counts },
        webhookId,
        webhook
      )
      running.set(webhookId, run)
      let tookAny = false
      try {
        tookAny = await run.done(signal)
      } finally {
        running.delete(webhookId)
      }
      if (!signal.aborted) await goOn(accountId, webhookId, tookAny)
    }
  }
}
