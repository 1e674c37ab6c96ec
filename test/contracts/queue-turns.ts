import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import type { Job, Queue, RunResult } from '../../ports/queue/port.ts'
import { until } from './contract.ts'
import type { ContractCase } from './contract.ts'
import { about, counts, createGate, JOB, type OpenQueue, OTHER, POLICY, queue } from './queue-case.ts'

/** A job whose payload names it: `a2` is the second job of the account `a`. */
const named = (name: string) => ({ accountId: name[0]!, blogId: name })

/** Adds jobs named like this in this order. */
async function addNamed(queue: Queue, names: string): Promise<void> {
  for (const name of names.split(' ')) await queue.add(OTHER, named(name))
}

/** Records the names of the jobs that ran. */
function createLog(result: (name: string, times: number) => RunResult = () => {}): {
  names: string[]
  run: (job: Job<typeof OTHER>) => Promise<RunResult>
} {
  const names: string[] = []
  return {
    names,
    async run({ payload: { blogId } }) {
      names.push(blogId)
      return result(blogId, names.filter((name) => name === blogId).length)
    }
  }
}

/** What a queue guarantees about accounts, and about runs that continue. */
export const turnCases: ReadonlyArray<ContractCase<OpenQueue>> = [
  queue('accounts take turns, and the jobs of one account run in their order', async ({ queue }) => {
    const log = createLog()
    await addNamed(queue, 'a1 a2 a3 a4 b1 b2 c1')
    queue.work(OTHER, POLICY, log.run)
    await queue.idle()
    assert.deepEqual(log.names.join(' '), 'a1 b1 c1 a2 b2 a3 a4')
  }),

  queue('an account that comes later waits for one job of every other account at most', async ({ queue }) => {
    const names: string[] = []
    await addNamed(queue, Array.from({ length: 20 }, (_, index) => `a${index} b${index}`).join(' '))
    queue.work(OTHER, POLICY, async ({ payload: { blogId } }) => {
      names.push(blogId)
      if (blogId === 'a3') await queue.add(OTHER, named('late'))
      await wait(1)
    })
    await queue.idle()
    assert.equal(names.length, 41)
    const before = names.indexOf('late') - names.indexOf('a3') - 1
    assert.ok(before <= 3, `${before} jobs ran before it`)
  }),

  queue('jobs that were delayed, and retries, take turns as well', async ({ queue }) => {
    const names: string[] = []
    for (let index = 0; index < 20; index++) await queue.add(OTHER, named(`a${index}`), { delayMs: 40 })
    await wait(50)
    await addNamed(queue, 'b1 b2')
    queue.work(OTHER, { ...POLICY, attempts: 2 }, async ({ payload: { blogId }, attempt }) => {
      names.push(blogId)
      await wait(1)
      if (attempt === 1 && blogId !== 'b2') throw new Error('once')
    })
    await queue.idle()
    assert.equal(names.filter((name) => name.startsWith('a')).length, 40)
    assert.ok(names.indexOf('b2') < 10, `b2 was number ${names.indexOf('b2')}`)
  }),

  queue('the runs of one account match its limit, and other accounts use the other workers', async ({ queue }) => {
    const gate = createGate()
    const running = new Map<string, number>()
    let most = 0
    queue.work(JOB, { ...POLICY, concurrency: 4, accountConcurrency: 2 }, async (job) => {
      const { accountId } = job.payload
      const count = (running.get(accountId) ?? 0) + 1
      running.set(accountId, count)
      most = Math.max(most, count)
      await gate.run(job)
      running.set(accountId, running.get(accountId)! - 1)
    })
    for (let index = 0; index < 6; index++) await queue.add(JOB, about('a'))
    await until(() => gate.started() === 2, 'two run')
    await wait(20)
    assert.deepEqual(await counts(queue), { waiting: 4, due: 4, running: 2, failed: 0 })
    for (let index = 0; index < 3; index++) await queue.add(JOB, about('b'))
    await until(() => gate.started() === 4, 'two of the other account run')
    assert.deepEqual(gate.seen, ['a', 'a', 'b', 'b'])
    gate.open()
    await queue.idle()
    assert.equal(gate.started(), 9)
    assert.equal(most, 2)
  }),

  queue('an account with nothing running goes before accounts with something running', async ({ queue }) => {
    const gates = new Map<string, () => void>()
    const names: string[] = []
    queue.work(OTHER, { ...POLICY, concurrency: 3, accountConcurrency: 3 }, async ({ payload: { blogId } }) => {
      names.push(blogId)
      await new Promise<void>((resolve) => gates.set(blogId, resolve))
    })
    const started = async (expected: string): Promise<void> => {
      await until(() => names.length >= expected.split(' ').length, expected)
      assert.equal(names.join(' '), expected)
    }
    await addNamed(queue, 'a1')
    await started('a1')
    await addNamed(queue, 'c1 c2')
    await started('a1 c1 c2')
    await addNamed(queue, 'c3 a2 b1 d1')
    gates.get('c1')!()
    await started('a1 c1 c2 b1')
    gates.get('b1')!()
    await started('a1 c1 c2 b1 d1')
    // Now the account `a` has nothing running, although its job became due after that of `c`.
    gates.get('a1')!()
    await started('a1 c1 c2 b1 d1 a2')
    gates.get('d1')!()
    await started('a1 c1 c2 b1 d1 a2 c3')
    for (const open of gates.values()) open()
    await queue.idle()
  }),

  queue('an account whose runs took little time goes before those whose runs took long', async ({ queue }) => {
    const names: string[] = []
    const gates = new Map<string, () => void>()
    queue.work(OTHER, { ...POLICY, concurrency: 4 }, async ({ payload: { blogId } }) => {
      names.push(blogId)
      if (blogId.endsWith('0')) await wait({ a: 600, b: 650, c: 150, d: 1 }[blogId[0]!])
      if (blogId.endsWith('9')) await new Promise<void>((resolve) => gates.set(blogId, resolve))
    })
    await addNamed(queue, 'a0 b0 c0 d0')
    await queue.idle()
    await addNamed(queue, 'w9 x9 y9 z9')
    await until(() => gates.size === 4, 'nothing else can run')
    await addNamed(queue, 'a1 a2 b1 b2 c1 d1 d2 e1')
    gates.get('w9')!()
    await until(() => names.length === 16, 'all ran')
    assert.equal(names.slice(8).join(' '), 'c1 d1 e1 d2 a1 b1 a2 b2')
    for (const open of gates.values()) open()
    await queue.idle()
  }),

  queue('of many runs, a quarter is left to accounts with nothing running', async ({ queue }) => {
    const gates = new Map<string, () => void>()
    queue.work(OTHER, { ...POLICY, concurrency: 16, accountConcurrency: 10 }, async ({ payload: { blogId } }) => {
      await new Promise<void>((resolve) => gates.set(blogId, resolve))
    })
    const end = (...names: string[]): void => {
      for (const name of names) gates.get(name)!()
    }
    await addNamed(queue, 'a1 a2 a3 a4 a5 a6 a7 a8 b1 b2 b3 b4 b5 b6 b7 b8')
    await until(() => gates.size === 12, 'twelve run')
    await addNamed(queue, 'c1 c2 d1')
    await until(() => gates.size === 14 && gates.has('c1') && gates.has('d1'), 'one of each other account')
    await wait(30)
    assert.equal((await queue.depth(OTHER)).running, 14)
    end('a1', 'a2', 'a3', 'c1')
    await until(() => gates.has('c2'), 'the account has nothing running again')
    end('c2', 'd1', 'b1', 'b2')
    await until(() => gates.size === 19, 'all started')
    for (const open of gates.values()) open()
    await queue.idle()
  }),

  queue('an account at its limit starts a job when one of its runs ends, by an error too', async ({ queue }) => {
    const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let started = 0
    queue.work(JOB, { ...POLICY, concurrency: 3, accountConcurrency: 1 }, async () => {
      await gates[started++]!.promise
    })
    for (let index = 0; index < 3; index++) await queue.add(JOB, about('a'))
    for (const [index, gate] of gates.entries()) {
      await until(() => started === index + 1, `run ${index + 1}`)
      await wait(5)
      assert.equal(started, index + 1)
      if (index === 0) gate.reject(new Error('no'))
      else gate.resolve()
    }
    await queue.idle()
    assert.deepEqual(await counts(queue), { waiting: 0, due: 0, running: 0, failed: 1 })
  }),

  queue('a run that continues runs again behind the other jobs of its account', async ({ queue, failures }) => {
    const log = createLog((name, times) => (name === 'a1' && times < 3 ? 'continue' : undefined))
    await addNamed(queue, 'a1 a2 a3 b1 b2')
    queue.work(OTHER, POLICY, log.run)
    await queue.idle()
    assert.equal(log.names.join(' '), 'a1 b1 a2 b2 a3 a1 a1')
    assert.deepEqual(failures, [])
  }),

  queue(
    'runs that continue are no attempts, and a continued job has all of them again',
    async ({ queue, failures }) => {
      const attempts: number[] = []
      const results: Array<'continue' | 'fail'> = ['continue', 'continue', 'fail', 'continue', 'fail', 'fail']
      queue.work(JOB, { ...POLICY, attempts: 2 }, async ({ attempt }) => {
        attempts.push(attempt)
        const result = results[attempts.length - 1]
        if (result === 'fail') throw new Error('no')
        return result
      })
      await queue.add(JOB, about('a'), { requestId: 'req-1' })
      await until(() => failures.some(({ isLast }) => isLast), 'it was given up')
      await queue.idle()
      assert.deepEqual(attempts, [1, 1, 1, 2, 1, 2])
      assert.deepEqual(
        failures.map(({ attempt, isLast, requestId }) => [attempt, isLast, requestId]),
        [
          [1, false, 'req-1'],
          [1, false, 'req-1'],
          [2, true, 'req-1']
        ]
      )
    }
  ),

  queue('a job that continues blocks other jobs of its key while it waits', async ({ queue }) => {
    const log = createLog((name, times) => (name === 'a1' && times === 1 ? 'continue' : undefined))
    const gate = Promise.withResolvers<void>()
    queue.work(OTHER, POLICY, async (job) => {
      const result = await log.run(job)
      if (job.payload.blogId === 'b1') await gate.promise
      return result
    })
    await queue.add(OTHER, named('a1'), { key: 'same' })
    await addNamed(queue, 'b1')
    await until(() => log.names.includes('b1'), 'the other account runs')
    await queue.add(OTHER, named('a2'), { key: 'same' })
    assert.equal((await queue.depth(OTHER)).waiting, 1)
    gate.resolve()
    await queue.idle()
    assert.deepEqual(log.names, ['a1', 'b1', 'a1'])
  }),

  queue('a job that continues is dropped if another one of its key waits', async ({ queue }) => {
    const names: string[] = []
    queue.work(OTHER, POLICY, async ({ payload: { blogId } }) => {
      names.push(blogId)
      if (names.length > 1) return undefined
      await queue.add(OTHER, named('a2'), { key: 'same' })
      return 'continue'
    })
    await queue.add(OTHER, named('a1'), { key: 'same' })
    await queue.idle()
    await queue.add(OTHER, named('a3'), { key: 'same' })
    await queue.idle()
    assert.deepEqual(names, ['a1', 'a2', 'a3'])
    assert.deepEqual(await counts(queue, OTHER), { waiting: 0, due: 0, running: 0, failed: 0 })
  }),

  queue('a slice is over after the time of the policy, not before', async ({ queue }) => {
    const seen: boolean[] = []
    queue.work(JOB, { ...POLICY, sliceMs: 60 }, async ({ isSliceOver }) => {
      seen.push(isSliceOver())
      await wait(90)
      seen.push(isSliceOver())
    })
    for (let index = 0; index < 2; index++) await queue.add(JOB, about('a'))
    await queue.idle()
    assert.deepEqual(seen, [false, true, false, true])
  }),

  queue('a job knows how long it waited since it was due', async ({ queue }) => {
    const seen: number[] = []
    await queue.add(JOB, about('a'))
    await queue.add(JOB, about('b'), { delayMs: 250 })
    await wait(60)
    queue.work(JOB, POLICY, async ({ waitMs }) => {
      seen.push(waitMs)
    })
    await until(() => seen.length === 2, 'both ran')
    assert.ok(seen[0]! >= 55 && seen[0]! < 2_000, `the due one waited ${seen[0]} ms`)
    assert.ok(seen[1]! >= 0 && seen[1]! < 240, `the delayed one waited ${seen[1]} ms`)
  })
]
