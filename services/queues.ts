import { problem } from '../errors.ts'
import type { Queue } from '../ports/queue/port.ts'
import { Jobs, type JobName } from '../schemas/jobs.ts'
import type { DeadJob, QueueState } from '../schemas/queue.ts'

/** What administrators see of the queue, and what they can do about jobs that were given up. */
export function createQueues({ queue }: { queue: Queue }) {
  async function stateOf(job: JobName): Promise<QueueState> {
    const { waiting, due, running, failed, oldestMs } = await queue.depth(job)
    return { job, waiting, due, running, dead: failed, oldestMs: Math.round(oldestMs) }
  }

  return {
    /**
     * Every job there is, and how many there are of it. Throws `unavailable` while the queue does
     * not answer.
     */
    states: async (): Promise<QueueState[]> => await Promise.all((Object.keys(Jobs) as JobName[]).map(stateOf)),

    /** Jobs that were given up, the latest first. Throws `not_found` for a name that no job has. */
    async dead(word: string, limit: number): Promise<DeadJob[]> {
      const dead = await queue.dead(known(word), limit)
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
     * Adds dead jobs again with all their attempts: the one of this id, or all (null); returns how
     * many. Throws `not_found` for a job or an id that is not there.
     */
    async retry(word: string, id: string | null): Promise<number> {
      const retried = await queue.retry(known(word), id)
      if (retried === 0 && id !== null) {
        throw problem('not_found', `No ${word} job of the id ${id} was given up, or it is not kept any more.`)
      }
      return retried
    }
  }
}

function known(word: string): JobName {
  if (!Object.hasOwn(Jobs, word)) {
    throw problem('not_found', `There is no job "${word}": there are ${Object.keys(Jobs).join(', ')}.`)
  }
  return word as JobName
}
