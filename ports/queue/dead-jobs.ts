import { randomUUID } from 'node:crypto'
import { reasonOf } from './policy.ts'
import type { WaitingJob } from './waiting.ts'

/** So many of a name are kept; what is older is forgotten. */
const MOST_KEPT = 100

/** A job that was given up, why, and when (RFC 3339). */
export interface KeptJob {
  id: string
  job: WaitingJob
  reason: string
  failedAt: string
}

/** The jobs of one name that were given up. */
export interface DeadJobs {
  keep: (job: WaitingJob, error: unknown) => void
  /** The latest first. */
  list: (limit: number) => KeptJob[]
  /** Takes out the one of this id, or all (null), the oldest first. */
  take: (id: string | null) => KeptJob[]
  count: () => number
}

/** Makes an empty one, which keeps the last 100. */
export function createDeadJobs(): DeadJobs {
  let kept: KeptJob[] = []
  return {
    keep(job, error) {
      kept.push({ id: randomUUID(), job, reason: reasonOf(error), failedAt: new Date().toISOString() })
      if (kept.length > MOST_KEPT) kept.shift()
    },
    list: (limit) => kept.toReversed().slice(0, limit),
    take(id) {
      const taken = id === null ? kept : kept.filter((one) => one.id === id)
      kept = id === null ? [] : kept.filter((one) => one.id !== id)
      return taken
    },
    count: () => kept.length
  }
}
