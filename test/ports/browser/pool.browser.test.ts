import { setTimeout as delay } from 'node:timers/promises'
import type { Browser } from 'playwright'
import t, { type Test } from 'tap'
import { ApiError } from '../../../errors.ts'
import { findChromium } from '../../../ports/browser/playwright/find-chromium.ts'
import { launchChromium } from '../../../ports/browser/playwright/launch.ts'
import { BrowserGoneError, openPool, type PoolOptions } from '../../../ports/browser/playwright/pool/index.ts'
import { openEgressProxy } from '../../../ports/browser/playwright/egress-proxy/index.ts'
import { groupOf, leftOf } from './processes.ts'

const never = new AbortController().signal
const found = await findChromium({})
const egressProxy = await openEgressProxy({ allow: '' })
t.teardown(() => egressProxy.close())

/** A pool of real browsers, and the processes that it has started, in order. */
function poolFor(t: Test, options: Omit<PoolOptions, 'launch'> = {}) {
  const pids: number[] = []
  const browsers = new Map<Browser, number>()
  const launch = async () => {
    const launched = await launchChromium({ ...found, proxyUrl: egressProxy.url })
    pids.push(launched.pid as number)
    browsers.set(launched.browser, launched.pid as number)
    return launched
  }
  const pool = openPool({ launch, ...options })
  t.teardown(() => pool.close())
  return { pool, pids, pidOf: (browser: Browser) => browsers.get(browser) as number }
}

/** A task that uses the browser. */
async function works(browser: Browser): Promise<string> {
  const page = await browser.newPage()
  const answer = await page.evaluate(() => `${6 * 7}`)
  await page.close()
  return answer
}

t.test('a browser starts with the first task of an account and serves only this account', async (t) => {
  const { pool, pids } = poolFor(t)
  t.same(pids, [], 'no browser starts without a task')
  t.equal(await pool.use('one', works, never), '42')
  t.equal(await pool.use('one', works, never), '42')
  t.equal(pids.length, 1)
  await pool.use('two', works, never)
  t.equal(pids.length, 2, 'another account has its own process')
  await pool.use('three', works, never)
  t.same(await leftOf(pids[0] as number), [], 'at most two processes exist')
  await pool.close()
  for (const pid of pids) t.same(await leftOf(pid), [], 'all processes have exited')
  t.match(await pool.use('one', works, never).catch((error: unknown) => error), { reason: 'closed' })
})

t.test('at most two tasks run in parallel, even if they belong to two accounts', async (t) => {
  const { pool, pids } = poolFor(t)
  let running = 0
  let most = 0
  const task = async () => {
    most = Math.max(most, ++running)
    await delay(150)
    running--
  }
  await Promise.all(['one', 'two', 'one', 'two', 'one', 'two'].map((account) => pool.use(account, task, never)))
  t.equal(most, 2)
  t.ok(pids.length <= 3, `${pids.length} processes for six tasks of two accounts`)
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
    const { pool, pids } = poolFor(t, limit)
    for (let task = 1; task <= 4; task++) {
      await pool.use('one', works, never)
      // The memory is measured after the task, and the process then ends in the background.
      if (task % (4 / processes) === 0) t.same(await leftOf(pids.at(-1) as number), [], 'the old process has ended')
    }
    t.equal(pids.length, processes, `four tasks, limited by ${why}`)
    await pool.close()
  }
})

t.test('an idle browser is closed', async (t) => {
  const { pool, pids } = poolFor(t, { idleMs: 300 })
  await pool.use('one', works, never)
  t.ok((await groupOf(pids[0] as number)).length > 0, 'the browser stays open for a while')
  t.same(await leftOf(pids[0] as number), [])
  t.equal(await pool.use('one', works, never), '42', 'a new one starts on demand')
})

t.test('a task that does not finish loses its browser, and the next task works', async (t) => {
  const { pool, pids } = poolFor(t, { taskTimeoutMs: 700 })
  const tries: number[] = []
  const hangs = async (browser: Browser) => {
    tries.push(1)
    const page = await browser.newPage()
    await page.evaluate(() => {
      for (;;);
    })
  }
  const outcome = await pool.use('one', hangs, never).catch((error: unknown) => error)
  t.ok(outcome instanceof BrowserGoneError && outcome.reason === 'stuck', String(outcome))
  t.equal(tries.length, 1, 'it is not retried')
  t.same(await leftOf(pids[0] as number), [])
  t.equal(await pool.use('one', works, never), '42')
})

t.test('a task whose browser crashes is retried once in a new one', async (t) => {
  const { pool, pids, pidOf } = poolFor(t)
  let tries = 0
  const crashes = (times: number) => async (browser: Browser) => {
    const page = await browser.newPage()
    if (++tries <= times) process.kill(pidOf(browser), 'SIGKILL')
    return await page.evaluate(() => `${6 * 7}`)
  }
  t.equal(await pool.use('one', crashes(1), never), '42')
  t.equal(pids.length, 2)
  tries = 0
  const outcome = await pool.use('one', crashes(2), never).catch((error: unknown) => error)
  t.ok(outcome instanceof BrowserGoneError && outcome.reason === 'crashed', String(outcome))
  t.match((outcome as Error).message, /browser ended/)
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
  for (const pid of pids.slice(0, 2)) t.same(await leftOf(pid), [])
})

t.test('an unresponsive browser is ended, and its task retried', async (t) => {
  const { pool, pids, pidOf } = poolFor(t, { responseTimeoutMs: 1_000 })
  let tries = 0
  const freezes = async (browser: Browser) => {
    if (++tries === 1) process.kill(-pidOf(browser), 'SIGSTOP')
    return await works(browser)
  }
  t.equal(await pool.use('one', freezes, never), '42')
  t.equal(tries, 2)
  t.same(await leftOf(pids[0] as number), [])
})

t.test('an aborted caller leaves the queue, and a task that ignores the abort is ended', async (t) => {
  const { pool, pids } = poolFor(t, { maxParallel: 1 })
  const caller = new AbortController()
  const waiter = new AbortController()
  const started = Promise.withResolvers<void>()
  const endless = pool
    .use(
      'one',
      () =>
        new Promise(() => {
          started.resolve()
        }),
      caller.signal
    )
    .catch((error: unknown) => error)
  const waiting = pool.use('one', works, waiter.signal).catch((error: unknown) => error)
  waiter.abort(new Error('not wanted'))
  t.match(await waiting, { message: 'not wanted' })
  await started.promise
  caller.abort(new Error('enough'))
  t.match(await endless, { message: 'enough' })
  t.same(await leftOf(pids[0] as number), [])
  t.equal(await pool.use('two', works, never), '42', 'its slot is free')
})

t.test('close ends running tasks, queued tasks and starting browsers', async (t) => {
  const { pool, pids } = poolFor(t)
  const started = Promise.withResolvers<void>()
  const all = ['one', 'one', 'one', 'two'].map((account) =>
    pool
      .use(
        account,
        async (browser) => {
          started.resolve()
          await (await browser.newPage()).evaluate(() => new Promise(() => {}))
        },
        never
      )
      .catch((error: unknown) => error)
  )
  await started.promise
  await pool.close()
  for (const outcome of await Promise.all(all)) {
    t.ok(outcome instanceof BrowserGoneError && outcome.reason === 'closed', String(outcome))
  }
  for (const pid of pids) t.same(await leftOf(pid), [], 'its processes have exited')
  const early = poolFor(t)
  const outcome = early.pool.use('one', works, never).catch((error: unknown) => error)
  await early.pool.close()
  t.match(await outcome, { reason: 'closed' })
  for (const pid of early.pids) t.same(await leftOf(pid), [])
})

t.test('a task is rejected with unavailable if no browser starts', async (t) => {
  const pool = openPool({ launch: () => launchChromium({ executablePath: '/bin/false', proxyUrl: egressProxy.url }) })
  const outcome = await pool.use('one', works, never).catch((error: unknown) => error)
  t.ok(outcome instanceof ApiError && outcome.code === 'unavailable', String(outcome))
  await pool.close()
})
