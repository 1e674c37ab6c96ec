import { spawnSync } from 'node:child_process'
import path from 'node:path'
import t from 'tap'
import { createMicrosecondClock } from '../../../ports/limits/clock.ts'
import { openMemoryLimits } from '../../../ports/limits/memory.ts'
import { openLimits } from '../../../ports/limits/open.ts'
import { WINDOW_MS } from '../../../ports/limits/port.ts'
import { runCase } from '../../contracts/contract.ts'
import { limitsContract } from '../../contracts/limits.contract.ts'
import { createSetClock } from '../../fixtures/limits/set-clock.ts'

const openSet = async () => {
  const clock = createSetClock()
  return { clock, limits: openMemoryLimits({ now: clock.nowUs }) }
}

t.test('with a test clock', async (t) => {
  for (const one of limitsContract) {
    t.test(one.title, async (t) => {
      await runCase(one, openSet)
      t.pass('passed')
    })
  }
})

t.test('with its own clock', async (t) => {
  for (const one of limitsContract.filter(({ clock }) => clock === 'any')) {
    t.test(one.title, async (t) => {
      await runCase(one, async () => ({ limits: await openLimits({}) }))
      t.pass('passed')
    })
  }
})

t.test('a decision is available synchronously', async (t) => {
  const limits = openMemoryLimits()
  t.equal(limits.consume({ bucket: 'account:a', limit: 1 }).allowed, true)
})

t.test('an invalid limit or cost is rejected as a bug', async (t) => {
  const limits = openMemoryLimits()
  for (const wrong of [{ limit: 0 }, { limit: 1.5 }, { limit: NaN }, { limit: 5, cost: -1 }, { limit: 5, cost: 0.5 }]) {
    t.throws(() => limits.consume({ bucket: 'account:a', ...wrong }), RangeError)
  }
  t.equal(limits.buckets(), 0)
})

t.test('reads and impossible requests store nothing', async (t) => {
  const limits = openMemoryLimits()
  limits.consume({ bucket: 'address:a', limit: 5, cost: 0 })
  limits.consume({ bucket: 'address:b', limit: 5, cost: 6 })
  t.equal(limits.buckets(), 0)
})

t.test('unused addresses are removed while other addresses are served', async (t) => {
  const clock = createSetClock()
  const limits = openMemoryLimits({ now: clock.nowUs })
  const start = clock.nowMs()
  for (let address = 0; address < 10_000; address++) {
    limits.consume({ bucket: `account:${address}`, limit: 5, account: `${address}` })
  }
  t.equal(limits.buckets(), 10_000)
  clock.moveTo(start + WINDOW_MS + 600_001)
  for (let request = 0; request < 6_000; request++) limits.consume({ bucket: 'account:a', limit: 5, account: 'a' })
  t.equal(limits.buckets(), 1)
})

t.test('a flood of new addresses stores at most twice the entries that still count', async (t) => {
  const clock = createSetClock()
  const limits = openMemoryLimits({ now: clock.nowUs })
  const start = clock.nowMs()
  let most = 0
  for (let request = 0; request < 50_000; request++) {
    clock.moveTo(start + request * 4_000)
    limits.consume({ bucket: `address:${request}`, limit: 5 })
    most = Math.max(most, limits.buckets())
  }
  const live = (WINDOW_MS + 600_000) / 4_000
  t.ok(most <= 2.1 * live, `${most} buckets where ${live} may still count`)
})

t.test('a removed account that returns has higher epochs than before', async (t) => {
  const clock = createSetClock()
  const limits = openMemoryLimits({ now: clock.nowUs })
  const start = clock.nowMs()
  const ask = (account: string) => limits.consume({ bucket: `account:${account}`, limit: 9, cost: 0, account })
  let raised = 0
  for (let round = 0; round < 500; round++) raised = await limits.bumpEpoch('a', 'keys')
  clock.moveTo(start + WINDOW_MS)
  for (let other = 0; other < 10; other++) ask('other')
  clock.moveTo(start)
  t.ok(ask('a').keyEpoch > raised)
})

t.test('the clock returns Unix microseconds and never goes back', async (t) => {
  const clock = createMicrosecondClock()
  const times = Array.from({ length: 100_000 }, clock)
  t.equal(
    times.findIndex((time, index) => index > 0 && time < (times[index - 1] as number)),
    -1
  )
  t.ok(times.every(Number.isSafeInteger))
  t.ok(Math.abs(clock() / 1000 - Date.now()) < 1_000)
})

t.test('open limits do not keep a process running', async (t) => {
  const module = path.resolve(import.meta.dirname, '../../../ports/limits/memory.ts')
  const script = [
    `const { openMemoryLimits } = await import(${JSON.stringify(module)})`,
    "openMemoryLimits().consume({ bucket: 'a', limit: 1 })"
  ].join('; ')
  const { status, signal } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { timeout: 20_000 })
  t.same({ status, signal }, { status: 0, signal: null })
})

t.test('a configured but unreachable Redis is reported', async (t) => {
  await t.rejects(openLimits({ redisUrl: 'http://:secret@127.0.0.1' }), {
    name: 'StartError',
    message: /cannot be read/
  })
})
