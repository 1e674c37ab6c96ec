import type { QueueStateList } from '../../schemas/queue.ts'
import type { Command } from './command.ts'
import { queuesPageAddress } from './queues-page-address.ts'
import { assertReachableQueue } from './reachable-queue.ts'
import { table } from './table.ts'
import { waited } from './waited.ts'

export const queues: Command = {
  usage: 'queues [--open]',
  summary:
    'Show how many jobs wait, run, or were given up. --open prints an address that opens the page of the queues, which needs REDIS_URL',
  options: { open: { type: 'boolean' } },
  async run({ values, operator, tell }) {
    if (values.open === true) {
      const address = await queuesPageAddress()
      tell({ address }, [address])
      return 0
    }
    assertReachableQueue()
    const list = await (await operator()).call<QueueStateList>('GET', '/api/admin/queues')
    const rows = list.queues.map(({ job, waiting, due, running, dead, oldestMs }) =>
      [job, waiting, due, running, dead, waited(oldestMs)].map(String)
    )
    tell(list, table(['job', 'waiting', 'due', 'running', 'dead', 'oldest'], rows))
    return 0
  }
}
