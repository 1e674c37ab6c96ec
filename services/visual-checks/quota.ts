import { problem } from '../../errors.ts'
import type { Limits } from '../../ports/limits/port.ts'
import type { Queue } from '../../ports/queue/port.ts'
import type { Store, VisualCheckRecord } from '../../ports/store/port.ts'

/** Queued and running checks of an account. */
const MAX_UNFINISHED = 4
/** A check takes seconds. */
const UNFINISHED_RETRY_SECONDS = 5
/** If the oldest job waits longer, no further check is accepted. */
const MAX_QUEUE_WAIT_MS = 60_000
const QUEUE_RETRY_SECONDS = 30

interface Dependencies {
  store: Store
  queue: Queue
  limits: Limits
  /** For each account, in any hour. 0: no limit besides the plan's. */
  checksPerHour: number
}

/** Limits the number of checks, in addition to the request limits of the plan. */
export function createCheckQuota({ store, queue, limits, checksPerHour }: Dependencies) {
  const tooManyChecks = (
    detail: string,
    { reason, limit, retryAfterSeconds }: { reason: 'at_once' | 'per_hour'; limit: number; retryAfterSeconds: number }
  ) =>
    problem('too_many_visual_checks', detail, {
      headers: { 'Retry-After': String(retryAfterSeconds) },
      members: { reason, limit }
    })

  async function consumeHourly(accountId: string): Promise<void> {
    if (checksPerHour === 0) return
    const { allowed, retryAfterMs } = await limits.consume({
      bucket: `visual-checks:${accountId}`,
      limit: checksPerHour
    })
    if (allowed) return
    throw tooManyChecks(`The account has reached its limit of ${checksPerHour} visual checks per hour.`, {
      reason: 'per_hour',
      limit: checksPerHour,
      retryAfterSeconds: Math.ceil(retryAfterMs / 1000)
    })
  }

  return {
    /**
     * Stores the check. Throws `busy` or `too_many_visual_checks`. A check that exceeds one limit
     * does not count toward the others.
     */
    async add(check: VisualCheckRecord): Promise<void> {
      const { oldestMs } = await queue.depth('run-visual-check')
      if (oldestMs > MAX_QUEUE_WAIT_MS) {
        throw problem('busy', 'The queue of visual checks is full.', {
          headers: { 'Retry-After': String(QUEUE_RETRY_SECONDS) }
        })
      }
      if (!(await store.visualChecks.add(check, MAX_UNFINISHED))) {
        throw tooManyChecks(`The account already has ${MAX_UNFINISHED} queued or running visual checks.`, {
          reason: 'at_once',
          limit: MAX_UNFINISHED,
          retryAfterSeconds: UNFINISHED_RETRY_SECONDS
        })
      }
      try {
        await consumeHourly(check.accountId)
      } catch (error) {
        await store.visualChecks.delete(check.accountId, check.id)
        throw error
      }
    }
  }
}
