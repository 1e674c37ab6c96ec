import type { JobName, JobPayload } from '../../schemas/jobs.ts'

/** One run of a job. */
export interface Job<N extends JobName> {
  name: N
  payload: JobPayload<N>
  /** 1, 2, 3, ... */
  attempt: number
  signal: AbortSignal
  /**
   * Whether the run has used up its slice (`JobPolicy.sliceMs`). A long run checks it after each
   * step, and returns `continue` once the step is saved.
   */
  isSliceOver: () => boolean
  /** Milliseconds that the job waited for a worker after it was due. */
  waitMs: number
  /** The request that led to the job, directly or through other jobs; null if there was none. */
  requestId: string | null
}

/**
 * What a run resolves with. `continue`: there is more work; the job is added again behind the waiting
 * jobs of its account, with all its attempts. If a job of its key is waiting, that job replaces it.
 */
export type RunResult = 'continue' | void

/** How jobs of one name are run. */
export interface JobPolicy {
  /** Concurrent runs in one process. */
  concurrency: number
  /** Concurrent runs of one account, in all processes together. Default: not limited. */
  accountConcurrency?: number
  /** The work of one run, in milliseconds, before other accounts get a turn. Default 1,000. */
  sliceMs?: number
  /** Attempts in total. */
  attempts: number
  /** Delays before the 2nd, 3rd, ... attempt. The last delay repeats. */
  backoffMs: number[]
  /** The time limit of one attempt. */
  timeoutMs: number
}

export interface AddOptions {
  /**
   * While a job of this name and key is waiting, another one is not added. A running job does not
   * count.
   */
  key?: string
  /** The earliest start, in milliseconds from now. */
  delayMs?: number
  /** The request that led to the job, for the log. */
  requestId?: string
}

/** The number of jobs of one name. */
export interface QueueDepth {
  /** All jobs that are not running. */
  waiting: number
  /** Waiting jobs that need nothing but a worker. */
  due: number
  running: number
  /** Dead jobs. */
  failed: number
  /** How long the oldest due job has been due; 0 if there is none. */
  oldestMs: number
}

/** A job whose last attempt failed. Kept for a while, so that operators can inspect and retry it. */
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
 * A queue for background jobs. Jobs carry ids only, and the queue may lose them: the store is the
 * source of truth, and the sweeper adds lost jobs again.
 *
 * Jobs of one name serve accounts in turn: the next job is the first one of the account that has
 * waited longest for its turn, among the accounts below their concurrency limit. Accounts with
 * nothing running go first. The jobs of one
 * account start in the order in which they became due. The account is `payload.accountId`; jobs
 * without one count as those of a single account.
 */
export interface Queue {
  add: <N extends JobName>(name: N, payload: JobPayload<N>, options?: AddOptions) => Promise<void>
  /**
   * Starts a worker for a job; at most one per name. A run that throws is retried by the policy,
   * unless the error has `retryable: false`.
   */
  work: <N extends JobName>(name: N, policy: JobPolicy, run: (job: Job<N>) => Promise<RunResult>) => void
  depth: (name: JobName) => Promise<QueueDepth>
  /** Dead jobs of the name, the latest first. At least the last 100 are kept. */
  dead: (name: JobName, limit: number) => Promise<DeadJob[]>
  /**
   * Adds dead jobs of the name again, with all their attempts, and removes them from the dead jobs:
   * the one with this id, or all (null). Returns their number.
   */
  retry: (name: JobName, id: string | null) => Promise<number>
  /** Resolves when no job is due or running. Delayed jobs do not count. */
  idle: () => Promise<void>
  /** Resolves when jobs can be added; throws `unavailable` otherwise. */
  ping: () => Promise<void>
  /**
   * Takes no more jobs, aborts the running ones by their signal, and waits for them. The in-process
   * queue drops waiting jobs. In Redis they stay for other processes, together with jobs that did
   * not end in time.
   */
  close: () => Promise<void>
}

/** A failed attempt. */
export interface JobFailure {
  name: JobName
  attempt: number
  /** No attempt is left: the job is dead. */
  isLast: boolean
  requestId: string | null
}

/** Receives failures, for the log. */
export interface JobListener {
  failed: (job: JobFailure, error: unknown) => void
  /**
   * Called for errors of the queue itself, such as a lost connection, at most every 30 seconds for
   * errors of one kind. Default: a process warning.
   */
  queueError?: (error: Error) => void
}
