import type { Job, JobPolicy } from '../ports/queue/port.ts'
import type { JobName } from '../schemas/jobs.ts'
import type { Services } from '../services/index.ts'

/**
 * A job's policy and the service that does the work. A run may happen twice, so it must be
 * harmless.
 */
export interface Worker<N extends JobName> extends JobPolicy {
  run: (job: Job<N>, services: Services) => Promise<void>
}
