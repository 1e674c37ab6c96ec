import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Queue as BullmqQueue } from 'bullmq'
import { Redis } from 'ioredis'
import t, { type Test } from 'tap'
import { openBullmqQueue } from '../../ports/queue/bullmq/index.ts'
import { keyPrefix } from '../../ports/queue/bullmq/key-names.ts'
import { openQueue } from '../../ports/queue/open.ts'
import type { Job, JobFailure, Queue } from '../../ports/queue/port.ts'
import { runCase, until } from '../contracts/contract.ts'
import { queueContract } from '../contracts/queue.contract.ts'
import { ownPrefix } from '../fixtures/queue/redis-prefix.ts'

const url = process.env.TEST_REDIS_URL ?? ''
const skip = url === '' ? 'needs TEST_REDIS_URL: use npm run test:scaled' : false
const PROGRAM = path.resolve(import.meta.dirname, '../fixtures/queue/die-at-work.ts')
const JOB = 'refresh-related'
const POLICY = { concurrency: 1, attempts: 1, backoffMs: [0], timeoutMs: 60_000 }
/** So that nobody waits for a dead process as long as in earnest. */
const LOCK_MS = 1_500

t.test('the queue in a Redis', { skip }, async (t) => {
  for (const one of queueContract) {
    t.test(one.title, async (t) => {
      await runCase(one, (listener) => openQueue({ redisUrl: url, redisPrefix: ownPrefix(t, url), listener }))
      t.pass('kept')
    })
  }
})

/**
 * As many queues over the same Redis as are asked for, each as another process would have it,
 * closed at the end.
 */
function fleet(
  t: Test,
  options: { lockMs?: number; graceMs?: number } = {}
): { prefix: string; failures: JobFailure[]; open: () => Promise<Queue> } {
  const prefix = ownPrefix(t, url)
  const failures: JobFailure[] = []
  const open = async (): Promise<Queue> => {
    const queue = await openBullmqQueue({ url, prefix, listener: { failed: (job) => failures.push(job) }, ...options })
    t.teardown(() => queue.close())
    return queue
  }
  return { prefix, failures, open }
}

t.test('workers of two processes share the load, and every job is worked once', { skip }, async (t) => {
  const { open } = fleet(t)
  const queues = [await open(), await open()]
  const seen: string[][] = [[], []]
  const accounts = Array.from({ length: 100 }, (_, index) => String(index))
  for (const accountId of accounts) await queues[0]!.add(JOB, { accountId })
  for (const [index, queue] of queues.entries()) {
    queue.work(JOB, { ...POLICY, concurrency: 2 }, async ({ payload }) => {
      seen[index]!.push(payload.accountId)
      await wait(20)
    })
  }
  await queues[1]!.idle()
  t.same(seen.flat().sort(), accounts.toSorted())
  t.ok(
    seen.every(({ length }) => length >= 10),
    `${seen.map(({ length }) => length)} jobs`
  )
})

t.test('a job that waits in one process keeps another of its key away in all', { skip }, async (t) => {
  const { open } = fleet(t)
  const [one, other] = [await open(), await open()]
  await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      (index % 2 === 0 ? one : other).add(JOB, { accountId: 'a' }, { key: 'same' })
    )
  )
  t.equal((await other.depth(JOB)).waiting, 1)
})

t.test('what is added while a job of its key runs is never missed, whenever it comes', { skip }, async (t) => {
  const { open } = fleet(t)
  const queues = [await open(), await open()]
  let [written, read] = [0, 0]
  for (const queue of queues) {
    queue.work(JOB, POLICY, async () => {
      const now = written
      if (now % 3 === 0) await wait(1)
      read = Math.max(read, now)
    })
  }
  for (let round = 0; round < 300; round++) {
    written = round
    await queues[round % 2]!.add(JOB, { accountId: 'a' }, { key: 'same' })
    if (round % 7 === 0) await wait(Math.random() * 3)
  }
  await queues[0]!.idle()
  t.equal(read, 299)
})

t.test('a job that is due later is begun at its time, not at the next full second', { skip }, async (t) => {
  const { open } = fleet(t)
  const queue = await open()
  const lateMs: number[] = []
  let dueAt = 0
  queue.work(JOB, POLICY, async () => {
    lateMs.push(Date.now() - dueAt)
  })
  for (let round = 1; round <= 4; round++) {
    dueAt = Date.now() + 50
    await queue.add(JOB, { accountId: 'a' }, { delayMs: 50 })
    await until(() => lateMs.length === round, 'it ran')
  }
  t.ok(Math.min(...lateMs) < 400, `${lateMs} ms late`)
})

t.test(
  'a job that was given up has all its attempts again also when it is tried again by other tools of BullMQ',
  { skip },
  async (t) => {
    const { open, prefix, failures } = fleet(t)
    const queue = await open()
    queue.work(JOB, { ...POLICY, attempts: 2 }, async () => {
      throw new Error('no')
    })
    await queue.add(JOB, { accountId: 'a' })
    await until(() => failures.length === 2, 'it was given up')
    await queue.idle()
    const redis = new Redis(url)
    const tool = new BullmqQueue(JOB, { connection: redis, prefix: keyPrefix(prefix) })
    t.teardown(async () => {
      await tool.close()
      await redis.quit()
    })
    const [job] = await tool.getFailed()
    await job!.retry()
    await until(() => failures.length === 4, 'it was given up again')
    await queue.idle()
    t.match(
      failures.map(({ attempt, isLast: last }) => [attempt, last]),
      [
        [1, false],
        [2, true],
        [1, false],
        [2, true]
      ]
    )
    t.match(await queue.dead(JOB, 5), [{ attempts: 2, reason: 'no' }])
  }
)

/** Runs that do not end before they are let go, and whether they heed their signal. */
function createRuns(): {
  seen: Array<{ attempt: number; accountId: string }>
  run: (job: Job<typeof JOB>) => Promise<void>
} {
  const seen: Array<{ attempt: number; accountId: string }> = []
  return {
    seen,
    async run({ attempt, payload: { accountId }, signal }) {
      seen.push({ attempt, accountId })
      if (accountId === 'deaf') await new Promise(() => {})
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
      if (accountId === 'throws') throw new Error('broken off')
    }
  }
}

for (const accountId of ['throws', 'returns', 'deaf']) {
  t.test(
    `a closed queue returns its running jobs, and another process starts them anew: a run that ${accountId}`,
    { skip },
    async (t) => {
      const { open, failures } = fleet(t, { graceMs: 200 })
      const [first, second] = [await open(), await open()]
      const runs = createRuns()
      first.work(JOB, POLICY, runs.run)
      await first.add(JOB, { accountId }, { key: 'same' })
      await first.add(JOB, { accountId: 'waits' })
      await until(() => runs.seen.length === 1, 'it runs')
      const began = performance.now()
      await first.close()
      t.ok(performance.now() - began < 1_500)
      await second.add(JOB, { accountId: 'swallowed' }, { key: 'same' })
      t.match(await second.depth(JOB), { waiting: 2, running: 0, failed: 0 }, 'it keeps others of its key away again')
      const seen: Array<[string, number]> = []
      second.work(JOB, POLICY, async ({ payload, attempt }) => {
        seen.push([payload.accountId, attempt])
      })
      await second.idle()
      t.same(seen, [
        [accountId, 1],
        ['waits', 1]
      ])
      t.same(failures, [])
    }
  )
}

/**
 * Starts a worker of its own process; resolves when it has begun a job, with the number of its
 * attempt.
 */
async function startDoomed(
  t: Test,
  prefix: string,
  mode: 'wait' | 'die'
): Promise<{ child: ChildProcess; attempt: number; ended: Promise<unknown> }> {
  const child = spawn(process.execPath, [PROGRAM, url, prefix, String(LOCK_MS), mode], {
    stdio: ['ignore', 'pipe', 'inherit']
  })
  const ended = once(child, 'exit')
  t.teardown(() => {
    child.kill('SIGKILL')
  })
  const [said] = (await once(child.stdout!, 'data')) as [Buffer]
  return { child, attempt: Number(String(said)), ended }
}

t.test('a job whose process is killed in the middle is worked by another', { skip }, async (t) => {
  const { prefix, open, failures } = fleet(t, { lockMs: LOCK_MS })
  const queue = await open()
  await queue.add(JOB, { accountId: 'a' }, { requestId: 'req-1' })
  const { child, ended } = await startDoomed(t, prefix, 'wait')
  await wait(LOCK_MS * 2)
  t.match(await queue.depth(JOB), { waiting: 0, running: 1 }, 'a run that takes longer than the lock keeps its job')
  child.kill('SIGKILL')
  await ended
  const killedAt = performance.now()
  const seen: Array<[number, string | null]> = []
  queue.work(JOB, { ...POLICY, attempts: 3 }, async ({ attempt, requestId }) => {
    seen.push([attempt, requestId])
  })
  await until(() => seen.length > 0, 'another works it')
  t.comment(`after ${Math.round(performance.now() - killedAt)} ms, with a lock of ${LOCK_MS} ms`)
  await queue.idle()
  t.same(seen, [[2, 'req-1']])
  t.same(failures, [])
})

t.test('a job that kills its process again and again is given up after its attempts', { skip }, async (t) => {
  const { prefix, open, failures } = fleet(t, { lockMs: LOCK_MS })
  const queue = await open()
  await queue.add(JOB, { accountId: 'a' })
  for (const attempt of [1, 2, 3]) {
    const doomed = await startDoomed(t, prefix, 'die')
    t.equal(doomed.attempt, attempt)
    await doomed.ended
  }
  let runs = 0
  queue.work(JOB, { ...POLICY, attempts: 3 }, async () => {
    runs++
  })
  await until(() => failures.length > 0, 'it was given up')
  await queue.idle()
  t.match(failures, [{ attempt: 3, isLast: true }])
  t.equal(runs, 0)
  t.match(await queue.dead(JOB, 10), [{ attempts: 3, reason: /process died/ }])
  t.equal(await queue.retry(JOB, null), 1)
  await queue.idle()
  t.equal(runs, 1, 'and can be tried again')
})
