import { problem } from '../errors.ts'
import type { Queue } from '../ports/queue/port.ts'
import { Jobs, type JobName } from '../schemas/jobs.ts'
import type { DeadJob, QueueState } from '../schemas/queue.ts'

/** For administrators: the state of the job queue, and retries of dead jobs. */
export function createQueues({ queue }: { queue: Queue }) {
  async function readState(job: JobName): Promise<QueueState> {
    const { waiting, due, running, failed, oldestMs } = await queue.depth(job)
    return { job, waiting, due, running, dead: failed, oldestMs: Math.round(oldestMs) }
  }

  return {
    /** The counts of every job name. Throws `unavailable` while the queue is unreachable. */
    states: async (): Promise<QueueState[]> => await Promise.all((Object.keys(Jobs) as JobName[]).map(readState)),

    /** Dead jobs, the latest first. Throws `not_found` for an unknown job name. */
    async dead(name: string, limit: number): Promise<DeadJob[]> {
      const dead = await queue.dead(toJobName(name), limit)
      return dead.map(({ name: job, id, payload, attempts, reason, failedAt, requestId }) => ({
        id,
        job,
        payload,
        attempts,
        reason,
        failedAt,
        requestId
      }))
    },

    /**
     * Adds dead jobs again with all their attempts: the one with this id, or all (null). Returns
     * their number. Throws `not_found` for an unknown job name or id.
     */
    async retry(name: string, id: string | null): Promise<number> {
      const retried = await queue.retry(toJobName(name), id)
      if (retried === 0 && id !== null) {
        throw problem(
          'not_found',
          `There is no dead ${name} job with id ${id}. Only the most recent dead jobs are stored.`
        )
      }
      return retried
    }
  }
}

function toJobName(name: string): JobName {
  if (!Object.hasOwn(Jobs, name)) {
    throw problem('not_found', `There is no job "${name}". The jobs are ${Object.keys(Jobs).join(', ')}.`)
  }
  return name as JobName
}
