import type { Job, JobFailure, JobListener, JobPolicy, Queue } from '../../ports/queue/port.ts'
import type { JobName } from '../../schemas/jobs.ts'
import type { ContractCase } from './contract.ts'

export type OpenQueue = (listener: JobListener) => Promise<Queue>

export type Failure = JobFailure & { error: unknown }
export interface Room {
  queue: Queue
  failures: Failure[]
}

export const POLICY: JobPolicy = { concurrency: 1, attempts: 1, backoffMs: [0], timeoutMs: 30_000 }
/** Two jobs of the roster stand for all. */
export const JOB = 'refresh-related' satisfies JobName
export const OTHER = 'publish-blog' satisfies JobName
export const about = (accountId: string) => ({ accountId })
export const accountOf = (payload: { accountId?: string }) => payload.accountId

/** How many there are, without how long they have been. */
export async function counts(
  queue: Queue,
  name: JobName = JOB
): Promise<{ waiting: number; due: number; running: number; failed: number }> {
  const { oldestMs, ...rest } = await queue.depth(name)
  return rest
}

export function queue(title: string, body: (room: Room) => Promise<void>): ContractCase<OpenQueue> {
  return {
    title,
    async run(open) {
      const failures: Failure[] = []
      const opened = await open({ failed: (job, error) => failures.push({ ...job, error }) })
      try {
        await body({ queue: opened, failures })
      } finally {
        await opened.close()
      }
    }
  }
}

/** A job handler that blocks until `open` is called, with counts of its runs. */
export function createGate(): {
  run: (job: Job<typeof JOB>) => Promise<void>
  seen: string[]
  started: () => number
  most: () => number
  open: () => void
} {
  const gate = Promise.withResolvers<void>()
  const seen: string[] = []
  let [running, most] = [0, 0]
  return {
    seen,
    started: () => seen.length,
    most: () => most,
    open: gate.resolve,
    async run({ payload }) {
      seen.push(payload.accountId)
      most = Math.max(most, ++running)
      await gate.promise
      running--
    }
  }
}
