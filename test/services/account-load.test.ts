import t from 'tap'
import { createYielder, runAsOwner } from '../../lib/async.ts'
import { createAccountLoad } from '../../services/account-load.ts'

/** A load whose clock stands still, with the account `heavy` that just worked for a second. */
async function start() {
  const clock = { ms: 0 }
  const load = createAccountLoad(() => clock.ms)
  await load.run('heavy', async () => {
    clock.ms += 1000
  })
  return { clock, load }
}

/** Starts a run. Resolves when it has begun, with the function that ends it. */
async function startRun(load: ReturnType<typeof createAccountLoad>, accountId: string): Promise<() => Promise<void>> {
  const gate = Promise.withResolvers<void>()
  const run = load.run(accountId, () => gate.promise)
  return async () => {
    gate.resolve()
    await run
  }
}

t.test('an account that used more time waits for the run of another one', async (t) => {
  const { load } = await start()
  t.equal(await load.giveWay('heavy', 10_000), false, 'nothing runs')
  const end = await startRun(load, 'light')
  const order: string[] = []
  const waiting = load.giveWay('heavy', 10_000).then((gaveWay) => order.push(`heavy ${gaveWay}`))
  await new Promise((resolve) => setImmediate(resolve))
  order.push('light')
  await end()
  await waiting
  t.same(order, ['light', 'heavy true'])
})

t.test('an account does not wait for itself, nor for accounts that used as much', async (t) => {
  const { clock, load } = await start()
  await startRun(load, 'heavy')
  t.equal(await load.giveWay('heavy', 10_000), false)
  await load.run('other', async () => {
    clock.ms += 1000
  })
  await startRun(load, 'other')
  t.equal(await load.giveWay('heavy', 10_000), false)
  t.equal(await load.giveWay('light', 10_000), false, 'an account that used nothing never waits')
})

t.test('an account waits no longer than it offered, and only for the start of a run', async (t) => {
  const { clock, load } = await start()
  await startRun(load, 'light')
  const waiting = load.giveWay('heavy', 20)
  setTimeout(() => {
    clock.ms += 20
  }, 5)
  t.equal(await waiting, true)
  clock.ms += 500
  t.equal(await load.giveWay('heavy', 10_000), false)
})

t.test('a request has precedence like a run, and its time does not count after that', async (t) => {
  const { clock, load } = await start()
  const endUpload = load.begin('light')
  clock.ms += 60_000
  endUpload()
  await load.run('heavy', async () => {
    clock.ms += 1000
  })
  const end = load.begin('light')
  const waiting = load.giveWay('heavy', 10_000)
  end()
  t.equal(await waiting, true)
})

t.test('the time in which a run gives way does not count as used', async (t) => {
  const { clock, load } = await start()
  await load.run('other', async () => {
    clock.ms += 180
  })
  await load.run('slow', async () => {
    clock.ms += 300
    const end = load.begin('light')
    const timer = setInterval(() => {
      clock.ms += 100
    }, 5)
    await load.giveWay('slow', 400)
    clearInterval(timer)
    end()
    // 300 ms of work: not twice as much as the other one.
    await load.run('other', async () => {
      t.equal(load.precedence()('slow'), false)
    })
  })
})

t.test('a request may have precedence for a shorter time', async (t) => {
  const { clock, load } = await start()
  await load.run('heavy', async () => {
    clock.ms += 1000
  })
  const end = load.begin('light', 30)
  clock.ms += 29
  t.equal(load.precedence()('heavy'), true)
  clock.ms += 1
  t.equal(load.precedence()('heavy'), false)
  end()
})

t.test('an account that only sends requests has no precedence all the time', async (t) => {
  const { clock, load } = await start()
  let waits = 0
  for (let request = 0; request < 12; request++) {
    const end = load.begin('light')
    if (load.precedence()('heavy')) waits += 1
    clock.ms += 200
    end()
  }
  t.ok(waits > 0 && waits < 6, `${waits} of 12`)
})

t.test('many requests that begin together count before they end', async (t) => {
  const { clock, load } = await start()
  const ends = Array.from({ length: 8 }, () => load.begin('light'))
  t.equal(load.precedence()('heavy'), true)
  const waiting = load.giveWay('heavy', 10_000)
  clock.ms += 100
  t.equal(load.precedence()('heavy'), false, '800 of 1,100 ms')
  t.equal(await waiting, true, 'work continues although none of them has ended')
  for (const end of ends) end()
  t.equal(load.precedence()('heavy'), false)
})

t.test('an account whose computations occupy the event loop has no precedence', async (t) => {
  const { load } = await start()
  const compute = async () => {
    const pause = createYielder()
    for (let slice = 0; slice < 60; slice++) {
      const untilMs = performance.now() + 5
      while (performance.now() < untilMs);
      await pause()
    }
  }
  load.begin('computing')
  t.equal(load.precedence()('heavy'), true)
  // Two, so that each waits for the other.
  await runAsOwner('computing', async () => await Promise.all([compute(), compute()]))
  t.equal(load.precedence()('heavy'), false)
  t.equal(await load.giveWay('heavy', 10_000), false)
})

t.test('an account that used next to nothing gives way to nobody', async (t) => {
  const { clock, load } = await start()
  for (const [ms, isOver] of [
    [90, false],
    [20, true]
  ] as const) {
    await load.run('single', async () => {
      clock.ms += ms
    })
    const end = load.begin('light')
    t.equal(load.precedence()('single'), isOver)
    end()
  }
})

t.test('what an account used is forgotten', async (t) => {
  const { clock, load } = await start()
  await load.run('light', async () => {
    clock.ms += 50
  })
  await startRun(load, 'light')
  clock.ms += 1
  const waiting = load.giveWay('heavy', 20)
  clock.ms += 20
  t.equal(await waiting, true)
  const { clock: later, load: another } = await start()
  later.ms += 60_000
  await another.run('light', async () => {
    later.ms += 50
  })
  await startRun(another, 'light')
  t.equal(await another.giveWay('heavy', 10_000), false)
})

t.test('long work is contended for a while after something had precedence, however short that was', async (t) => {
  const { clock, load } = await start()
  t.equal(load.isContended('heavy'), false)
  await load.giveWay('heavy', 0)
  load.begin('heavy')()
  t.equal(load.isContended('heavy'), false, 'a request of its own')
  load.begin('light')()
  t.equal(load.isContended('heavy'), true)
  t.equal(load.isContended('light'), false)
  clock.ms += 2_000
  await load.giveWay('heavy', 0)
  t.equal(load.isContended('heavy'), true)
  clock.ms += 2_000
  t.equal(load.isContended('heavy'), false)
})
