import { execFile } from 'node:child_process'
import module from 'node:module'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import {
  createThreadPool,
  PoolBusyError,
  TaskLimitError,
  type ThreadPool,
  type ThreadPoolOptions
} from '../../lib/thread-pool.ts'

const ENTRY = new URL('../fixtures/threads/tasks.ts', import.meta.url)

function openPool(t: Test, options: Partial<ThreadPoolOptions> = {}): ThreadPool {
  const pool = createThreadPool({ entry: ENTRY, maxThreads: 2, timeoutMs: 300, ...options })
  t.teardown(() => pool.close())
  return pool
}
const run = (pool: ThreadPool, name: string, input: unknown = {}, account = 'a') => pool.run({ account, name, input })

t.test('a task gets a copy of its input and returns a copy of its result', async (t) => {
  const input = { text: 'ä\u0000', list: [1, null], map: new Map([['a', new Date(0)]]) }
  const result = await run(openPool(t), 'echo', input)
  t.strictSame(result, input)
  t.not(result, input)
})

t.test('the error of a task reaches the caller, and the thread serves on', async (t) => {
  const pool = openPool(t, { maxThreads: 1 })
  await t.rejects(run(pool, 'fail'), { name: 'RangeError', message: 'failed on purpose' })
  await t.rejects(run(pool, 'unknown'), { message: 'There is no task unknown' })
  t.equal(await run(pool, 'echo', 1), 1)
})

t.test('a task that exceeds its CPU time ends with its thread, and its part is named', async (t) => {
  const pool = openPool(t, { maxThreads: 1 })
  const error = await run(pool, 'spin', { ms: 60_000, part: 3 }).catch((error: unknown) => error)
  t.ok(error instanceof TaskLimitError)
  t.match(error, { reason: 'time', part: 3 })
  t.equal(await run(pool, 'echo', 1), 1, 'the next task runs in a new thread')
})

t.test('a task that waits for a core is not ended', { skip: process.platform !== 'linux' }, async (t) => {
  t.equal(await run(openPool(t, { maxThreads: 1 }), 'sleep', { ms: 2_500 }), 2_500)
})

t.test('a backtracking regular expression is interrupted', async (t) => {
  await t.rejects(run(openPool(t), 'match'), { name: 'TaskLimitError', reason: 'time', part: 0 })
})

t.test('a thread that cannot be interrupted counts until it has exited', { timeout: 300_000 }, async (t) => {
  const pool = openPool(t, { maxThreads: 2, timeoutMs: 100 })
  await t.rejects(run(pool, 'normalize', {}, 'a'), { name: 'TaskLimitError', reason: 'time' })
  const order: string[] = []
  const next = run(pool, 'echo', 1, 'a').then(() => order.push('a'))
  t.same(pool.load(), { running: 1, waiting: 1 }, 'its account waits')
  await run(pool, 'echo', 1, 'b')
  order.push('b')
  await next
  t.same(order, ['b', 'a'], 'others do not wait')
  t.same(pool.load(), { running: 0, waiting: 0 })
})

t.test('each task has the whole CPU time', async (t) => {
  const pool = openPool(t, { maxThreads: 1, timeoutMs: 1000 })
  for (let count = 0; count < 4; count++) t.equal(await run(pool, 'spin', { ms: 350 }), 350)
})

t.test('long tasks of accounts whose tasks were short leave a thread to others', async (t) => {
  const pool = openPool(t, { timeoutMs: 2_000 })
  for (const account of ['a', 'b', 'c']) await run(pool, 'echo', 1, account)
  const ended: string[] = []
  const long = ['a', 'b', 'c'].map((account) =>
    pool.run({ account, name: 'spin', input: { ms: 400 }, isLong: true }).then(() => ended.push(account))
  )
  t.same(pool.load(), { running: 1, waiting: 2 })
  for (let count = 0; count < 5; count++) await run(pool, 'echo', 1, 'd')
  t.same(ended, [])
  await Promise.all(long)
  t.same(ended, ['a', 'b', 'c'])
})

t.test('a short task does not wait for the tasks of several accounts', async (t) => {
  const pool = openPool(t, { timeoutMs: 5_000 })
  await Promise.all(['a', 'b'].map(async (account) => await run(pool, 'echo', 1, account)))
  const order: string[] = []
  const note = async (account: string, task: Promise<unknown>) => {
    await task
    order.push(account)
  }
  const others = ['a', 'b', 'c', 'd'].map((account) => note(account, run(pool, 'spin', { ms: 40 }, account)))
  const short = { name: 'echo', input: 1, isShort: true }
  await Promise.all([...others, note('e', pool.run({ account: 'e', ...short }))])
  t.ok(order.indexOf('e') < order.indexOf('c') && order.indexOf('e') < order.indexOf('d'), order.join())
})

t.test('other tasks keep their turn beside many short ones', async (t) => {
  const pool = openPool(t, { timeoutMs: 5_000 })
  await Promise.all(['a', 'b'].map(async (account) => await run(pool, 'echo', 1, account)))
  let ended = 0
  const short = { name: 'spin', input: { ms: 3 }, isShort: true }
  const many = ['a', 'b'].flatMap((account) =>
    Array.from({ length: 30 }, async () => {
      await pool.run({ account, ...short })
      ended++
    })
  )
  await run(pool, 'spin', { ms: 20 }, 'c')
  t.ok(ended < 40, `after ${ended} of 60`)
  await Promise.all(many)
})

t.test('a task that exceeds the memory ends with its thread', async (t) => {
  const pool = openPool(t, { maxHeapMb: 40, timeoutMs: 30_000 })
  await t.rejects(run(pool, 'allocate'), { name: 'TaskLimitError', reason: 'memory' })
  t.equal(await run(pool, 'echo', 1), 1)
})

t.test('a thread that exits rejects its task', async (t) => {
  const pool = openPool(t)
  await t.rejects(run(pool, 'exit'), { message: 'The thread ended with exit code 3' })
  t.equal(await run(pool, 'echo', 1), 1)
})

t.test('one account cannot occupy all threads, and accounts take turns', async (t) => {
  const pool = openPool(t, { timeoutMs: 10_000 })
  await Promise.all([run(pool, 'echo', 1, 'b'), run(pool, 'echo', 1, 'c')])
  const order: string[] = []
  const note = async (name: string, task: Promise<unknown>) => {
    await task
    order.push(name)
  }
  const flood = Array.from({ length: 5 }, (_, index) => note(`a${index}`, run(pool, 'spin', { ms: 60 }, 'a')))
  t.same(pool.load(), { running: 1, waiting: 4 }, 'a second thread is left for others')
  await Promise.all([...flood, note('b', run(pool, 'echo', 1, 'b')), note('c', run(pool, 'echo', 1, 'c'))])
  t.ok(order.indexOf('b') < 3 && order.indexOf('c') < 3, `other accounts do not wait for the flood: ${order}`)
  t.same(
    order.filter((name) => name.startsWith('a')),
    ['a0', 'a1', 'a2', 'a3', 'a4'],
    'tasks of one account run in order'
  )
  t.same(pool.load(), { running: 0, waiting: 0 })
})

t.test('an account with short tasks uses all threads, and others get the first free one', async (t) => {
  const pool = openPool(t, { timeoutMs: 10_000 })
  await run(pool, 'echo', 1, 'a')
  const order: string[] = []
  const note = async (name: string, task: Promise<unknown>) => {
    await task
    order.push(name)
  }
  const flood = Array.from({ length: 30 }, (_, index) => note(`a${index}`, run(pool, 'spin', { ms: 20 }, 'a')))
  t.same(pool.load(), { running: 2, waiting: 28 })
  await Promise.all([...flood, note('b', run(pool, 'echo', 1, 'b'))])
  // It begins after one task. Its thread may be slower than the other one.
  t.ok(order.indexOf('b') < 15, `the other account does not wait for the flood: ${order}`)
  t.same(pool.load(), { running: 0, waiting: 0 })
})

t.test('no thread is started for an account above its share with few tasks', async (t) => {
  const pool = openPool(t, { maxThreads: 3, timeoutMs: 10_000 })
  await run(pool, 'echo', 1, 'a')
  const tasks = Array.from({ length: 5 }, () => run(pool, 'echo', 1, 'a'))
  t.same(pool.load(), { running: 2, waiting: 3 })
  await Promise.all(tasks)
})

t.test('while the first task runs, a thread is started for the task of another account', async (t) => {
  let started = 0
  const count = () => started++
  process.on('worker', count)
  t.teardown(() => process.off('worker', count))
  const pool = openPool(t, { maxThreads: 3, timeoutMs: 10_000 })
  await run(pool, 'echo', 1, 'a')
  t.equal(started, 2)
  await run(pool, 'echo', 1, 'a')
  t.equal(started, 2)
})

t.test('others do not wait for a long task on a borrowed thread, which runs again', async (t) => {
  const pool = openPool(t, { timeoutMs: 60_000 })
  await Promise.all([run(pool, 'echo', 1, 'a'), run(pool, 'echo', 1, 'b')])
  let ended = 0
  const long = [1, 2].map(async () => {
    t.equal(await run(pool, 'spin', { ms: 1_500 }, 'a'), 1_500)
    ended++
  })
  t.equal(pool.load().running, 2)
  t.equal(await run(pool, 'echo', 1, 'b'), 1)
  t.equal(ended, 0)
  await Promise.all(long)
})

t.test('a task that is probably long borrows no thread', async (t) => {
  const pool = openPool(t, { timeoutMs: 10_000 })
  await Promise.all([run(pool, 'echo', 1, 'a'), run(pool, 'echo', 1, 'b')])
  const tasks = Array.from({ length: 3 }, () =>
    pool.run({ account: 'a', name: 'spin', input: { ms: 20 }, isLong: true })
  )
  t.same(pool.load(), { running: 1, waiting: 2 })
  await Promise.all(tasks)
  const short = [1, 2, 3].map(() => run(pool, 'spin', { ms: 20 }, 'a'))
  t.same(pool.load(), { running: 2, waiting: 1 })
  await Promise.all(short)
})

t.test('accounts with long tasks leave a thread to others', async (t) => {
  const pool = openPool(t, { timeoutMs: 10_000 })
  const spin = (account: string, ms: number) => run(pool, 'spin', { ms }, account)
  await Promise.all([spin('a', 80), spin('b', 80)])
  const long = [spin('a', 300), spin('b', 300), spin('a', 300)]
  t.same(pool.load(), { running: 1, waiting: 2 })
  t.equal(await run(pool, 'echo', 1, 'c'), 1)
  t.same(pool.load(), { running: 1, waiting: 2 }, 'which do not wait')
  t.same(await Promise.all(long), [300, 300, 300])
})

t.test('a long task on the last thread is ended when others need it, and runs again', async (t) => {
  const pool = openPool(t, { timeoutMs: 60_000 })
  let ended = 0
  const long = ['a', 'b'].map(async (account) => {
    t.equal(await run(pool, 'spin', { ms: 1_500 }, account), 1_500)
    ended++
  })
  t.same(pool.load(), { running: 2, waiting: 0 })
  t.equal(await run(pool, 'echo', 1, 'c'), 1)
  t.equal(ended, 0)
  await Promise.all(long)
})

t.test('all threads run long tasks where none is reserved', async (t) => {
  const pool = openPool(t, { timeoutMs: 10_000, reservesThread: false })
  const spin = (account: string, ms: number) => run(pool, 'spin', { ms }, account)
  await Promise.all([spin('a', 80), spin('b', 80)])
  const long = [spin('a', 300), spin('b', 300), spin('a', 300)]
  t.same(pool.load(), { running: 2, waiting: 1 })
  await Promise.all(long)
})

t.test('while a task is long, a thread is ready for others, also after the end of the task', async (t) => {
  const pool = openPool(t, { timeoutMs: 1_000, idleMs: 100 })
  await t.rejects(run(pool, 'spin', { ms: 60_000 }, 'a'), TaskLimitError)
  const ofFirst = (await run(pool, 'threadId', {}, 'a')) as number
  const ofOther = (await run(pool, 'threadId', {}, 'b')) as number
  t.ok(ofOther < ofFirst, `its account waits for a new thread: ${ofOther}, ${ofFirst}`)
})

t.test('a task does not wait for a thread that starts if another one is free before', async (t) => {
  let ofReady = 0
  // On a busy machine, the ready thread may stop for so long that the new one is free before it.
  for (let attempt = 0; attempt < 5 && ofReady === 0; attempt++) {
    const pool = openPool(t, { timeoutMs: 10_000 })
    const ready = await run(pool, 'threadId', {}, 'c')
    // So many that another thread is started, which takes longer than one of them.
    const flood = Array.from({ length: 10 }, () => run(pool, 'spin', { ms: 1 }, 'a'))
    if ((await run(pool, 'threadId', {}, 'b')) === ready) ofReady++
    await Promise.all(flood)
    t.same(pool.load(), { running: 0, waiting: 0 })
  }
  t.equal(ofReady, 1)
})

t.test('too many waiting tasks of one account are rejected, those of others are not', async (t) => {
  const pool = openPool(t, { maxThreads: 2, maxQueuedPerAccount: 2, timeoutMs: 10_000 })
  const tasks = Array.from({ length: 3 }, () => run(pool, 'spin', { ms: 50 }, 'a'))
  await t.rejects(run(pool, 'echo', 1, 'a'), PoolBusyError)
  t.equal(await run(pool, 'echo', 1, 'b'), 1)
  await Promise.all(tasks)
})

t.test('closing rejects running, waiting and new tasks', async (t) => {
  const pool = openPool(t, { timeoutMs: 10_000 })
  const ends = Promise.allSettled([run(pool, 'spin', { ms: 5000 }), run(pool, 'echo', 1)])
  await pool.close()
  t.same(
    (await ends).map((end) => end.status),
    ['rejected', 'rejected']
  )
  await t.rejects(run(pool, 'echo', 1), { message: 'The thread pool is closed' })
})

t.test('threads have no environment variables but the folder of compiled modules', async (t) => {
  process.env.SECRETS_KEY = 'a secret of the service'
  t.teardown(() => delete process.env.SECRETS_KEY)
  module.enableCompileCache()
  t.same(await run(openPool(t), 'environment'), ['NODE_COMPILE_CACHE'])
  t.equal(await run(openPool(t), 'compileCache'), module.getCompileCacheDir(), 'which they use')
})

t.test('idle threads end, and they do not keep the process running', async (t) => {
  const pool = openPool(t, { idleMs: 10 })
  t.equal(await run(pool, 'echo', 1), 1)
  await wait(60)
  t.equal(await run(pool, 'echo', 2), 2, 'another thread is started')
  const module = JSON.stringify(new URL('../../lib/thread-pool.ts', import.meta.url))
  const script = `import { createThreadPool } from ${module}
    const pool = createThreadPool({ entry: new URL(${JSON.stringify(ENTRY)}), timeoutMs: 1000 })
    console.log(await pool.run({ account: 'a', name: 'echo', input: 'ended' }))`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    timeout: 20_000
  })
  t.equal(stdout.trim(), 'ended')
})
