import { setTimeout as wait } from 'node:timers/promises'
import { Redis } from 'ioredis'
import t, { type Test } from 'tap'
import { openBullmqQueue } from '../../../ports/queue/bullmq/index.ts'
import { keyNames } from '../../../ports/queue/bullmq/key-names.ts'
import type { Queue } from '../../../ports/queue/port.ts'
import { until } from '../../contracts/contract.ts'
import { ownPrefix } from '../../fixtures/queue/redis-prefix.ts'
import { endsSliceEarly } from './early-slices.ts'

const url = process.env.TEST_REDIS_URL ?? ''
const skip = url === '' ? 'needs TEST_REDIS_URL: use npm run test:scaled' : false
const JOB = 'refresh-related'
const POLICY = { concurrency: 2, accountConcurrency: 1, attempts: 1, backoffMs: [0], timeoutMs: 60_000 }
/** Longer than the six seconds after which a run is slow. */
const SLOW_RUN_MS = 6_100

/** Processes whose runs last until `end` is called for their account. */
function createProcesses(t: Test) {
  const prefix = ownPrefix(t, url)
  const redis = new Redis(url)
  const running = new Map<string, () => void>()
  const end = (accountId: string): void => {
    running.get(accountId)!()
    running.delete(accountId)
  }
  t.teardown(async () => {
    for (const accountId of [...running.keys()]) end(accountId)
    await redis.quit()
  })
  return {
    end,
    accounts: () => [...running.keys()].toSorted(),
    async open(): Promise<Queue> {
      const queue = await openBullmqQueue({ url, prefix, graceMs: 100 })
      t.teardown(() => queue.close())
      queue.work(JOB, POLICY, async ({ payload: { accountId } }) => {
        const { promise, resolve } = Promise.withResolvers<void>()
        running.set(accountId, resolve)
        await promise
      })
      return queue
    },
    async markSlow(...accounts: string[]): Promise<void> {
      for (const account of accounts) await redis.set(keyNames(prefix, JOB).account(account, 'slow'), 1)
    }
  }
}

t.test('slow accounts leave a run of each process to others', { skip }, async (t) => {
  const { open, markSlow, accounts, end } = createProcesses(t)
  await markSlow('a', 'b', 'c', 'd')
  const queue = await open()
  await open()
  for (const accountId of ['a', 'b', 'c', 'd']) await queue.add(JOB, { accountId })
  await until(() => accounts().length === 2, 'a run')
  await wait(200)
  t.same(accounts(), ['a', 'b'], 'one for each process')
  t.equal((await queue.depth(JOB)).waiting, 2)

  await queue.add(JOB, { accountId: 'other' })
  await until(() => accounts().includes('other'), 'a run')
  end('b')
  await until(() => accounts().length === 3, 'a run')
  await wait(200)
  // Two processes took the jobs of c and d at the same time, and one of these was held first.
  t.equal(accounts().filter((accountId) => 'abcd'.includes(accountId)).length, 2, 'one more when one has ended')
  for (const accountId of accounts()) end(accountId)
  await until(() => accounts().length === 1, 'a run')
  for (const accountId of accounts()) end(accountId)
  await queue.idle()
})

t.test('the runs of a process that has ended do not count', { skip }, async (t) => {
  const { open, markSlow, accounts } = createProcesses(t)
  await markSlow('a', 'b')
  const queue = await open()
  const other = await open()
  await other.close()
  for (const accountId of ['a', 'b']) await queue.add(JOB, { accountId })
  await until(() => accounts().length > 0, 'a run')
  await wait(200)
  t.equal(accounts().length, 1)
})

t.test('an account is slow after a run of more than six seconds, and during it', { skip }, async (t) => {
  const { open, markSlow, accounts, end } = createProcesses(t)
  const queue = await open()
  await queue.add(JOB, { accountId: 'a' })
  await until(() => accounts().length === 1, 'a run')
  await wait(SLOW_RUN_MS)
  await markSlow('b')
  await queue.add(JOB, { accountId: 'b' })
  await wait(200)
  t.same(accounts(), ['a'], 'the run in progress counts')
  end('a')
  await until(() => accounts().includes('b'), 'a run')
  await queue.add(JOB, { accountId: 'a' })
  await wait(200)
  t.same(accounts(), ['b'], 'the account of the run that has ended waits')
  end('b')
  await until(() => accounts().includes('a'), 'a run')
})

t.test('a slice ends early when a job of an account waits whose runs take little time', { skip }, async (t) => {
  const queue = await openBullmqQueue({ url, prefix: ownPrefix(t, url), graceMs: 100 })
  t.teardown(() => queue.close())
  await endsSliceEarly(t, queue)
})

t.test('at every eighth start, an account that is not light is next', { skip }, async (t) => {
  const queue = await openBullmqQueue({ url, prefix: ownPrefix(t, url), graceMs: 100 })
  t.teardown(() => queue.close())
  const started: string[] = []
  queue.work(JOB, { ...POLICY, concurrency: 1 }, async ({ payload: { accountId } }) => {
    started.push(accountId)
    // The others wait behind the last one.
    if (accountId === 'large' || accountId === 'gate') await wait(700)
  })
  await queue.add(JOB, { accountId: 'large' })
  await queue.idle()
  await queue.add(JOB, { accountId: 'gate' })
  await until(() => started.includes('gate'), 'a run')
  await queue.add(JOB, { accountId: 'large' })
  for (const accountId of 'abcdefghij') await queue.add(JOB, { accountId })
  await queue.idle()
  const position = started.lastIndexOf('large')
  t.ok(position > 2 && position < started.length - 2, started.join(' '))
})
