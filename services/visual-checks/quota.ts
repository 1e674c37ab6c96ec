import { problem } from '../../errors.ts'
import type { Limits } from '../../ports/limits/port.ts'
import type { Queue } from '../../ports/queue/port.ts'
import type { Store, VisualCheckMetadata, VisualCheckRecord } from '../../ports/store/port.ts'

/** Queued and running checks of an account. Scheduled checks leave half of them to requests. */
const MAX_UNFINISHED = 4
const MAX_UNFINISHED_BY_SCHEDULE = 2
const HOUR_SECONDS = 3600
/** A check takes seconds. */
const UNFINISHED_RETRY_SECONDS = 5
/**
 * If so many jobs wait, and the oldest one for longer than this, an account can have one unfinished check. A single
 * account has only a few, whose pages may be slow, and takes turns with others: its jobs alone do not mean that others
 * wait. Nor do those of several accounts: the queue starts those of accounts that used less first.
 */
const MAX_WAITING = 25
const MAX_UNFINISHED_WHEN_FULL = 1
const MAX_QUEUE_WAIT_MS = 60_000
const QUEUE_RETRY_SECONDS = 30

/** What is known of a check before it runs. */
export type CheckRequest = Pick<
  VisualCheckMetadata,
  'id' | 'accountId' | 'projectId' | 'blogId' | 'url' | 'environment' | 'trigger' | 'viewports' | 'detail'
>

interface Dependencies {
  store: Store
  queue: Queue
  limits: Limits
  /** For each account, in any hour. 0: no limit besides the plan's. */
  checksPerHour: number
}

/** Limits the number of checks, in addition to the request limits of the plan. */
export function createCheckQuota({ store, queue, limits, checksPerHour }: Dependencies) {
  /** Whether the queue is so long that an account can only have one unfinished check. */
  async function isFull(): Promise<boolean> {
    const { waiting, oldestMs } = await queue.depth('run-visual-check')
    return waiting >= MAX_WAITING && oldestMs > MAX_QUEUE_WAIT_MS
  }

  /** Scheduled checks count separately, so that they do not use up the checks of requests. */
  async function consumeHourly({ accountId, trigger }: CheckRequest): Promise<void> {
    if (checksPerHour === 0) return
    const bucket = trigger === 'schedule' ? 'scheduled-visual-checks' : 'visual-checks'
    const { allowed, retryAfterMs } = await limits.consume({ bucket: `${bucket}:${accountId}`, limit: checksPerHour })
    if (allowed) return
    const retryAfterSeconds = Math.ceil(retryAfterMs / 1000)
    throw problem(
      'too_many_visual_checks',
      `The account has reached its limit of ${checksPerHour} visual checks per hour.`,
      {
        headers: limitHeaders({
          policy: 'visual-checks',
          limit: checksPerHour,
          windowSeconds: HOUR_SECONDS,
          retryAfterSeconds
        }),
        members: { limit: checksPerHour }
      }
    )
  }

  return {
    isFull,

    /**
     * Stores a queued check and returns it. Throws `busy`, `too_many_unfinished_visual_checks` or
     * `too_many_visual_checks`. A check that exceeds one limit does not count toward the others.
     */
    async add(request: CheckRequest): Promise<VisualCheckRecord> {
      const check = newCheck(request)
      const limit = check.trigger === 'schedule' ? MAX_UNFINISHED_BY_SCHEDULE : MAX_UNFINISHED
      const isLimited = await isFull()
      if (!(await store.visualChecks.add(check, isLimited ? MAX_UNFINISHED_WHEN_FULL : limit))) {
        if (isLimited) {
          throw problem('busy', 'The queue of visual checks is long, and the account has an unfinished one.', {
            headers: { 'Retry-After': String(QUEUE_RETRY_SECONDS) }
          })
        }
        throw problem(
          'too_many_unfinished_visual_checks',
          `The account already has ${limit} queued or running visual checks.`,
          {
            headers: limitHeaders({
              policy: 'unfinished-visual-checks',
              limit,
              retryAfterSeconds: UNFINISHED_RETRY_SECONDS
            }),
            members: { limit }
          }
        )
      }
      try {
        await consumeHourly(check)
      } catch (error) {
        await store.visualChecks.delete(check.accountId, check.id)
        throw error
      }
      return check
    }
  }
}

const newCheck = (request: CheckRequest): VisualCheckRecord => ({
  ...request,
  finalUrl: null,
  status: 'queued',
  overallScore: null,
  reason: null,
  attempts: 0,
  createdAt: new Date().toISOString(),
  startedAt: null,
  finishedAt: null,
  result: null
})

/**
 * The rate limit headers of a rejected check. They describe the limit that the check exceeds instead
 * of the limit of the plan, which may have requests left.
 */
function limitHeaders({
  policy,
  limit,
  windowSeconds,
  retryAfterSeconds
}: {
  policy: string
  limit: number
  windowSeconds?: number
  retryAfterSeconds: number
}): Record<string, string> {
  return {
    'Retry-After': String(retryAfterSeconds),
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': '0',
    'X-RateLimit-Reset': String(Math.ceil(Date.now() / 1000) + retryAfterSeconds),
    'RateLimit-Policy': `"${policy}";q=${limit}${windowSeconds === undefined ? '' : `;w=${windowSeconds}`}`,
    RateLimit: `"${policy}";r=0;t=${retryAfterSeconds}`
  }
}
