import t from 'tap'
import type { Queue } from '../../ports/queue/port.ts'
import { failingCases } from '../contracts/contract.ts'
import { queueContract } from '../contracts/queue.contract.ts'
import { QUEUE_MUTANTS, openMutantQueue } from '../fixtures/queue/mutants.ts'

/** The reference queue passes every case within 250 ms. */
const HANG_MS = 1_500
const AT_ONCE = 10

t.test('the reference queue passes every case of the contract', async (t) => {
  t.same(await failingCases(queueContract, async (listener) => openMutantQueue(listener)), [])
})

t.test('the contract detects every mutant', async (t) => {
  const opened: Queue[] = []
  for (let first = 0; first < QUEUE_MUTANTS.length; first += AT_ONCE) {
    await Promise.all(
      QUEUE_MUTANTS.slice(first, first + AT_ONCE).map(async (flaw) => {
        const titles = await failingCases(
          queueContract,
          async (listener) => {
            const queue = openMutantQueue(listener, flaw)
            opened.push(queue)
            return queue
          },
          HANG_MS
        )
        t.ok(titles.length > 0, flaw)
        t.comment(titles.join('\n'))
      })
    )
  }
  // A case that hangs does not close its queue, and its runs may never end.
  for (const queue of opened) queue.close().catch(t.threw)
})
