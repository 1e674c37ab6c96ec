import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { getPriority, tmpdir } from 'node:os'
import path from 'node:path'
import t, { type Test } from 'tap'
import {
  type BrowserProcess,
  BrowserStartError,
  PageCrashedError,
  startBrowserProcess
} from '../../../ports/browser/playwright/process/browser-process.ts'
import { findDescendants } from '../../../ports/browser/playwright/process/process-tree.ts'
import { backgroundNiceness } from '../../../lib/priority.ts'
import { maxRunningThreads, nicenessFor } from '../../../ports/browser/playwright/process/processor-watch.ts'
import { compileCacheEnvironment } from '../../../lib/compile-cache.ts'
import { eventually } from '../../fixtures/webhooks/receiver.ts'
import { leftOf } from './processes.ts'

/*
 * Real child processes that speak the protocol, without a browser. test/ports/browser/pool.browser.test.ts
 * runs the program of the browser.
 */

const PROGRAM = path.resolve(import.meta.dirname, '../../fixtures/browser/child-program.ts')
const never = new AbortController().signal
const linux = process.platform === 'linux' ? {} : { skip: 'reads /proc' }

async function start(t: Test, options: { allow?: string; maxBytes?: number } = {}): Promise<BrowserProcess> {
  const started = await startBrowserProcess({
    program: PROGRAM,
    chromiumPath: null,
    allow: '',
    sandbox: false,
    maxBytes: 1_000_000_000,
    memoryIntervalMs: 20,
    processorIntervalMs: 50,
    environment: { PATH: process.env.PATH ?? '' },
    ...options
  })
  t.teardown(() => started.kill())
  return started
}

const inspect = (browser: BrowserProcess, what: string, signal = never) =>
  browser.inspect(
    {
      url: what,
      blog: { title: '', html: '', css: '', language: 'en' },
      viewports: ['mobile'],
      screenshotDetail: 'none'
    },
    signal
  )

t.test('results and errors of pages pass, and the process goes on', async (t) => {
  const browser = await start(t)
  const { outcome, screenshots } = await inspect(browser, 'answer')
  t.equal(outcome, 'inspected')
  t.strictSame(
    screenshots.map(({ png }) => png.toString()),
    ['a', 'bc']
  )
  await t.rejects(inspect(browser, 'crash'), PageCrashedError)
  await t.rejects(inspect(browser, 'fail'), { message: 'The inspection failed: It broke.' })
  const caller = new AbortController()
  const waiting = inspect(browser, 'silence', caller.signal)
  caller.abort(new Error('not wanted'))
  await t.rejects(waiting, { message: 'not wanted' })
  await browser.ping()
  t.ok(browser.isRunning())
})

t.test('a process that sends too much or no messages is ended, and nothing of it remains', async (t) => {
  for (const what of ['too large', 'endless', 'garbage', 'no message', 'wrong body']) {
    const browser = await start(t)
    inspect(browser, what).catch(() => {}) // Does not settle after the end of the process.
    t.equal(await browser.ended, 'protocol', what)
    t.notOk(browser.isRunning())
    if (process.platform === 'linux') t.same(await leftOf(browser.pid), [], what)
  }
})

t.test('a process that exits or is killed has crashed; one that is closed has not', async (t) => {
  const [exits, killed, closed] = await Promise.all([start(t), start(t), start(t)])
  inspect(exits, 'exit').catch(() => {})
  t.equal(await exits.ended, 'crash')
  process.kill(killed.pid, 'SIGKILL')
  t.equal(await killed.ended, 'crash')
  await closed.kill()
  t.equal(await closed.ended, 'closed')
})

t.test('a process that uses too much memory while it inspects a page is ended', linux, async (t) => {
  const browser = await start(t, { maxBytes: 300_000_000 })
  inspect(browser, 'memory').catch(() => {})
  t.equal(await browser.ended, 'memory')
  const idle = await start(t, { maxBytes: 1 })
  t.equal((await inspect(idle, 'answer')).outcome, 'inspected')
  t.ok((await idle.memoryBytes()) > 1_000_000)
  t.ok(idle.isRunning(), 'no page is being inspected')
})

t.test('the more threads of a process run, the lower is their priority', linux, async (t) => {
  const browser = await start(t)
  t.equal((await inspect(browser, 'answer')).outcome, 'inspected')
  t.notOk(browser.isSlowed())
  const busy = inspect(browser, 'busy 16')
  await eventually(async () => browser.isSlowed(), 'the lower priority', 20_000)
  const priorities = findDescendants(browser.pid).map((pid) => getPriority(pid))
  t.ok(priorities.length >= 16 && priorities.every((niceness) => niceness >= 12), priorities.join(' '))
  t.equal(getPriority(browser.pid), backgroundNiceness(), 'the driver still responds')
  t.equal((await busy).outcome, 'inspected')
  await browser.kill()
  t.same(await leftOf(browser.pid), [])
})

t.test('a process of which too many threads run is ended', linux, async (t) => {
  const browser = await start(t)
  inspect(browser, 'busy 90').catch(() => {})
  t.equal(await browser.ended, 'threads')
  t.same(await leftOf(browser.pid), [])
})

t.test('two running threads keep their priority', async (t) => {
  t.same(
    [0, 1, 2].map((running) => nicenessFor(running, 5)),
    [5, 5, 5]
  )
  for (const running of [3, 4, 8, 16, 32]) {
    const weight = (niceness: number) => running * 1.25 ** (5 - niceness)
    const niceness = nicenessFor(running, 5)
    t.ok(weight(niceness) <= 2 && weight(niceness - 1) > 2, `${running}: ${niceness}`)
  }
  t.equal(nicenessFor(1_000, 5), 19)
})

t.test('the threads that may run at once weigh less than the event loop of the service', async (t) => {
  for (const [first, max] of [
    [5, 60],
    [10, 19],
    [15, 12],
    [19, 12]
  ] as const) {
    t.equal(maxRunningThreads(first), max, `niceness ${first}`)
  }
  for (const first of [5, 10]) t.ok(maxRunningThreads(first) * 1.25 ** (first - 5 - 19) < 1)
})

t.test('a process that does not start is an error with its last output', async (t) => {
  const outcome = await start(t, { allow: 'fail' }).catch((error: unknown) => error)
  t.ok(outcome instanceof BrowserStartError)
  t.match(outcome, { reason: 'other', message: /exit code 4.*No browser here\./s })
})

t.test('the process has only the given environment, and its own group', linux, async (t) => {
  process.env.SECRETS_KEY = 'a secret of the service'
  t.teardown(() => delete process.env.SECRETS_KEY)
  const { pid } = await start(t)
  const environment = readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').filter(Boolean)
  const cache = compileCacheEnvironment().NODE_COMPILE_CACHE
  t.strictSame(environment, [
    `PATH=${process.env.PATH}`,
    ...(cache === undefined ? [] : [`NODE_COMPILE_CACHE=${cache}`])
  ])
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
  t.equal(Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2]), pid, 'it leads its group')
  t.equal(Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]), 5, 'its scheduling priority is lower')
})

t.test('the folder for temporary files is deleted', async (t) => {
  const foldersBefore = listFolders()
  const browser = await start(t)
  const [folder] = listFolders().filter((name) => !foldersBefore.includes(name))
  t.ok(existsSync(path.join(tmpdir(), folder!)))
  await browser.kill()
  t.notOk(existsSync(path.join(tmpdir(), folder!)))
})

const listFolders = (): string[] => readdirSync(tmpdir()).filter((name) => name.startsWith('browser-process-'))
