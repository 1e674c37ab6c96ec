import { AsyncLocalStorage } from 'node:async_hooks'
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import t from 'tap'
import { openInProcessQueue } from '../../ports/queue/in-process/index.ts'
import { startLongTimer } from '../../lib/async.ts'
import { openQueue } from '../../ports/queue/open.ts'
import { runCase, until } from '../contracts/contract.ts'
import { queueContract } from '../contracts/queue.contract.ts'

const POLICY = { concurrency: 1, attempts: 1, backoffMs: [0], timeoutMs: 30_000 }

t.test('the queue in the process', async (t) => {
  for (const one of queueContract) {
    t.test(one.title, async (t) => {
      await runCase(one, (listener) => openQueue({ listener }))
      t.pass('kept')
    })
  }
})

t.test('a job is not part of the request that added it', async (t) => {
  const request = new AsyncLocalStorage<string>()
  const queue = openInProcessQueue()
  const seen: unknown[] = []
  queue.work('refresh-related', POLICY, async () => {
    seen.push(request.getStore())
  })
  await queue.idle()
  await wait(10)
  await request.run('a request', async () => {
    await queue.add('refresh-related', { accountId: 'acme' })
    await queue.idle()
  })
  t.same(seen, [undefined])
  await queue.close()
})

t.test('a long wait is made of shorter ones, and ends not before its time', async (t) => {
  const began = performance.now()
  await new Promise<void>((resolve) => startLongTimer(100, resolve, 15))
  t.ok(performance.now() - began >= 100)
})

t.test('a long wait can be cancelled in any of its parts', async (t) => {
  let rang = false
  const cancel = startLongTimer(
    400,
    () => {
      rang = true
    },
    10
  )
  await wait(25)
  cancel()
  await wait(450)
  t.equal(rang, false)
})

t.test('a run that does not heed its signal keeps its place for the grace only', async (t) => {
  const failures: Array<[number, boolean]> = []
  const seen: string[] = []
  const never = new Promise<void>(() => {})
  const queue = openInProcessQueue({
    graceMs: 60,
    listener: { failed: ({ attempt, isLast: last }) => failures.push([attempt, last]) }
  })
  queue.work('refresh-related', { ...POLICY, timeoutMs: 40 }, async ({ payload }) => {
    seen.push(payload.accountId)
    if (payload.accountId === 'deaf') await never
  })
  const began = performance.now()
  await queue.add('refresh-related', { accountId: 'deaf' })
  await queue.add('refresh-related', { accountId: 'next' })
  await until(() => seen.includes('next'), 'the next one ran')
  t.ok(performance.now() - began >= 99)
  t.same(failures, [[1, true]])
  await queue.close()
})

t.test('a run that heeds its signal frees its place at once', async (t) => {
  const seen: string[] = []
  const queue = openInProcessQueue({ graceMs: 60_000, listener: { failed() {} } })
  queue.work('refresh-related', { ...POLICY, timeoutMs: 30 }, async ({ payload, signal }) => {
    seen.push(payload.accountId)
    if (payload.accountId === 'slow') await wait(60_000, undefined, { signal })
  })
  await queue.add('refresh-related', { accountId: 'slow' })
  await queue.add('refresh-related', { accountId: 'next' })
  await until(() => seen.includes('next'), 'the next one ran')
  await queue.close()
  t.same(seen, ['slow', 'next'])
})

t.test('what a run threw when it was given up is kept as the cause', async (t) => {
  const errors: unknown[] = []
  const queue = openInProcessQueue({ listener: { failed: (_, error) => errors.push(error) } })
  queue.work('sweep', { ...POLICY, timeoutMs: 20 }, ({ signal }) => wait(60_000, undefined, { signal }))
  await queue.add('sweep', {})
  await until(() => errors.length === 1, 'it was given up')
  t.match(errors[0], { message: 'The job timed out after 20 ms', cause: { name: 'AbortError' } })
  await queue.close()
})

t.test('many jobs that take no time let other work of the process through', async (t) => {
  const queue = openInProcessQueue()
  let ran = 0
  let ranWhenTimerRang = -1
  queue.work('sweep', POLICY, async () => {
    ran++
  })
  for (let job = 0; job < 20_000; job++) await queue.add('sweep', {})
  setTimeout(() => {
    ranWhenTimerRang = ran
  }, 1)
  await queue.idle()
  t.equal(ran, 20_000)
  t.ok(ranWhenTimerRang >= 0 && ranWhenTimerRang < 20_000, `a timer rang after ${ranWhenTimerRang} jobs`)
  await queue.close()
})

t.test('a policy or a delay that makes no sense is refused as a mistake of the program', async (t) => {
  const queue = openInProcessQueue()
  for (const wrong of [{ concurrency: 0 }, { attempts: 0 }, { attempts: 1.5 }, { timeoutMs: 0 }, { backoffMs: [-1] }]) {
    t.throws(() => queue.work('sweep', { ...POLICY, ...wrong }, async () => {}), RangeError)
  }
  await t.rejects(queue.add('sweep', {}, { delayMs: NaN }), RangeError)
  await queue.close()
})

t.test('a failure that nobody listens to is a warning of the process', async (t) => {
  const warnings: Error[] = []
  const hear = (warning: Error) => warnings.push(warning)
  process.on('warning', hear)
  const queue = openInProcessQueue()
  queue.work('sweep', POLICY, async () => {
    throw new Error('unheard')
  })
  await queue.add('sweep', {})
  await until(() => warnings.length > 0, 'the warning')
  process.off('warning', hear)
  t.match(warnings[0]?.message, /Attempt 1 of the job sweep failed; no attempt is left: Error: unheard/)
  await queue.close()
})

t.test('a closed queue leaves no timer: the process ends by itself', async (t) => {
  const module = path.resolve(import.meta.dirname, '../../ports/queue/in-process/index.ts')
  const script = `
    const { openInProcessQueue } = await import(${JSON.stringify(module)})
    const queue = openInProcessQueue({ listener: { failed () {} } })
    const policy = { concurrency: 2, attempts: 3, backoffMs: [3600000], timeoutMs: 3600000 }
    queue.work('refresh-related', policy, async () => { throw new Error('no') })
    const untilAborted = (signal) => new Promise((resolve) => signal.addEventListener('abort', resolve))
    queue.work('publish-blog', policy, ({ signal }) => untilAborted(signal))
    await queue.add('refresh-related', { accountId: 'retried' })
    await queue.add('refresh-related', { accountId: 'later' }, { delayMs: 2 ** 33 })
    await queue.add('publish-blog', { accountId: 'a', blogId: 'b' })
    while ((await queue.depth('publish-blog')).running === 0) await new Promise(setImmediate)
    await queue.close()`
  const { status, signal, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    timeout: 20_000,
    encoding: 'utf8'
  })
  t.same({ status, signal, stderr }, { status: 0, signal: null, stderr: '' })
})

t.test('closing drops what waits: the store knows what is still to be done', async (t) => {
  const queue = openInProcessQueue()
  for (const delayMs of [0, 60_000]) await queue.add('sweep', {}, { delayMs })
  await queue.close()
  t.match(await queue.depth('sweep'), { waiting: 0, due: 0, running: 0 })
})
