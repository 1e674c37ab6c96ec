import type { JobRetryResult } from '../../schemas/queue.ts'
import { UsageError, type Command } from './command.ts'
import { assertReachableQueue } from './reachable-queue.ts'

export const queuesRetry: Command = {
  usage: 'queues retry JOB [ID]',
  summary: 'Try jobs again that were given up: the one of this id, or all of them',
  options: {},
  async run({ words: [job, id], operator, tell }) {
    if (job === undefined) throw new UsageError('Name the job: svc queues retry JOB [ID]')
    assertReachableQueue()
    const result = await (await operator()).call<JobRetryResult>(
      'POST',
      `/api/admin/queues/${encodeURIComponent(job)}/retry`,
      { body: id === undefined ? {} : { id } }
    )
    tell(result, [`${result.retried} added again`])
    return 0
  }
}
