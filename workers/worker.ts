import type { Job, JobPolicy, RunResult } from '../ports/queue/port.ts'
import type { JobName } from '../schemas/jobs.ts'
import type { Services } from '../services/index.ts'

/**
 * The policy of a job, and its work. A job may run twice, so its work must be safe to repeat. The
 * limit of an account is below the concurrency, so that one account never occupies all workers.
 */
export interface Worker<N extends JobName> extends JobPolicy {
  accountConcurrency: number
  run: (job: Job<N>, services: Services) => Promise<RunResult>
}
