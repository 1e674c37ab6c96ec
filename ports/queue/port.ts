import type { JobName, JobPayload } from '../../schemas/jobs.ts'

export interface Job<N extends JobName> { name: N, payload: JobPayload<N>, attempt: number, signal: AbortSignal }

/** How a job is worked: how many at once, how often it is tried in all, how long to wait before the 2nd, 3rd, … attempt (the last wait repeats), and after how long it is given up. */
export interface JobPolicy { concurrency: number, attempts: number, backoffMs: number[], timeoutMs: number }

export interface AddOptions {
  /** While a job of this name and key is waiting, another one is not added; one that is running does not count, so that nothing that came after its start is missed. */
  key?: string
  /** Not before so many milliseconds. */
  delayMs?: number
}

export interface QueueDepth { waiting: number, running: number, failed: number }

/** Does it later. The queue only carries ids and may forget: the store is the truth, and the sweeper adds again what was left behind. */
export interface Queue {
  add: <N extends JobName>(name: N, payload: JobPayload<N>, options?: AddOptions) => Promise<void>
  /** Starts working a job; at most one worker a name. A run that throws is tried again by the policy, unless the error has `retryable: false`. */
  work: <N extends JobName>(name: N, policy: JobPolicy, run: (job: Job<N>) => Promise<void>) => void
  depth: (name: JobName) => Promise<QueueDepth>
  /** Resolves when nothing is due or running; jobs that wait for their time do not count. */
  idle: () => Promise<void>
  /** Takes no more, tells the running ones by their signal, waits for them, and drops what waits. */
  close: () => Promise<void>
}

/** Told of what becomes of jobs; for the log. */
export interface JobListener { failed: (job: { name: JobName, attempt: number, last: boolean }, error: unknown) => void }
