import type { JobName } from '../../schemas/jobs.ts'
import type { QueueState, QueueStateList } from '../../schemas/queue.ts'
import { RefusedError, type Operator } from './operator.ts'

/** Ends the sentence that tells a person that nobody works a job. */
export const START_A_WORKER = 'start one with ROLE=worker npm start'

/** How many jobs of this name there are; null while the queue does not answer. */
export async function queueState(service: Operator, job: JobName): Promise<QueueState | null> {
  try {
    const { queues } = await service.call<QueueStateList>('GET', '/api/admin/queues')
    return queues.find((queue) => queue.job === job) ?? null
  } catch (error) {
    if (error instanceof RefusedError && error.problem.status >= 500) return null
    throw error
  }
}
