import { Jobs } from '../../schemas/jobs.ts'
import type { DeadJobList } from '../../schemas/queue.ts'
import type { Command } from './command.ts'
import { assertReachableQueue } from './reachable-queue.ts'

export const queuesDead: Command = {
  usage: 'queues dead [JOB]',
  summary: 'List jobs that were given up after their last attempt, the latest first',
  options: {},
  async run({ words: [job], operator, tell }) {
    assertReachableQueue()
    const { call } = await operator()
    const names = job === undefined ? Object.keys(Jobs) : [job]
    const lists = await Promise.all(
      names.map(async (name) => await call<DeadJobList>('GET', `/api/admin/queues/${encodeURIComponent(name)}/dead`))
    )
    const jobs = lists.flatMap((list) => list.jobs).sort((a, b) => (a.failedAt < b.failedAt ? 1 : -1))
    const lines = jobs.map(
      (dead) =>
        `${dead.failedAt}  ${dead.job} ${dead.id}  after ${dead.attempts} attempts: ${firstLine(dead.reason)}  ${JSON.stringify(dead.payload)}`
    )
    tell({ jobs }, lines.length === 0 ? ['No job was given up.'] : lines)
    return 0
  }
}

const firstLine = (reason: string): string => reason.split('\n')[0]!
