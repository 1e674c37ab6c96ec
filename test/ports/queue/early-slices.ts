import { setTimeout as wait } from 'node:timers/promises'
import type { Test } from 'tap'
import type { Queue } from '../../../ports/queue/port.ts'

const JOB = 'refresh-related'
/** Longer than the test waits. */
const SLICE_MS = 20_000

/** Checks that a run of an account that used much ends its slice when a job of another one waits. */
export async function endsSliceEarly(t: Test, queue: Queue): Promise<void> {
  const started: string[] = []
  const policy = { concurrency: 1, attempts: 1, backoffMs: [0], timeoutMs: 60_000, sliceMs: SLICE_MS }
  let endAt = Infinity
  queue.work(JOB, policy, async ({ payload: { accountId }, isSliceOver }) => {
    started.push(accountId)
    if (accountId !== 'large') return
    while (!isSliceOver() && performance.now() < endAt) await wait(10)
    return performance.now() < endAt ? 'continue' : undefined
  })
  await queue.add(JOB, { accountId: 'large' })
  await wait(700)
  t.same(started, ['large'], 'nobody waits')
  await queue.add(JOB, { accountId: 'small' })
  await wait(1_000)
  t.same(started.slice(0, 3), ['large', 'small', 'large'])
  t.equal(started.length, 3, 'and then it has its whole slice')
  endAt = 0
  await queue.idle()
}
