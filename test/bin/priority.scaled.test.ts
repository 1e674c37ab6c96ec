import os from 'node:os'
import t from 'tap'
import { startFleet } from '../fixtures/fleet.ts'
import { temporaryFolder } from '../helper.ts'

t.test('processes that only run jobs have a lower priority for the CPU than those with requests', async (t) => {
  const { apis, workers } = await startFleet(t, temporaryFolder(t), { apis: 1, workers: 1 })
  t.equal(os.getPriority(apis[0]!.child.pid!), os.getPriority())
  t.equal(os.getPriority(workers[0]!.child.pid!), Math.max(os.getPriority(), 5))
})
