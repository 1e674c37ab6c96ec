import type { JobName, JobPayload } from '../../schemas/jobs.ts'

/**
 * One run. `requestId` is that of the request that led to the job, directly or through other jobs;
 * null where none did.
 */
export interface Job<N extends JobName> {
  name: N
  payload: JobPayload<N>
  attempt: number
  signal: AbortSignal
  requestId: string | null
}

/**
 * How a job is worked: how many at once, how often it is tried in all, how long to wait before the
 * 2nd, 3rd, … attempt (the last wait repeats), and after how long it is given up.
 */
export interface JobPolicy {
  concurrency: number
  attempts: number
  backoffMs: number[]
  timeoutMs: number
}

export interface AddOptions {
  /**
   * While a job of this name and key is waiting, another one is not added; one that is running does
   * not count, so that nothing that came after its start is missed.
   */
  key?: string
  /** Not before so many milliseconds. */
  delayMs?: number
  /** The request that led to it, for the log. */
  requestId?: string
}

/**
 * How many jobs of a name there are. `waiting` are all that are not running; `due` of them wait for
 * nothing but a worker, the oldest of these for `oldestMs` milliseconds (0: none). `failed` were
 * given up.
 */
export interface QueueDepth {
  waiting: number
  due: number
  running: number
  failed: number
  oldestMs: number
}

/**
 * A job that was given up after its last attempt. Kept for a while, so that people can see it and
 * have it tried again.
 */
export interface DeadJob {
  id: string
  name: JobName
  payload: JobPayload<JobName>
  attempts: number
  reason: string
  failedAt: string
  requestId: string | null
}

/**
 * Does it later. The queue only carries ids and may forget: the store is the truth, and the sweeper
 * adds again what was left behind.
 */
export interface Queue {
  add: <N extends JobName>(name: N, payload: JobPayload<N>, options?: AddOptions) => Promise<void>
  /**
   * Starts working a job; at most one worker a name. A run that throws is tried again by the
   * policy, unless the error has `retryable: false`.
   */
  work: <N extends JobName>(name: N, policy: JobPolicy, run: (job: Job<N>) => Promise<void>) => void
  depth: (name: JobName) => Promise<QueueDepth>
  /**
   * Jobs of the name that were given up, the latest first; at least the last 100 are kept for as
   * long as the queue lives.
   */
  dead: (name: JobName, limit: number) => Promise<DeadJob[]>
  /**
   * Adds dead jobs of the name again, with all their attempts, and forgets that they were given up:
   * the one of this id, or all (null). Returns how many.
   */
  retry: (name: JobName, id: string | null) => Promise<number>
  /** Resolves when nothing is due or running; jobs that wait for their time do not count. */
  idle: () => Promise<void>
  /** Resolves when jobs can be added; throws `unavailable` otherwise. */
  ping: () => Promise<void>
  /**
   * Takes no more, tells the running ones by their signal and waits for them. What waits is dropped
   * where the queue lives in the process; else it stays for other processes, with what did not end
   * in time.
   */
  close: () => Promise<void>
}

/** A failed attempt; `last` says that the job was given up with it. */
export interface JobFailure {
  name: JobName
  attempt: number
  isLast: boolean
  requestId: string | null
}

/** Told of what becomes of jobs; for the log. */
export interface JobListener {
  failed: (job: JobFailure, error: unknown) => void
  /**
   * Told of what troubles the queue itself, such as a lost connection: the first time, and then now
   * and then. Without it the process warns.
   */
  queueError?: (error: Error) => void
}
