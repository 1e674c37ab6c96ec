import t from 'tap'
import { createImageSlots } from '../../../services/images/slots.ts'

const ofA = { accountId: 'a', kind: 'upload' } as const
const ofB = { accountId: 'b', kind: 'upload' } as const
const turn = () => new Promise(setImmediate)
/** A clock that does not run: tasks take no time. */
const nowMs = () => 0

/** Tasks that run until they are finished, in the order in which they start. */
function createTasks() {
  const started: string[] = []
  const ends = new Map<string, () => void>()
  return {
    started,
    finish: (name: string) => ends.get(name)!(),
    task: (name: string) => async () => {
      const end = Promise.withResolvers<void>()
      started.push(name)
      ends.set(name, end.resolve)
      await end.promise
      return name
    }
  }
}

/** Tasks of one slot without steps, which take so long. Their names begin with that of the account. */
function createTimedTasks() {
  let atMs = 0
  const { run } = createImageSlots({ running: 1, waiting: 20, memoryBytes: 100, nowMs: () => atMs })
  const started: string[] = []
  return {
    started,
    task: async (name: string, tookMs: number) =>
      await run({ accountId: name[0]!, kind: 'derived' }, async () => {
        started.push(name)
        await turn()
        atMs += tookMs
      })
  }
}

t.test('running and waiting tasks are limited, and further ones are rejected as busy', async (t) => {
  const { run } = createImageSlots({ running: 3, waiting: 3, memoryBytes: 100 })
  const { started, finish, task } = createTasks()
  const all = ['1', '2', '3', '4', '5'].map((name) => run(ofA, task(name)))
  await turn()
  t.same(started, ['1', '2'], 'one slot is left for other accounts')
  await t.rejects(run(ofA, task('6')), { code: 'busy', options: { headers: { 'Retry-After': '1' } } })
  const other = run(ofB, task('b'))
  await turn()
  t.same(started, ['1', '2', 'b'])
  for (const name of ['2', '3', '4', '1', '5', 'b']) {
    finish(name)
    await turn()
  }
  t.same(await Promise.all([...all, other]), ['1', '2', '3', '4', '5', 'b'])
  t.same(started, ['1', '2', 'b', '3', '4', '5'], 'in order of arrival')
})

t.test('accounts take turns', async (t) => {
  const { run } = createImageSlots({ running: 1, waiting: 9, memoryBytes: 100, nowMs })
  const { started, finish, task } = createTasks()
  const names = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']
  const all = names.map((name) => run({ accountId: name[0]!, kind: 'upload' }, task(name)))
  for (let count = 0; count < names.length; count++) {
    await turn()
    finish(started.at(-1)!)
  }
  await Promise.all(all)
  t.same(started, ['a1', 'a2', 'b1', 'c1', 'a3', 'b2'])
})

t.test('uploads and derived images of an account count together, and take turns', async (t) => {
  const { run } = createImageSlots({ running: 2, waiting: 9, memoryBytes: 100, nowMs })
  const { started, finish, task } = createTasks()
  const all = ['u1', 'u2', 'u3', 'd1', 'd2'].map((name) =>
    run({ accountId: 'a', kind: name.startsWith('u') ? 'upload' : 'derived' }, task(name))
  )
  const other = run(ofB, task('b'))
  await turn()
  t.same(started, ['u1', 'b'], 'the other slot is left for other accounts')
  for (const name of ['u1', 'u2', 'd1', 'u3', 'd2', 'b']) {
    finish(name)
    await turn()
  }
  await Promise.all([...all, other])
  t.same(started, ['u1', 'b', 'u2', 'd1', 'u3', 'd2'])
})

t.test('accounts whose tasks were slow leave a slot to others for a minute', async (t) => {
  let nowMs = 0
  const { run, withMemory } = createImageSlots({ running: 2, waiting: 9, memoryBytes: 100, nowMs: () => nowMs })
  const { started, finish, task } = createTasks()
  const start = async (name: string) => {
    const accountId = name[0]!
    const done = run({ accountId, kind: 'upload' }, () => withMemory({ accountId, bytes: 1, pixels: 1 }, task(name)))
    await turn()
    return { done }
  }
  const first = [await start('a1'), await start('b1')]
  t.same(started, ['a1', 'b1'])
  nowMs += 251
  for (const name of ['a1', 'b1']) finish(name)
  await Promise.all(first.map(({ done }) => done))

  const second = [await start('a2'), await start('b2'), await start('c1')]
  t.same(started.slice(2), ['a2', 'c1'], 'the second slow one waits')
  finish('c1')
  await turn()
  t.same(started.slice(4), [], 'and the slot stays free')
  finish('a2')
  await turn()
  t.same(started.slice(4), ['b2'])
  finish('b2')
  await Promise.all(second.map(({ done }) => done))

  nowMs += 60_000
  const third = [await start('a3'), await start('b3')]
  t.same(started.slice(5), ['a3', 'b3'])
  for (const name of ['a3', 'b3']) finish(name)
  await Promise.all(third.map(({ done }) => done))
})

t.test('tasks of large images leave a slot to others before the first of them was slow', async (t) => {
  const { run, withMemory } = createImageSlots({ running: 2, waiting: 9, memoryBytes: 100, nowMs })
  const { started, finish, task } = createTasks()
  const loaded: string[] = []
  const start = (name: string, pixels: number) => {
    const accountId = name[0]!
    return run({ accountId, kind: 'upload' }, async () => {
      loaded.push(name)
      return await withMemory({ accountId, bytes: 1, pixels }, task(name))
    })
  }
  const all = ['a', 'b', 'c'].map((name) => start(name, 12_000_000))
  await turn()
  t.same(started, ['a'])
  all.push(start('small', 10_000))
  await turn()
  t.same(started, ['a', 'small'], 'others do not wait')
  for (const [at, name] of ['a', 'b', 'c'].entries()) {
    finish(name)
    await turn()
    t.equal(started.length, Math.min(4, at + 3), 'one large one at a time')
  }
  finish('small')
  t.same(await Promise.all(all), ['a', 'b', 'c', 'small'])
  t.same(loaded.toSorted(), ['a', 'b', 'b', 'c', 'c', 'small'], 'those that wait do not occupy memory')
})

t.test('steps that are known to be slow leave a slot to others, and do not make their accounts slow', async (t) => {
  let nowMs = 0
  const { run, withMemory } = createImageSlots({ running: 2, waiting: 9, memoryBytes: 100, nowMs: () => nowMs })
  const { started, finish, task } = createTasks()
  const start = (name: string, isSlow: boolean) => {
    const accountId = name[0]!
    return run({ accountId, kind: 'derived' }, () => withMemory({ accountId, bytes: 1, pixels: 0, isSlow }, task(name)))
  }
  const all = [start('a card', true), start('b card', true)]
  await turn()
  t.same(started, ['a card'])
  all.push(start('c small', false))
  await turn()
  t.same(started, ['a card', 'c small'])
  nowMs += 251
  for (const name of ['a card', 'c small']) {
    finish(name)
    await turn()
  }
  all.push(start('a small', false))
  await turn()
  t.same(started.slice(2), ['b card', 'a small'])
  for (const name of ['a small', 'b card']) finish(name)
  await Promise.all(all)
})

t.test('small images of an account do not wait for slow ones of others, although it had a large one', async (t) => {
  let nowMs = 0
  const { run, withMemory } = createImageSlots({ running: 2, waiting: 9, memoryBytes: 100, nowMs: () => nowMs })
  const { started, finish, task } = createTasks()
  const start = async (name: string, pixels: number) => {
    const accountId = name[0]!
    const done = run({ accountId, kind: 'upload' }, () => withMemory({ accountId, bytes: 1, pixels }, task(name)))
    await turn()
    return { done }
  }
  const first = await start('a photo', 12_000_000)
  nowMs += 900
  finish(started[0]!)
  await first.done

  const all = [await start('b', 40_000_000), await start('c', 40_000_000), await start('a small', 10_000)]
  t.same(started.slice(1), ['b', 'a small'])
  for (const name of ['a small', 'b', 'c']) {
    finish(name)
    await turn()
  }
  await Promise.all(all.map(({ done }) => done))
})

t.test('the account whose steps took the least time is next', async (t) => {
  let nowMs = 0
  const { run, withMemory } = createImageSlots({ running: 1, waiting: 9, memoryBytes: 100, nowMs: () => nowMs })
  const started: string[] = []
  const task = (name: string, tookMs: number) =>
    run({ accountId: name[0]!, kind: 'upload' }, () =>
      withMemory({ accountId: name[0]!, bytes: 1, pixels: 1 }, async () => {
        started.push(name)
        await turn()
        nowMs += tookMs
      })
    )
  await Promise.all([task('a1', 80), task('b1', 20)])
  await Promise.all([task('c1', 40), task('a2', 30), task('a3', 0), task('b2', 10), task('c2', 10), task('d1', 1000)])
  t.same(started.slice(2), ['c1', 'd1', 'b2', 'c2', 'a2', 'a3'])
  nowMs += 100_000
  await Promise.all([task('c3', 1), task('d2', 1), task('a4', 1), task('b3', 1)])
  t.same(started.slice(8), ['c3', 'b3', 'a4', 'd2'], 'what is long ago hardly counts')
})

t.test('a task counts whatever it does, so that no account is always next', async (t) => {
  const { started, task } = createTimedTasks()
  await Promise.all([task('a1', 50), task('b1', 100)])
  await Promise.all([task('x1', 1), task('b2', 1), task('a2', 1), task('c1', 1)])
  t.same(started.slice(2), ['x1', 'c1', 'a2', 'b2'])
})

t.test('the time that a task waits for memory does not count', async (t) => {
  let nowMs = 0
  const { run, withMemory } = createImageSlots({ running: 2, waiting: 9, memoryBytes: 100, nowMs: () => nowMs })
  const { started, finish, task } = createTasks()
  const large = { bytes: 80, pixels: 1 }
  const start = (name: string) => {
    const accountId = name[0]!
    return run({ accountId, kind: 'upload' }, () => withMemory({ accountId, ...large }, task(name)))
  }
  const first = [start('b1'), start('a1')]
  await turn()
  nowMs += 5_000
  finish('b1')
  await turn()
  nowMs += 100
  finish('a1')
  await Promise.all(first)
  const then = ['x1', 'y1', 'b2', 'a2'].map((name) => run({ accountId: name[0]!, kind: 'derived' }, task(name)))
  await turn()
  for (const at of [2, 3, 4, 5]) {
    finish(started[at]!)
    await turn()
  }
  await Promise.all(then)
  t.same(started.slice(2), ['x1', 'y1', 'a2', 'b2'])
})

t.test('at every eighth start, the account is next that was not for the longest time', async (t) => {
  const { started, task } = createTimedTasks()
  await task('large', 10_000)
  const small = Array.from({ length: 14 }, (_, index) => task(`s${index}`, 1))
  await Promise.all([...small, task('large', 10_000), task('large', 10_000)])
  t.equal(started.indexOf('large', 1), 7)
})

t.test('reading images makes an account slow, too', async (t) => {
  let nowMs = 0
  const { run, measureReading } = createImageSlots({ running: 2, waiting: 9, memoryBytes: 100, nowMs: () => nowMs })
  const { started, finish, task } = createTasks()
  async function readBoth(ms: number, names: string[]) {
    const all = names.map((name) =>
      run({ accountId: name[0]!, kind: 'upload' }, () => measureReading(name[0]!, task(name)))
    )
    await turn()
    nowMs += ms
    for (const name of names) finish(name)
    await Promise.all(all)
  }
  await readBoth(1_999, ['a0', 'b0'])
  await readBoth(2_001, ['a1', 'b1'])
  t.same(started, ['a0', 'b0', 'a1', 'b1'], 'unless the process had to start')
  const again = ['a2', 'b2', 'c1'].map((name) => run({ accountId: name[0]!, kind: 'upload' }, task(name)))
  await turn()
  t.same(started.slice(4), ['a2', 'c1'])
  for (const name of ['a2', 'b2', 'c1']) {
    await turn()
    finish(name)
  }
  await Promise.all(again)
})

t.test('an account is not slow because it waits for memory, the store or the disk', async (t) => {
  let nowMs = 0
  const { run, withMemory } = createImageSlots({ running: 2, waiting: 9, memoryBytes: 100, nowMs: () => nowMs })
  const { started, finish, task } = createTasks()
  const large = { bytes: 80, pixels: 1 }
  const first = withMemory({ accountId: 'x', ...large }, task('first'))
  const all = ['a', 'b'].map((accountId) =>
    run({ accountId, kind: 'upload' }, () => withMemory({ accountId, ...large }, task(accountId)))
  )
  await turn()
  t.same(started, ['first'])
  nowMs += 5_000
  for (const name of ['first', 'a', 'b']) {
    finish(name)
    await turn()
  }
  await Promise.all([first, ...all])
  const again = ['a', 'b'].map((accountId) => run({ accountId, kind: 'upload' }, task(`${accountId}2`)))
  await turn()
  t.same(started.slice(3), ['a2', 'b2'])
  for (const name of started.slice(3)) finish(name)
  await Promise.all(again)
})

t.test('a failed task frees its slot', async (t) => {
  const { run } = createImageSlots({ running: 1, waiting: 0, memoryBytes: 100 })
  await t.rejects(
    run(ofA, async () => {
      throw new Error('broken')
    }),
    /broken/
  )
  t.equal(await run(ofA, async () => 1), 1)
})

t.test('large steps wait for memory in their order, and one that needs all of it is the only one', async (t) => {
  const { withMemory } = createImageSlots({ running: 9, waiting: 9, memoryBytes: 100 })
  const { started, finish, task } = createTasks()
  const sizes = { x50: 50, x35: 35, x500: 500, x20: 20 }
  const all = Object.entries(sizes).map(([name, bytes]) => withMemory({ accountId: 'a', bytes, pixels: 1 }, task(name)))
  await turn()
  t.same(started, ['x50', 'x35'])
  finish('x35')
  await turn()
  t.same(started, ['x50', 'x35'], 'a smaller one of them does not overtake')
  finish('x50')
  await turn()
  t.same(started, ['x50', 'x35', 'x500'])
  finish('x500')
  await turn()
  finish('x20')
  await Promise.all(all)
  await t.rejects(
    withMemory({ accountId: 'a', bytes: 100, pixels: 1 }, async () => {
      throw new Error('broken')
    })
  )
  t.equal(
    await withMemory({ accountId: 'a', bytes: 100, pixels: 1 }, async () => 1),
    1,
    'a failed step frees its memory'
  )
})

t.test('small steps do not wait for large ones', async (t) => {
  const { withMemory } = createImageSlots({ running: 9, waiting: 9, memoryBytes: 80 })
  const { started, finish, task } = createTasks()
  const all = Object.entries({ large: 60, next: 60, small: 10, tiny: 1 }).map(([name, bytes]) =>
    withMemory({ accountId: 'a', bytes, pixels: 1 }, task(name))
  )
  await turn()
  t.same(started, ['large', 'small'], 'beyond an eighth of the memory, small steps wait for each other')
  finish('small')
  await turn()
  t.same(started, ['large', 'small', 'tiny'])
  finish('large')
  await turn()
  t.same(started, ['large', 'small', 'tiny', 'next'])
  finish('tiny')
  finish('next')
  await Promise.all(all)
})
