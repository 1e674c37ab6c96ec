import { setTimeout as delay } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { BrowserGoneError, openPool, type PoolOptions } from '../../../ports/browser/playwright/pool/index.ts'
import { type BrowserProcess, startBrowserProcess } from '../../../ports/browser/playwright/process/browser-process.ts'
import { BROWSER_OPTIONS } from '../../browser.ts'
import { groupOf, leftOf } from './processes.ts'

const never = new AbortController().signal
const OPTIONS = { chromiumPath: null, allow: '', environment: BROWSER_OPTIONS.environment, maxBytes: 2_400_000_000 }

/** A pool of real browser processes, and those that it has started, in order. */
function poolFor(t: Test, options: Omit<PoolOptions<BrowserProcess>, 'launch'> = {}) {
  const started: BrowserProcess[] = []
  const launch = async () => {
    const browser = await startBrowserProcess({ ...OPTIONS, sandbox: false })
    started.push(browser)
    return browser
  }
  const pool = openPool({ launch, ...options })
  t.teardown(() => pool.close())
  return { pool, started }
}

/** What is left of a browser process and its Chromium. */
const rest = async ({ pid, chromiumPid }: BrowserProcess): Promise<string[]> => [
  ...(await leftOf(pid)),
  ...(await leftOf(chromiumPid!))
]

/** A task that uses the browser. */
async function works(browser: BrowserProcess): Promise<string> {
  await browser.ping()
  return '42'
}

t.test('a browser starts with the first task of an account and serves only this account', async (t) => {
  const { pool, started } = poolFor(t)
  t.same(started, [], 'no browser starts without a task')
  t.equal(await pool.use('one', works, never), '42')
  t.equal(await pool.use('one', works, never), '42')
  t.equal(started.length, 1)
  await pool.use('two', works, never)
  t.equal(started.length, 2, 'another account has its own process')
  await pool.use('three', works, never)
  t.same(await rest(started[0]!), [], 'at most two processes exist')
  await pool.close()
  for (const browser of started) t.same(await rest(browser), [], 'all processes have exited')
  t.match(await pool.use('one', works, never).catch((error: unknown) => error), { reason: 'closed' })
})

t.test('at most two tasks run in parallel, even if they belong to two accounts', async (t) => {
  const { pool, started } = poolFor(t)
  let running = 0
  let most = 0
  const task = async () => {
    most = Math.max(most, ++running)
    await delay(150)
    running--
  }
  await Promise.all(['one', 'two', 'one', 'two', 'one', 'two'].map((account) => pool.use(account, task, never)))
  t.equal(most, 2)
  t.ok(started.length <= 3, `${started.length} processes for six tasks of two accounts`)
})

t.test('an account with many queued tasks does not delay another account', async (t) => {
  const { pool } = poolFor(t, { maxParallel: 1 })
  const order: string[] = []
  const ask = (name: string) =>
    pool.use(
      name.slice(0, 1),
      async () => {
        order.push(name)
      },
      never
    )
  await Promise.all(['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'].map(ask))
  t.same(order, ['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4'])
})

t.test('a process is replaced after its maximum of tasks, its age, or its memory', async (t) => {
  for (const [why, limit, processes] of [
    ['tasks', { maxTasks: 2 }, 2],
    ['age', { maxAgeMs: 1 }, 4],
    ['memory', { maxBytes: 1_000_000 }, 4]
  ] as const) {
    const { pool, started } = poolFor(t, limit)
    for (let task = 1; task <= 4; task++) {
      await pool.use('one', works, never)
      // The memory is measured after the task, and the process then ends in the background.
      if (task % (4 / processes) === 0) t.same(await rest(started.at(-1)!), [], 'the old process has ended')
    }
    t.equal(started.length, processes, `four tasks, limited by ${why}`)
    await pool.close()
  }
})

t.test('an idle browser is closed', async (t) => {
  const { pool, started } = poolFor(t, { idleMs: 300 })
  await pool.use('one', works, never)
  t.ok((await groupOf(started[0]!.chromiumPid!)).length > 0, 'the browser stays open for a while')
  t.same(await rest(started[0]!), [])
  t.equal(await pool.use('one', works, never), '42', 'a new one starts on demand')
})

t.test('a task that does not finish loses its browser, and the next task works', async (t) => {
  const { pool, started } = poolFor(t, { taskTimeoutMs: 700 })
  const tries: number[] = []
  const hangs = async () => {
    tries.push(1)
    await new Promise(() => {})
  }
  const outcome = await pool.use('one', hangs, never).catch((error: unknown) => error)
  t.ok(outcome instanceof BrowserGoneError && outcome.reason === 'stuck', String(outcome))
  t.equal(tries.length, 1, 'it is not retried')
  t.same(await rest(started[0]!), [])
  t.equal(await pool.use('one', works, never), '42')
})

t.test('a task whose browser crashes is retried once in a new one', async (t) => {
  const { pool, started } = poolFor(t)
  let tries = 0
  const crashes = (times: number, kill: (browser: BrowserProcess) => void) => async (browser: BrowserProcess) => {
    if (++tries <= times) kill(browser)
    return await new Promise<string>((resolve) => {
      setTimeout(() => browser.ping().then(() => resolve('42')), 500)
    })
  }
  const killChromium = ({ chromiumPid }: BrowserProcess) => process.kill(chromiumPid!, 'SIGKILL')
  const killDriver = ({ pid }: BrowserProcess) => process.kill(pid, 'SIGKILL')
  t.equal(await pool.use('one', crashes(1, killChromium), never), '42')
  t.equal(started.length, 2)
  tries = 0
  const outcome = await pool.use('one', crashes(2, killDriver), never).catch((error: unknown) => error)
  t.ok(outcome instanceof BrowserGoneError && outcome.reason === 'crashed', String(outcome))
  t.match(outcome, { message: /browser ended/, endCause: 'crash' })
  t.equal(tries, 2, 'and not a second time')
  await t.rejects(
    pool.use(
      'one',
      async () => {
        throw new Error('its own')
      },
      never
    ),
    { message: 'its own' },
    'an error of the task itself is passed on'
  )
  for (const browser of started.slice(0, 4)) t.same(await rest(browser), [])
})

t.test('tasks that shared a crashed browser are retried in browsers of their own', async (t) => {
  const { pool, started } = poolFor(t)
  const browsers: BrowserProcess[][] = [[], []]
  const both = Promise.withResolvers<void>()
  const task = (index: number) => async (browser: BrowserProcess) => {
    browsers[index]!.push(browser)
    if (browsers.flat().length === 2) both.resolve()
    if (browsers[index]!.length === 2) return await works(browser)
    await both.promise
    if (index === 0) process.kill(browser.pid, 'SIGKILL')
    return await new Promise<string>(() => {})
  }
  t.strictSame(await Promise.all([0, 1].map((index) => pool.use('one', task(index), never))), ['42', '42'])
  t.equal(browsers[0]![0], browsers[1]![0], 'the first browser served both')
  t.not(browsers[0]![1], browsers[1]![1])
  t.equal(started.length, 3)
  await pool.use('one', works, never)
  t.equal(started.length, 4, 'a browser for one task serves no other')
})

t.test('an unresponsive browser is ended, and its task retried', async (t) => {
  const { pool, started } = poolFor(t, { responseTimeoutMs: 1_000 })
  let tries = 0
  const freezes = async (browser: BrowserProcess) => {
    if (++tries === 1) process.kill(-browser.chromiumPid!, 'SIGSTOP')
    return await works(browser)
  }
  t.equal(await pool.use('one', freezes, never), '42')
  t.equal(tries, 2)
  t.equal(await started[0]!.ended, 'unresponsive')
  t.same(await rest(started[0]!), [])
})

t.test('an aborted caller leaves the queue, and a task that ignores the abort is ended', async (t) => {
  const { pool, started } = poolFor(t, { maxParallel: 1 })
  const caller = new AbortController()
  const waiter = new AbortController()
  const begun = Promise.withResolvers<void>()
  const endless = pool
    .use(
      'one',
      () =>
        new Promise(() => {
          begun.resolve()
        }),
      caller.signal
    )
    .catch((error: unknown) => error)
  const waiting = pool.use('one', works, waiter.signal).catch((error: unknown) => error)
  waiter.abort(new Error('not wanted'))
  t.match(await waiting, { message: 'not wanted' })
  await begun.promise
  caller.abort(new Error('enough'))
  t.match(await endless, { message: 'enough' })
  t.same(await rest(started[0]!), [])
  t.equal(await pool.use('two', works, never), '42', 'its slot is free')
})

t.test('close ends running tasks, queued tasks and starting browsers', async (t) => {
  const { pool, started } = poolFor(t)
  const begun = Promise.withResolvers<void>()
  const all = ['one', 'one', 'one', 'two'].map((account) =>
    pool
      .use(
        account,
        async () => {
          begun.resolve()
          await new Promise(() => {})
        },
        never
      )
      .catch((error: unknown) => error)
  )
  await begun.promise
  await pool.close()
  for (const outcome of await Promise.all(all)) {
    t.ok(outcome instanceof BrowserGoneError && outcome.reason === 'closed', String(outcome))
  }
  for (const browser of started) t.same(await rest(browser), [], 'its processes have exited')
  const early = poolFor(t)
  const outcome = early.pool.use('one', works, never).catch((error: unknown) => error)
  await early.pool.close()
  t.match(await outcome, { reason: 'closed' })
  for (const browser of early.started) t.same(await rest(browser), [])
})

t.test('a task is rejected with the reason if no browser starts', async (t) => {
  for (const chromiumPath of ['/bin/false', '/nowhere/chromium']) {
    const pool = openPool({ launch: () => startBrowserProcess({ ...OPTIONS, sandbox: false, chromiumPath }) })
    const outcome = await pool.use('one', works, never).catch((error: unknown) => error)
    t.match(outcome, { name: 'BrowserStartError', reason: 'other' })
    await pool.close()
  }
})
