import type { Store, WebhookRecord } from '../../ports/store/port.ts'
import { SYSTEM, type Audit } from '../audit.ts'
import type { Counters } from '../counters.ts'
import type { AttemptSender } from './attempt.ts'
import { DELIVERY_TIMINGS, DeliveryRun, type DeliveryTimings } from './delivery-run.ts'
import { createHealthTracker } from './health-tracker.ts'
import type { DeliveryJobs } from './jobs.ts'
import { createLoggedResponses } from './logged-responses.ts'
import { createRecorder } from './recorder.ts'
import type { SecretCipher } from './secret-encryption.ts'
import { createDecryptedSecrets } from './secrets.ts'

export interface DeliveryOptions {
  store: Store
  audit: Pick<Audit, 'record'>
  jobs: DeliveryJobs
  attemptSender: AttemptSender
  cipher: SecretCipher
  timeScale: number
  counters: Counters
  timings?: Partial<DeliveryTimings>
}

/** Deliveries that are due but claimed by another process are checked again after this time. */
const CLAIMED_ELSEWHERE_MS = 1000

/** Delivers due events, one run a webhook. */
export function createDelivery({ store, audit, jobs, cipher, timings, ...options }: DeliveryOptions) {
  const recorder = createRecorder(store)
  const responses = createLoggedResponses()
  const running = new Map<string, DeliveryRun>()

  /** Adds the next job: now, or when the next delivery is due and the webhook is not paused. */
  async function scheduleNext(accountId: string, webhookId: string, claimedAny: boolean): Promise<void> {
    const due = await store.deliveries.nextDueAt(webhookId)
    const webhook = due === null ? null : await store.webhooks.find(accountId, webhookId)
    if (due === null || webhook === null || webhook.disabledBy !== null) return
    const nowMs = Date.now()
    const atMs = Math.max(Date.parse(due), Date.parse(webhook.health.pausedUntil ?? due))
    if (atMs > nowMs) await jobs.enqueueAt({ accountId, webhookId }, atMs)
    else if (claimedAny) await jobs.enqueue({ accountId, webhookId })
    else await jobs.enqueueAt({ accountId, webhookId }, nowMs + CLAIMED_ELSEWHERE_MS)
  }

  const recordDisabled = async ({ accountId, id, url, disabledBy }: WebhookRecord): Promise<void> =>
    await audit.record({
      accountId,
      actor: SYSTEM,
      action: 'webhook.disabled',
      target: { type: 'webhook', id, label: new URL(url).host },
      projectId: null,
      changes: [{ field: 'disabledBy', to: disabledBy }],
      requestId: null,
      ipAddress: null
    })

  return {
    /**
     * Sends due deliveries of the webhook for about 5 s at most, and schedules the next job. If a
     * run for the webhook is active in this process, wakes that run instead.
     */
    async deliver(accountId: string, webhookId: string, signal: AbortSignal): Promise<void> {
      const current = running.get(webhookId)
      if (current !== undefined) return current.wake()
      const run = new DeliveryRun(webhookId, {
        ...options,
        store,
        recorder,
        secrets: createDecryptedSecrets(cipher),
        toLogged: (attempt) => responses.limit(accountId, attempt),
        health: createHealthTracker(
          store,
          { accountId, webhookId },
          { timeScale: options.timeScale, onDisabled: recordDisabled }
        ),
        timings: { ...DELIVERY_TIMINGS, ...timings }
      })
      running.set(webhookId, run)
      let claimedAny = false
      try {
        claimedAny = await run.run(signal)
      } finally {
        running.delete(webhookId)
      }
      if (!signal.aborted) await scheduleNext(accountId, webhookId, claimedAny)
    }
  }
}
