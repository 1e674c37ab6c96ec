import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import type { Job } from '../../ports/queue/port.ts'
import { until } from './contract.ts'
import type { ContractCase } from './contract.ts'
import {
  about,
  accountOf,
  counts,
  createGate,
  type Failure,
  JOB,
  type OpenQueue,
  OTHER,
  POLICY,
  queue
} from './queue-case.ts'
import { turnCases } from './queue-turns.ts'

export type { OpenQueue } from './queue-case.ts'

export const queueContract: ReadonlyArray<ContractCase<OpenQueue>> = [
  queue('an added job is processed once, with its payload', async ({ queue, failures }) => {
    const jobs: Array<Job<typeof JOB>> = []
    queue.work(JOB, POLICY, async (job) => {
      jobs.push(job)
    })
    await queue.add(JOB, about('a'))
    await until(() => jobs.length > 0, 'the job ran')
    await queue.idle()
    assert.deepEqual(
      jobs.map(({ name, payload, attempt }) => ({ name, payload, attempt })),
      [{ name: JOB, payload: about('a'), attempt: 1 }]
    )
    assert.equal(jobs[0]?.signal.aborted, false)
    assert.deepEqual(failures, [])
  }),

  queue('a job has a copy of its payload', async ({ queue }) => {
    const seen: unknown[] = []
    const payload = about('a')
    await queue.add(JOB, payload)
    payload.accountId = 'changed'
    queue.work(JOB, { ...POLICY, attempts: 2 }, async (job) => {
      seen.push({ ...job.payload })
      job.payload.accountId = 'changed'
      if (job.attempt === 1) throw new Error('once')
    })
    await until(() => seen.length === 2, 'two attempts')
    assert.deepEqual(seen, [about('a'), about('a')])
  }),

  queue('jobs wait for a worker and are processed in the order in which they were added', async ({ queue }) => {
    const seen: string[] = []
    for (let index = 0; index < 20; index++) await queue.add(JOB, about(String(index)))
    await wait(20)
    assert.equal((await queue.depth(JOB)).waiting, 20)
    queue.work(JOB, POLICY, async ({ payload }) => {
      seen.push(payload.accountId)
    })
    await queue.idle()
    assert.deepEqual(
      seen,
      Array.from({ length: 20 }, (_, index) => String(index))
    )
  }),

  queue('jobs of different names do not wait for each other', async ({ queue }) => {
    const gate = createGate()
    let published = false
    queue.work(JOB, POLICY, gate.run)
    queue.work(OTHER, POLICY, async () => {
      published = true
    })
    await queue.add(JOB, about('a'))
    await until(() => gate.started() === 1, 'the first runs')
    await queue.add(OTHER, { accountId: 'a', blogId: 'b' })
    await until(() => published, 'the other ran')
    gate.open()
  }),

  queue('concurrency matches the policy and never exceeds it', async ({ queue }) => {
    const gate = createGate()
    queue.work(JOB, { ...POLICY, concurrency: 3 }, gate.run)
    for (let index = 0; index < 10; index++) await queue.add(JOB, about(String(index)))
    await until(() => gate.started() === 3, 'three run')
    assert.deepEqual(await counts(queue), { waiting: 7, due: 7, running: 3, failed: 0 })
    gate.open()
    await queue.idle()
    assert.equal(gate.started(), 10)
    assert.equal(gate.most(), 3)
  }),

  queue(
    'a failing job is attempted as often as the policy says, and every failure is reported',
    async ({ queue, failures }) => {
      const attempts: number[] = []
      const error = new Error('no')
      queue.work(JOB, { ...POLICY, attempts: 3 }, async ({ attempt }) => {
        attempts.push(attempt)
        throw error
      })
      await queue.add(JOB, about('a'))
      await until(() => failures.some(({ isLast: last }) => last), 'it was given up')
      await queue.idle()
      assert.deepEqual(attempts, [1, 2, 3])
      assert.deepEqual(
        failures.map(({ name, attempt, isLast: last }) => ({ name, attempt, last })),
        [1, 2, 3].map((attempt) => ({ name: JOB, attempt, last: attempt === 3 }))
      )
      assert.ok(failures.every((failure) => failure.error instanceof Error && failure.error.message === 'no'))
      assert.deepEqual(await counts(queue), { waiting: 0, due: 0, running: 0, failed: 1 })
    }
  ),

  queue('a job that succeeds after failures does not count as failed', async ({ queue, failures }) => {
    let done = false
    queue.work(JOB, { ...POLICY, attempts: 5 }, async ({ attempt }) => {
      if (attempt < 3) throw new Error('not yet')
      done = true
    })
    await queue.add(JOB, about('a'))
    await until(() => done, 'it worked')
    await queue.idle()
    assert.deepEqual(
      failures.map(({ attempt, isLast: last }) => [attempt, last]),
      [
        [1, false],
        [2, false]
      ]
    )
    assert.deepEqual(await counts(queue), { waiting: 0, due: 0, running: 0, failed: 0 })
  }),

  queue('attempts wait as the policy says, and the last wait repeats', async ({ queue }) => {
    const at: number[] = []
    queue.work(JOB, { ...POLICY, attempts: 4, backoffMs: [40, 150] }, async () => {
      at.push(performance.now())
      throw new Error('no')
    })
    await queue.add(JOB, about('a'))
    await until(() => at.length === 4, 'four attempts')
    const waits = at.slice(1).map((time, index) => time - (at[index] as number))
    const least = [40, 150, 150]
    assert.ok(
      waits.every((ms, index) => ms >= (least[index] as number) - 1),
      `waited ${waits.map(Math.round)} ms`
    )
  }),

  queue('other jobs run while a job waits for its next attempt', async ({ queue }) => {
    const seen: string[] = []
    queue.work(JOB, { ...POLICY, attempts: 2, backoffMs: [60_000] }, async ({ payload }) => {
      seen.push(payload.accountId)
      if (payload.accountId === 'bad') throw new Error('no')
    })
    await queue.add(JOB, about('bad'))
    await queue.add(JOB, about('good'))
    await until(() => seen.includes('good'), 'the good one ran')
    await queue.idle()
    assert.deepEqual(await counts(queue), { waiting: 1, due: 0, running: 0, failed: 0 })
  }),

  queue('an error that is not retryable ends the attempts', async ({ queue, failures }) => {
    queue.work(JOB, { ...POLICY, attempts: 5 }, async () => {
      throw Object.assign(new Error('never'), { retryable: false })
    })
    await queue.add(JOB, about('a'))
    await until(() => failures.length > 0, 'the failure is reported')
    await queue.idle()
    assert.deepEqual(
      failures.map(({ attempt, isLast: last }) => [attempt, last]),
      [[1, true]]
    )
    assert.equal((await queue.depth(JOB)).failed, 1)
  }),

  queue('any thrown value is reported, also by a worker that throws synchronously', async ({ queue, failures }) => {
    const thrown: unknown[] = [undefined, 'text', null]
    queue.work(JOB, POLICY, () => {
      throw thrown.shift()
    })
    for (const account of ['1', '2', '3']) await queue.add(JOB, about(account))
    await until(() => failures.length === 3, 'three failures')
    assert.ok(failures.every(({ attempt, isLast: last }) => attempt === 1 && last))
  }),

  queue('a run that exceeds its timeout is aborted and fails', async ({ queue, failures }) => {
    const attempts: number[] = []
    const signals: AbortSignal[] = []
    queue.work(JOB, { ...POLICY, attempts: 2, timeoutMs: 40 }, async ({ attempt, signal }) => {
      attempts.push(attempt)
      signals.push(signal)
      if (attempt === 1) await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
    })
    await queue.add(JOB, about('a'))
    await until(() => attempts.length === 2, 'the second attempt')
    await queue.idle()
    assert.deepEqual(
      failures.map(({ attempt, isLast: last }) => [attempt, last]),
      [[1, false]]
    )
    assert.deepEqual(
      signals.map(({ aborted }) => aborted),
      [true, false]
    )
    assert.match(String((failures[0] as Failure).error), /timed out after 40 ms/)
  }),

  queue('a run that ends in time is not aborted', async ({ queue, failures }) => {
    const signals: AbortSignal[] = []
    queue.work(JOB, { ...POLICY, timeoutMs: 50 }, async ({ signal }) => {
      signals.push(signal)
    })
    await queue.add(JOB, about('a'))
    await until(() => signals.length === 1, 'it ran')
    await wait(120)
    assert.equal(signals[0]?.aborted, false)
    assert.deepEqual(failures, [])
  }),

  queue('a job is not added while another one with its key waits', async ({ queue }) => {
    const seen: string[] = []
    for (const account of ['1', '2', '3']) await queue.add(JOB, about(account), { key: 'same' })
    await Promise.all(['4', '5'].map((account) => queue.add(JOB, about(account), { key: 'other' })))
    await queue.add(OTHER, { accountId: 'a', blogId: 'b' }, { key: 'same' })
    await queue.add(JOB, about('6'))
    await queue.add(JOB, about('7'))
    assert.deepEqual([(await queue.depth(JOB)).waiting, (await queue.depth(OTHER)).waiting], [4, 1])
    queue.work(JOB, POLICY, async ({ payload }) => {
      seen.push(payload.accountId)
    })
    queue.work(OTHER, POLICY, async ({ payload }) => {
      seen.push(payload.blogId)
    })
    await queue.idle()
    assert.equal(seen.length, 5)
    assert.ok(seen.includes('1') && seen.includes('b') && seen.includes('6') && seen.includes('7'))
    assert.ok(!seen.includes('2') && !seen.includes('3'))
  }),

  queue('a job is added while another one with its key runs', async ({ queue }) => {
    const gate = createGate()
    queue.work(JOB, POLICY, gate.run)
    await queue.add(JOB, about('1'), { key: 'same' })
    await until(() => gate.started() === 1, 'the first runs')
    await queue.add(JOB, about('2'), { key: 'same' })
    await queue.add(JOB, about('3'), { key: 'same' })
    assert.deepEqual(await counts(queue), { waiting: 1, due: 1, running: 1, failed: 0 })
    gate.open()
    await until(() => gate.started() === 2, 'the second ran')
    await queue.idle()
    assert.deepEqual(gate.seen, ['1', '2'])
  }),

  queue('a completed job releases its key', async ({ queue }) => {
    const seen: string[] = []
    queue.work(JOB, POLICY, async ({ payload }) => {
      seen.push(payload.accountId)
    })
    for (const account of ['1', '2']) {
      await queue.add(JOB, about(account), { key: 'same' })
      await until(() => seen.includes(account), `${account} ran`)
      await queue.idle()
    }
    assert.deepEqual(seen, ['1', '2'])
  }),

  queue('a job is not added while another one with its key waits for a retry', async ({ queue, failures }) => {
    queue.work(JOB, { ...POLICY, attempts: 2, backoffMs: [60_000] }, async () => {
      throw new Error('no')
    })
    await queue.add(JOB, about('1'), { key: 'same' })
    await until(() => failures.length === 1, 'it failed once')
    await queue.add(JOB, about('2'), { key: 'same' })
    assert.equal((await queue.depth(JOB)).waiting, 1)
    await queue.idle()
    assert.equal(failures.length, 1)
  }),

  queue('a delayed job runs at its time, other jobs overtake it, and it counts as waiting', async ({ queue }) => {
    const seen: string[] = []
    const began = performance.now()
    let ranAfterMs = 0
    queue.work(JOB, POLICY, async ({ payload }) => {
      seen.push(payload.accountId)
      if (payload.accountId === 'later') ranAfterMs = performance.now() - began
    })
    await queue.add(JOB, about('later'), { delayMs: 150 })
    assert.equal((await queue.depth(JOB)).waiting, 1)
    await queue.add(JOB, about('now'))
    await until(() => seen.length === 2, 'both ran')
    assert.deepEqual(seen, ['now', 'later'])
    assert.ok(ranAfterMs >= 149, `ran after ${ranAfterMs} ms`)
  }),

  queue('a negative delay counts as no delay', async ({ queue }) => {
    let ran = false
    queue.work(JOB, POLICY, async () => {
      ran = true
    })
    await queue.add(JOB, about('a'), { delayMs: -5_000 })
    await until(() => ran, 'it ran')
  }),

  queue('a delay may be months long and exceed the range of timers', async ({ queue }) => {
    const seen: string[] = []
    queue.work(JOB, POLICY, async ({ payload }) => {
      seen.push(payload.accountId)
    })
    await queue.add(JOB, about('months'), { delayMs: 2 ** 31 + 1_000, key: 'months' })
    await queue.add(JOB, about('years'), { delayMs: 2 ** 33 })
    await queue.add(JOB, about('soon'), { delayMs: 60 })
    await until(() => seen.length > 0, 'the one that is due soon ran')
    await queue.add(JOB, about('again'), { key: 'months' })
    await queue.idle()
    assert.deepEqual(seen, ['soon'])
    assert.equal((await queue.depth(JOB)).waiting, 2)
  }),

  queue('idle waits for due and running jobs, but not for delayed jobs', async ({ queue }) => {
    const gate = createGate()
    let idle = false
    await queue.idle()
    queue.work(JOB, POLICY, gate.run)
    await queue.add(JOB, about('later'), { delayMs: 60_000 })
    await queue.idle()
    await queue.add(JOB, about('1'))
    await queue.add(JOB, about('2'))
    const waiting = queue.idle().then(() => {
      idle = true
    })
    await until(() => gate.started() === 1, 'the first runs')
    await wait(30)
    assert.equal(idle, false)
    gate.open()
    await waiting
    assert.deepEqual(gate.seen, ['1', '2'])
    assert.deepEqual(await counts(queue), { waiting: 1, due: 0, running: 0, failed: 0 })
  }),

  queue('idle waits until the last run ends', async ({ queue }) => {
    const gate = createGate()
    let idle = false
    queue.work(JOB, POLICY, gate.run)
    await queue.add(JOB, about('a'))
    await until(() => gate.started() === 1, 'it runs')
    const waiting = queue.idle().then(() => {
      idle = true
    })
    await wait(30)
    assert.equal(idle, false)
    gate.open()
    await waiting
  }),

  queue('a second worker for a job name is rejected', async ({ queue }) => {
    queue.work(JOB, POLICY, async () => {})
    assert.throws(() => queue.work(JOB, POLICY, async () => {}), /already has a worker/)
  }),

  queue('depth returns the number of waiting and due jobs, and the age of the oldest due job', async ({ queue }) => {
    assert.deepEqual(await queue.depth(JOB), { waiting: 0, due: 0, running: 0, failed: 0, oldestMs: 0 })
    await queue.add(JOB, about('later'), { delayMs: 60_000 })
    assert.equal((await queue.depth(JOB)).oldestMs, 0)
    await queue.add(JOB, about('soon'), { delayMs: 150 })
    await until(async () => (await queue.depth(JOB)).due === 1, 'the one that is due soon is due')
    assert.ok((await queue.depth(JOB)).oldestMs < 140, 'what waits for its time is not old')
    await wait(200)
    await queue.add(JOB, about('now'))
    assert.deepEqual(await counts(queue), { waiting: 3, due: 2, running: 0, failed: 0 })
    const { oldestMs } = await queue.depth(JOB)
    assert.ok(oldestMs >= 190 && oldestMs < 2_000, `the oldest has been due for ${oldestMs} ms`)
    assert.deepEqual(await counts(queue, OTHER), { waiting: 0, due: 0, running: 0, failed: 0 })
  }),

  queue(
    'a job, its failures and its dead entry have the id of the request that added it',
    async ({ queue, failures }) => {
      const seen: Array<[string, string | null]> = []
      await queue.add(JOB, about('1'), { requestId: 'req-1' })
      await queue.add(JOB, about('2'))
      queue.work(JOB, { ...POLICY, attempts: 2 }, async ({ payload, requestId }) => {
        seen.push([payload.accountId, requestId])
        throw new Error('no')
      })
      await until(() => failures.filter(({ isLast: last }) => last).length === 2, 'both were given up')
      await queue.idle()
      const ids = { 1: 'req-1', 2: null }
      assert.equal(seen.length, 4)
      assert.ok(seen.every(([account, id]) => id === ids[account as '1' | '2']))
      assert.deepEqual(failures.map(({ requestId }) => requestId).sort(), [null, null, 'req-1', 'req-1'])
      assert.deepEqual(
        (await queue.dead(JOB, 10)).map(({ payload, requestId }) => [accountOf(payload), requestId]).sort(),
        [
          ['1', 'req-1'],
          ['2', null]
        ]
      )
    }
  ),

  queue('dead jobs are listed newest first, with payload, error and time', async ({ queue, failures }) => {
    const began = Date.now()
    assert.deepEqual(await queue.dead(JOB, 10), [])
    queue.work(JOB, { ...POLICY, attempts: 2 }, async ({ payload }) => {
      throw new Error(`no ${payload.accountId}`)
    })
    queue.work(OTHER, POLICY, async () => {
      throw Object.assign(new Error('never'), { retryable: false })
    })
    for (const account of ['1', '2', '3']) {
      await queue.add(JOB, about(account))
      await until(
        () => failures.some(({ isLast: last, error }) => last && (error as Error).message === `no ${account}`),
        `${account} was given up`
      )
      await wait(5) // What is given up in the same millisecond has no order.
    }
    await queue.add(OTHER, { accountId: 'a', blogId: 'b' })
    await until(() => failures.some(({ name }) => name === OTHER), 'the other was given up')
    await queue.idle()
    const dead = await queue.dead(JOB, 10)
    assert.deepEqual(
      dead.map(({ name, payload, attempts, reason }) => ({ name, payload, attempts, reason })),
      ['3', '2', '1'].map((account) => ({ name: JOB, payload: about(account), attempts: 2, reason: `no ${account}` }))
    )
    assert.equal(new Set(dead.map(({ id }) => id)).size, 3)
    for (const { failedAt } of dead) {
      assert.match(failedAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
      assert.ok(Date.parse(failedAt) >= began - 1 && Date.parse(failedAt) <= Date.now() + 1, failedAt)
    }
    assert.deepEqual(
      (await queue.dead(JOB, 2)).map(({ id }) => id),
      dead.slice(0, 2).map(({ id }) => id)
    )
    assert.deepEqual(
      (await queue.dead(OTHER, 10)).map(({ payload, attempts }) => [payload, attempts]),
      [[{ accountId: 'a', blogId: 'b' }, 1]]
    )
  }),

  queue('at least the latest hundred dead jobs of a name are stored', async ({ queue }) => {
    queue.work(JOB, { ...POLICY, concurrency: 10 }, async () => {
      throw new Error('no')
    })
    for (let index = 0; index < 105; index++) await queue.add(JOB, about(String(index)))
    await queue.idle()
    const stored = (await queue.dead(JOB, 1000)).map(({ payload }) => Number(accountOf(payload)))
    assert.ok(stored.length >= 100, `${stored.length} are stored`)
    assert.ok(stored.includes(104) && stored.includes(20))
    assert.equal((await queue.depth(JOB)).failed, stored.length)
  }),

  queue(
    'a dead job can be retried with all attempts and then no longer counts as dead',
    async ({ queue, failures }) => {
      const runs: Array<[string, number, string | null]> = []
      let works = false
      queue.work(JOB, { ...POLICY, attempts: 2 }, async ({ payload, attempt, requestId }) => {
        runs.push([payload.accountId, attempt, requestId])
        if (!works || attempt === 1) throw new Error('no')
      })
      for (const account of ['1', '2']) await queue.add(JOB, about(account), { requestId: `req-${account}` })
      await until(() => failures.filter(({ isLast: last }) => last).length === 2, 'both were given up')
      await queue.idle()
      const chosen = (await queue.dead(JOB, 10)).find(({ requestId }) => requestId === 'req-1')
      runs.length = 0
      works = true
      assert.equal(await queue.retry(JOB, chosen?.id ?? ''), 1)
      await until(() => runs.length === 2, 'it is worked again')
      await queue.idle()
      assert.deepEqual(runs, [
        ['1', 1, 'req-1'],
        ['1', 2, 'req-1']
      ])
      assert.deepEqual(await counts(queue), { waiting: 0, due: 0, running: 0, failed: 1 })
      assert.deepEqual(
        (await queue.dead(JOB, 10)).map(({ requestId }) => requestId),
        ['req-2']
      )
      assert.equal(await queue.retry(JOB, chosen?.id ?? ''), 0)
      assert.equal(await queue.retry(JOB, 'no such job'), 0)
    }
  ),

  queue('all dead jobs of one name can be retried together', async ({ queue }) => {
    const seen = new Set<string>()
    let works = false
    const run = async ({ payload }: Job<typeof JOB>) => {
      if (!works) throw new Error('no')
      seen.add(payload.accountId)
    }
    queue.work(JOB, { ...POLICY, concurrency: 5 }, run)
    queue.work(OTHER, POLICY, async () => {
      throw new Error('no')
    })
    for (const account of ['1', '2', '3']) await queue.add(JOB, about(account), { key: account })
    await queue.add(OTHER, { accountId: 'a', blogId: 'b' })
    await queue.idle()
    works = true
    assert.equal(await queue.retry(JOB, null), 3)
    await queue.idle()
    assert.deepEqual([...seen].sort(), ['1', '2', '3'])
    assert.deepEqual(await queue.dead(JOB, 10), [])
    assert.equal((await queue.depth(JOB)).failed, 0)
    assert.equal((await queue.dead(OTHER, 10)).length, 1)
    assert.equal(await queue.retry(JOB, null), 0)
  }),

  queue('a dead job releases its key', async ({ queue, failures }) => {
    queue.work(JOB, POLICY, async () => {
      throw new Error('no')
    })
    for (const round of [1, 2]) {
      await queue.add(JOB, about('a'), { key: 'same' })
      await until(() => failures.length === round, 'it was given up')
      await queue.idle()
    }
    assert.equal((await queue.dead(JOB, 10)).length, 2)
  }),

  queue('ping reports whether jobs can be added', async ({ queue }) => {
    await queue.ping()
    await queue.close()
    await assert.rejects(queue.ping(), { code: 'unavailable' })
  }),

  queue('closing aborts running jobs, waits for them and starts no others', async ({ queue, failures }) => {
    const ended: string[] = []
    const started: string[] = []
    queue.work(JOB, { ...POLICY, attempts: 3 }, async ({ payload, signal }) => {
      started.push(payload.accountId)
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
      await wait(30)
      ended.push(payload.accountId)
      throw new Error('stopped')
    })
    for (const account of ['1', '2']) await queue.add(JOB, about(account))
    await queue.add(JOB, about('3'), { delayMs: 20 })
    await until(() => started.length === 1, 'the first runs')
    await queue.close()
    assert.deepEqual([started, ended], [['1'], ['1']])
    assert.ok(
      failures.every(({ isLast: last }) => !last),
      'a job that was broken off is not given up'
    )
    await wait(60)
    assert.deepEqual(started, ['1'], 'nothing is worked after the close')
  }),

  queue('a closed queue rejects jobs, and closing it again does nothing', async ({ queue }) => {
    await queue.close()
    await assert.rejects(queue.add(JOB, about('a')), { code: 'unavailable' })
    await queue.close()
  }),

  ...turnCases
]
