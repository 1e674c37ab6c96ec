import { problem } from '../../errors.ts'
import type { Queue, RunResult } from '../../ports/queue/port.ts'
import type { DeliveryRecord, RecoveryRecord, Store } from '../../ports/store/port.ts'
import { toUtc } from '../../schemas/formats.ts'
import type { Recovery, RecoveryRequest } from '../../schemas/webhook.ts'
import { newOperation, type Operation } from '../ids.ts'
import { createPacer } from '../pacing.ts'
import { findEnabledWebhook } from './endpoints.ts'
import type { DeliveryJobs } from './jobs.ts'

/** Deliveries in one batch. */
const BATCH_SIZE = { min: 20, max: 200 }

/**
 * Redelivers everything that a webhook missed in a span of time. Runs as a job that continues after
 * a crash.
 */
export function createRecovery({ store, queue, jobs }: { store: Store; queue: Queue; jobs: DeliveryJobs }) {
  /**
   * Requeues the next batch of at most `limit` deliveries. Returns false when the recovery is done, or
   * another process has continued it.
   */
  async function advance(recovery: RecoveryRecord, limit: number): Promise<boolean> {
    const { accountId, webhookId, since, until, afterSequence, statuses, examined, requeued } = recovery
    const now = new Date().toISOString()
    const batch = await store.deliveries.between(webhookId, { since, until, afterSequence, limit })
    const last: DeliveryRecord | undefined = batch.at(-1)
    if (last === undefined) {
      await store.recoveries.advance(recovery, { change: { status: 'done', finishedAt: now }, requeue: [], at: now })
      return false
    }
    const requeue = batch.filter(({ status }) => statuses.includes(status)).map(({ id }) => id)
    const change = {
      afterSequence: last.sequence,
      examined: examined + batch.length,
      requeued: requeued + requeue.length
    }
    const hasAdvanced = await store.recoveries.advance(recovery, { change, requeue, at: now })
    if (hasAdvanced && requeue.length > 0) await jobs.enqueue({ accountId, webhookId })
    return hasAdvanced
  }

  async function start(recovery: RecoveryRecord): Promise<Recovery> {
    const { accountId, id } = recovery
    await queue.add('recover-deliveries', { accountId, recoveryId: id }, { key: id })
    return toRecoveryResponse(recovery)
  }

  return {
    /**
     * Stores the recovery and adds its job. A retry returns the stored recovery. Throws
     * `webhook_not_found`, `webhook_disabled`, and
     * `invalid_request` for a span that ends before it begins.
     */
    async startRecovery(
      accountId: string,
      webhookId: string,
      {
        operation: { id, isRetry } = newOperation(),
        ...request
      }: RecoveryRequest & { operation?: Operation | undefined }
    ): Promise<Recovery> {
      const started = isRetry ? await store.recoveries.find(accountId, id) : null
      if (started !== null) return await start(started)
      await findEnabledWebhook(store, accountId, webhookId)
      const now = new Date().toISOString()
      const recovery: RecoveryRecord = {
        id,
        accountId,
        webhookId,
        status: 'running',
        ...toSpan(request, now),
        statuses: request.status ?? ['failed', 'skipped'],
        afterSequence: 0,
        examined: 0,
        requeued: 0,
        createdAt: now,
        finishedAt: null
      }
      await store.recoveries.add(recovery)
      return await start(recovery)
    },

    /** Throws `recovery_not_found`. */
    async readRecovery(accountId: string, id: string): Promise<Recovery> {
      const recovery = await store.recoveries.find(accountId, id)
      if (recovery === null) throw problem('recovery_not_found', `There is no recovery ${id} in this account.`)
      return toRecoveryResponse(recovery)
    },

    /** Continues a recovery until it is done, the slice is over (`continue`) or the signal aborts. */
    async runRecovery(
      accountId: string,
      id: string,
      { signal, isSliceOver = () => false }: { signal: AbortSignal; isSliceOver?: () => boolean }
    ): Promise<RunResult> {
      const pacer = createPacer({ accountId, ...BATCH_SIZE })
      while (!signal.aborted) {
        const recovery = await store.recoveries.find(accountId, id)
        if (recovery === null || recovery.status !== 'running' || !(await advance(recovery, pacer.size()))) return
        await pacer.rest()
        if (isSliceOver()) return 'continue'
      }
    }
  }
}

function toSpan({ since, until }: RecoveryRequest, now: string): { since: string; until: string } {
  const span = {
    since: toUtc(since),
    until: until === undefined ? now : toUtc(until)
  }
  if (span.since < span.until) return span
  throw problem('invalid_request', '`since` must be before `until` and in the past.', {
    errors: [{ pointer: '/since', code: 'span', message: 'must be before until, and in the past' }]
  })
}

function toRecoveryResponse({ accountId: _account, afterSequence: _after, ...recovery }: RecoveryRecord): Recovery {
  return recovery
}
