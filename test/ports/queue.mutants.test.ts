import t from 'tap'
import type { Queue } from '../../ports/queue/port.ts'
import { brokenPromises } from '../contracts/contract.ts'
import { queueContract } from '../contracts/queue.contract.ts'
import { FLAWS, openFlawedQueue } from '../fixtures/queue/flawed-queue.ts'

/** A right queue keeps every promise in a quarter of a second. */
const HANG_MS = 1_500
const AT_ONCE = 10

t.test('the plainest right queue keeps every promise', async (t) => {
  t.same(await brokenPromises(queueContract, async (listener) => openFlawedQueue(listener)), [])
})

t.test('queues that are wrong are caught', async (t) => {
  const opened: Queue[] = []
  for (let first = 0; first < FLAWS.length; first += AT_ONCE) {
    await Promise.all(
      FLAWS.slice(first, first + AT_ONCE).map(async (flaw) => {
        const titles = await brokenPromises(
          queueContract,
          async (listener) => {
            const queue = openFlawedQueue(listener, flaw)
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
  // A case that hangs does not come to close its queue, and what runs in it may never end.
  for (const queue of opened) queue.close().catch(t.threw)
})
