import { setImmediate, setTimeout as wait } from 'node:timers/promises'
import { test } from 'tap'
import { createYielder, runAsOwner, sortInSlices } from '../../lib/async.ts'
import { processLoopUse } from '../../lib/loop-use.ts'

const STEP_MS = 1

function work(): void {
  const endMs = performance.now() + STEP_MS
  while (performance.now() < endMs);
}

/** Calls `isOver` after each turn of the event loop, and returns the number of turns until it is true. */
async function countTurns(isOver: () => boolean): Promise<number> {
  for (let turns = 1; ; turns++) {
    await setImmediate()
    if (isOver()) return turns
  }
}

/** Runs computations of so many steps at once. Returns the steps of each turn of the event loop. */
async function compute(lengths: number[]): Promise<number[]> {
  let steps = 0
  let isOver = false
  const stepsByTurn: number[] = []
  async function run(length: number): Promise<void> {
    const pause = createYielder()
    for (let step = 0; step < length; step++) {
      work()
      steps += 1
      await pause()
    }
  }
  const all = Promise.all(lengths.map(run)).then(() => (isOver = true))
  await countTurns(() => {
    stepsByTurn.push(steps)
    steps = 0
    return isOver
  })
  await all
  return stepsByTurn
}

test('computations at the same time share the turns of the event loop', async (t) => {
  const lengths = Array.from({ length: 20 }, () => 20)
  const stepsByTurn = await compute(lengths)
  const [first = 0, ...later] = stepsByTurn
  // Each begins with a step before its first pause. A turn has at most two slices of 8 steps: before and after it.
  t.ok(first <= 20 + 2 * 9, `the first turn has ${first} steps`)
  t.ok(Math.max(...later) <= 2 * 9, `a later turn has ${Math.max(...later)} steps`)
  t.equal(
    stepsByTurn.reduce((sum, steps) => sum + steps, 0),
    400,
    'all of them end'
  )
})

test('owners take turns, however many computations one of them has', async (t) => {
  let isOver = false
  async function run(isDone: (steps: number) => boolean): Promise<void> {
    const pause = createYielder()
    for (let steps = 0; !isDone(steps); steps++) {
      work()
      await pause()
    }
  }
  const many = runAsOwner('many', () => Array.from({ length: 12 }, () => run(() => isOver)))
  for (let turn = 0; turn < 3; turn++) await setImmediate()
  const one = runAsOwner('one', () => run((steps) => steps === 30)).then(() => (isOver = true))
  const turns = await countTurns(() => isOver)
  await Promise.all([one, ...many])
  // 4 slices of its own, as many of the others, and 16 turns after each. Without turns for owners: above 800.
  t.ok(turns < 340, `its computation of 30 steps ends after ${turns} turns`)
})

test('a short computation does not wait for others at each of its pauses', async (t) => {
  const progress = { isOver: false }
  const pause = createYielder()
  async function runLong(): Promise<void> {
    while (!progress.isOver) {
      work()
      await pause()
    }
  }
  const many = runAsOwner('many', () => Array.from({ length: 12 }, runLong))
  // Until their own free pauses are used up.
  for (let turn = 0; turn < 30; turn++) await setImmediate()
  const short = runAsOwner('short', async () => {
    for (let step = 0; step < 6; step++) {
      // As an answer of the store.
      await setImmediate()
      await pause()
    }
    progress.isOver = true
  })
  const turns = await countTurns(() => progress.isOver)
  await Promise.all([short, ...many])
  // Without, it would wait at each pause until others have had their turns.
  t.ok(turns < 20, `its computation of 6 steps ends after ${turns} turns`)
})

test('many short computations of an owner do not wait for the slices of long ones of another', async (t) => {
  const progress = { isOver: false }
  async function runLong(): Promise<void> {
    const pause = createYielder()
    while (!progress.isOver) {
      work()
      await pause()
    }
  }
  const long = runAsOwner('long', () => Array.from({ length: 12 }, runLong))
  for (let turn = 0; turn < 30; turn++) await setImmediate()
  async function runShort(): Promise<void> {
    const pause = createYielder()
    for (let step = 0; step < 4; step++) {
      // As an answer of the store.
      await setImmediate()
      await pause()
    }
  }
  const short = runAsOwner('many short', async () => {
    await Promise.all(Array.from({ length: 40 }, runShort))
    progress.isOver = true
  })
  const turns = await countTurns(() => progress.isOver)
  await Promise.all([short, ...long])
  // With one pause in each slice: more than 1,000.
  t.ok(turns < 100, `40 computations of 4 steps end after ${turns} turns`)
})

test('computations of an owner that uses less than another one do not wait for its slices', async (t) => {
  const progress = { isOver: false }
  async function run(isDone: (steps: number) => boolean): Promise<void> {
    const pause = createYielder()
    for (let steps = 0; !isDone(steps); steps++) {
      work()
      await pause()
    }
  }
  const more = runAsOwner('more', () => Array.from({ length: 12 }, () => run(() => progress.isOver)))
  for (let turn = 0; turn < 30; turn++) await setImmediate()
  // Of the event loop, so much that it is not light by itself.
  await runAsOwner('less', () => run((steps) => steps === 100))
  processLoopUse.add('more', 1_000)
  const less = runAsOwner('less', () => run((steps) => steps === 80)).then(() => (progress.isOver = true))
  const turns = await countTurns(() => progress.isOver)
  await Promise.all([less, ...more])
  // 4 steps in each turn, or 1 on a busy machine. With slices for all, and up to 16 turns between them: more than 600.
  t.ok(turns < 200, `its computation of 80 steps ends after ${turns} turns`)
})

test('computations continue after all others have ended', async (t) => {
  for (let round = 0; round < 12; round++) {
    const name = `owner ${round}`
    await runAsOwner(name, async () => await compute([1 + round, 10]))
    // Turns in which nothing waits.
    for (let turn = 0; turn < round % 4; turn++) await setImmediate()
    const later = runAsOwner(name, async () => {
      const pause = createYielder()
      for (let step = 0; step < 20; step++) await pause()
    })
    t.equal(await Promise.race([later, wait(2_000, 'waits')]), undefined)
  }
})

test('values are sorted as by toSorted, with pauses', async (t) => {
  const compare = (a: { key: number }, b: { key: number }): number => a.key - b.key
  for (const count of [0, 1, 2, 499, 500, 501, 1000, 1750, 5003]) {
    const values = Array.from({ length: count }, (_, index) => ({ key: (index * 7919) % 97, index }))
    t.same(await sortInSlices(values, compare), values.toSorted(compare), `${count} values`)
  }
  const values = Array.from({ length: 3000 }, (_, index) => (index * 7919) % 3001)
  let most = 0
  let ofTurn = 0
  const progress = { isSorted: false }
  const sorting = sortInSlices(values, (a, b) => {
    ofTurn += 1
    // A slow comparison, so that the time of a turn is used up.
    if (ofTurn % 100 === 0) work()
    return a - b
  }).then(() => {
    progress.isSorted = true
  })
  while (!progress.isSorted) {
    await setImmediate()
    most = Math.max(most, ofTurn)
    ofTurn = 0
  }
  await sorting
  t.ok(most < 10_000, `at most ${most} comparisons in a turn`)
})

test('between two slices, the event loop has turns to accept connections', async (t) => {
  const stepsByTurn = await compute([100, 100])
  t.ok(stepsByTurn.length > 200, `${stepsByTurn.length} turns for 200 steps of ${STEP_MS} ms`)
})
