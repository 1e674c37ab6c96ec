import { setImmediate as tick } from 'node:timers/promises'
import t from 'tap'
import { createAccountLoad } from '../../services/account-load.ts'
import { createStoreTurns, type StoreTurnsOptions } from '../../services/store-turns.ts'

/** Turns on a store whose operations last until `end`. `started`: the operations in the order of their start. */
function start(options: Omit<StoreTurnsOptions, 'load'> = {}) {
  const clock = { ms: 0 }
  const load = createAccountLoad(() => clock.ms)
  const turns = createStoreTurns({ load, ...options })
  const started: string[] = []
  const ends = new Map<string, PromiseWithResolvers<void>>()
  const operate = (name: string) =>
    turns(async () => {
      started.push(name)
      const end = Promise.withResolvers<void>()
      ends.set(name, end)
      await end.promise
    })
  return {
    ...{ clock, load, turns, started, operate },
    /** Runs of the account that do one operation each: `<account>0`, `<account>1`, … */
    run: (account: string, count: number) =>
      Array.from({ length: count }, (_, index) => load.run(account, () => operate(`${account}${index}`))),
    async end(name: string) {
      ends.get(name)!.resolve()
      await tick()
    }
  }
}

t.test('the operations in progress are limited, in all and of one account', async (t) => {
  const { run, started, end } = start({ running: 3, perAccount: 2 })
  run('a', 4)
  t.same(started.splice(0), [], 'no operation starts before its caller continues')
  await tick()
  t.same(started.splice(0), ['a0', 'a1'])
  run('b', 3)
  await tick()
  t.same(started.splice(0), ['b0'], 'a place is left for another account')
  await end('a1')
  t.same(started.splice(0), ['a2'], 'accounts take turns')
  await end('a0')
  t.same(started.splice(0), ['b1'])
})

t.test('an account with nothing in progress is first', async (t) => {
  const { run, started, end } = start({ running: 3, perAccount: 3 })
  run('a', 50)
  await tick()
  run('b', 1)
  run('c', 1)
  await tick()
  started.length = 0
  await end('a0')
  await end('a1')
  t.same(started, ['b0', 'c0'])
  await end('b0')
  t.equal(started.at(-1), 'a3')
})

t.test('requests and operations within an operation never wait', async (t) => {
  const { operate, turns, load, run, started } = start({ running: 1, perAccount: 1 })
  const nested = load.run('a', () => turns(async () => await turns(async () => 'inner')))
  t.equal(await nested, 'inner')
  run('a', 2)
  await tick()
  operate('request')
  await tick()
  t.same(started, ['a0', 'request'])
})

t.test('while something has precedence, others have one operation in progress, and go on afterwards', async (t) => {
  const { clock, load, run, started, end } = start({ running: 8, perAccount: 4 })
  for (const account of ['heavy', 'large']) {
    await load.run(account, async () => {
      clock.ms += 1000
    })
  }
  const endRequest = load.begin('light')
  run('heavy', 3)
  run('large', 3)
  await tick()
  t.same(started.splice(0), ['heavy0'])
  run('light', 3)
  await tick()
  t.same(started.splice(0), ['light0', 'light1', 'light2'])
  await end('heavy0')
  t.same(started.splice(0), ['heavy1'], 'one at a time')
  await end('heavy1')
  t.same(started.splice(0), ['large0'], 'in turn')
  for (const name of ['light0', 'light1', 'light2']) await end(name)
  endRequest()
  await end('large0')
  t.same(started.toSorted(), ['heavy2', 'large1', 'large2'])
})

t.test('an operation that fails frees its place, and its error is the result', async (t) => {
  const { load, turns } = start({ running: 1, perAccount: 1 })
  for (let index = 0; index < 3; index++) {
    const failing = load.run('a', () =>
      turns(async () => {
        throw new Error('no answer')
      })
    )
    await t.rejects(failing, { message: 'no answer' })
  }
})
