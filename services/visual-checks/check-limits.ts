import { problem } from '../../errors.ts'
import type { Limits } from '../../ports/limits/port.ts'
import type { Queue } from '../../ports/queue/port.ts'
import type { Store, VisualCheckRecord } from '../../ports/store/port.ts'

/** Checks of an account that may wait or run at a time. */
const MOST_AT_ONCE = 4
/** When to ask again after that many: a check takes seconds. */
const AGAIN_SECONDS = 5
/** A queue whose oldest job waits longer than this is too long for another one. */
const LONGEST_WAIT_MS = 60_000
const QUEUE_AGAIN_SECONDS = 30

interface Parts {
  store: Store
  queue: Queue
  limits: Limits
  checksPerHour: number
}

/**
 * How many checks are taken, beside the requests that the plan allows. `checksPerHour` is of each
 * account in any hour; 0: only the plan counts.
 */
export function createCheckLimits({ store, queue, limits, checksPerHour }: Parts) {
  const tooMany = (
    detail: string,
    reason: 'at_once' | 'per_hour',
    { limit, seconds }: { limit: number; seconds: number }
  ) =>
    problem('too_many_visual_checks', detail, {
      headers: { 'Retry-After': String(seconds) },
      members: { reason, limit }
    })

  async function assertHour(accountId: string): Promise<void> {
    if (checksPerHour === 0) return
    const { allowed, retryAfterMs } = await limits.consume({
      bucket: `visual-checks:${accountId}`,
      limit: checksPerHour
    })
    if (!allowed) {
      throw tooMany(`The account asked for ${checksPerHour} visual checks in an hour.`, 'per_hour', {
        limit: checksPerHour,
        seconds: Math.ceil(retryAfterMs / 1000)
      })
    }
  }

  return {
    /**
     * Writes the check down, or throws `busy` or `too_many_visual_checks`; what is refused for the
     * one counts nothing for the other.
     */
    async add(check: VisualCheckRecord): Promise<void> {
      const { oldestMs } = await queue.depth('run-visual-check')
      if (oldestMs > LONGEST_WAIT_MS) {
        throw problem('busy', 'More visual checks wait than can be made soon.', {
          headers: { 'Retry-After': String(QUEUE_AGAIN_SECONDS) }
        })
      }
      if (!(await store.visualChecks.add(check, MOST_AT_ONCE))) {
        throw tooMany(`${MOST_AT_ONCE} visual checks of the account wait or run.`, 'at_once', {
          limit: MOST_AT_ONCE,
          seconds: AGAIN_SECONDS
        })
      }
      try {
        await assertHour(check.accountId)
      } catch (error) {
        await store.visualChecks.delete(check.accountId, check.id)
        throw error
      }
    }
  }
}
