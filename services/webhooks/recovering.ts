import { problem } from '../../errors.ts'
import type { Queue } from '../../ports/queue/port.ts'
import type { DeliveryRecord, RecoveryRecord, Store } from '../../ports/store/port.ts'
import type { Recovery, RecoveryRequest } from '../../schemas/webhook.ts'
import { newId } from '../ids.ts'
import type { DeliveryJobs } from './delivery-jobs.ts'
import { findEnabledWebhook } from './find-webhook.ts'

/** Deliveries at once. */
const PORTION = 200

/**
 * Sends again what was missed over a span of time, however much it is: a durable job that goes on
 * where it stood.
 */
export function createRecovery({ store, queue, jobs }: { store: Store; queue: Queue; jobs: DeliveryJobs }) {
  /**
   * Looks at the next deliveries of the recovery; false when it was over or somebody else went on.
   */
  async function step(recovery: RecoveryRecord): Promise<boolean> {
    const { accountId, webhookId, since, until, afterSequence, statuses, examined, requeued } = recovery
    const now = new Date().toISOString()
    const looked = await store.deliveries.between(webhookId, { since, until, afterSequence, limit: PORTION })
    const last: DeliveryRecord | undefined = looked.at(-1)
    if (last === undefined) {
      await store.recoveries.advance(recovery, { change: { status: 'done', finishedAt: now }, requeue: [], at: now })
      return false
    }
    const requeue = looked.filter(({ status }) => statuses.includes(status)).map(({ id }) => id)
    const change = {
      afterSequence: last.sequence,
      examined: examined + looked.length,
      requeued: requeued + requeue.length
    }
    const isOurs = await store.recoveries.advance(recovery, { change, requeue, at: now })
    if (isOurs && requeue.length > 0) await jobs.now({ accountId, webhookId })
    return isOurs
  }

  return {
    /**
     * Writes the recovery down and adds its job. Throws `webhook_not_found`, `webhook_disabled`,
     * and `invalid_request` for a span that ends before it begins.
     */
    async startRecovery(accountId: string, webhookId: string, request: RecoveryRequest): Promise<Recovery> {
      await findEnabledWebhook(store, accountId, webhookId)
      const now = new Date().toISOString()
      const recovery: RecoveryRecord = {
        id: newId(),
        accountId,
        webhookId,
        status: 'running',
        ...spanOf(request, now),
        statuses: request.status ?? ['failed', 'skipped'],
        afterSequence: 0,
        examined: 0,
        requeued: 0,
        createdAt: now,
        finishedAt: null
      }
      await store.recoveries.add(recovery)
      await queue.add('recover-deliveries', { accountId, recoveryId: recovery.id }, { key: recovery.id })
      return shown(recovery)
    },

    /** Throws `recovery_not_found`. */
    async readRecovery(accountId: string, id: string): Promise<Recovery> {
      const recovery = await store.recoveries.find(accountId, id)
      if (recovery === null) throw problem('recovery_not_found', `There is no recovery ${id} in this account.`)
      return shown(recovery)
    },

    /** Goes on with a recovery until it is done, or the signal says so. */
    async runRecovery(accountId: string, id: string, signal: AbortSignal): Promise<void> {
      while (!signal.aborted) {
        const recovery = await store.recoveries.find(accountId, id)
        if (recovery === null || recovery.status !== 'running' || !(await step(recovery))) return
      }
    }
  }
}

function spanOf({ since, until }: RecoveryRequest, now: string): { since: string; until: string } {
  const span = {
    since: new Date(since).toISOString(),
    until: until === undefined ? now : new Date(until).toISOString()
  }
  if (span.since < span.until) return span
  throw problem('invalid_request', 'The span of the recovery ends before it begins.', {
    errors: [{ pointer: '/since', code: 'span', message: 'must be before until, and in the past' }]
  })
}

function shown({ accountId: _account, afterSequence: _after, ...recovery }: RecoveryRecord): Recovery {
  return recovery
}
