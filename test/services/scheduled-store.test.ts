import { setTimeout as wait } from 'node:timers/promises'
import t from 'tap'
import type { Store } from '../../ports/store/port.ts'
import { openStore } from '../../ports/store/open.ts'
import { createAccountLoad } from '../../services/account-load.ts'
import { createPauses, scheduleStore } from '../../services/scheduled-store.ts'

/** A load whose clock stands still, with the account `heavy` that just worked for a second. */
async function start() {
  const clock = { ms: 0 }
  const load = createAccountLoad(() => clock.ms)
  await load.run('heavy', async () => {
    clock.ms += 1000
  })
  return { clock, load }
}

t.test('the operations of runs are scheduled, those of requests are not', async (t) => {
  const { load } = await start()
  const store = await openStore({ dataDir: t.testdir() })
  t.teardown(() => store.close())
  let count = 0
  const scheduled: Store = scheduleStore(store, load, async (operation) => {
    count += 1
    return await operation()
  })
  await scheduled.accounts.find('light')
  await scheduled.ping()
  t.equal(count, 0)
  const found = load.run('light', async () => {
    await scheduled.leases.acquire({ name: 'work', holder: 'a', now: '2026-01-01', until: '2026-01-02' })
    return await scheduled.leases.acquire({ name: 'work', holder: 'b', now: '2026-01-01', until: '2026-01-02' })
  })
  t.equal(await found, false, 'results are passed on')
  t.equal(count, 2)
  t.same(Object.keys(scheduled), Object.keys(store))
})

t.test('an operation waits for what has precedence, the longest after the most work', async (t) => {
  const { clock, load } = await start()
  const waits: [string, number][] = []
  const giveWay = async (accountId: string, maxMs: number): Promise<boolean> => waits.push([accountId, maxMs]) > 0
  const schedule = createPauses({ currentRun: load.currentRun, giveWay }, () => clock.ms)
  await schedule(async () => {})
  t.same(waits.splice(0), [], 'a request does not wait')
  await load.run('heavy', async () => {
    for (const workedMs of [0, 5, 1000]) {
      await schedule(async () => {
        clock.ms += workedMs
      })
    }
    await schedule(async () => {})
  })
  t.same(waits, [
    ['heavy', 0],
    ['heavy', 0],
    ['heavy', 10],
    ['heavy', 100]
  ])
  waits.length = 0
  clock.ms += 60_000
  await load.run('heavy', async () => {
    await schedule(async () => {})
  })
  t.same(waits, [['heavy', 0]], 'the time between two runs is not work')
})

t.test('a run goes on when the request that it waited for has ended', async (t) => {
  const { load } = await start()
  const schedule = createPauses(load)
  const end = load.begin('light')
  const order: string[] = []
  const run = load.run('heavy', async () => {
    await schedule(async () => {})
    await wait(20)
    await schedule(async () => order.push('heavy'))
  })
  await wait(25)
  order.push('light')
  end()
  await run
  t.same(order, ['light', 'heavy'])
})
