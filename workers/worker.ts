import type { Job, JobPolicy } from '../ports/queue/port.ts'
import type { JobName } from '../schemas/jobs.ts'
import type { Services } from '../services/index.ts'

/** The policy of a job, and its work. A job may run twice, so its work must be safe to repeat. */
export interface Worker<N extends JobName> extends JobPolicy {
  run: (job: Job<N>, services: Services) => Promise<void>
}
