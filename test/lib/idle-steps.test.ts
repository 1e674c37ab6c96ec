import { setTimeout as wait } from 'node:timers/promises'
import t from 'tap'
import { runWhenIdle } from '../../lib/idle-steps.ts'

function occupy(ms: number): void {
  const end = performance.now() + ms
  while (performance.now() < end);
}

t.test('steps run in order, with pauses between those that take long', async (t) => {
  const seen: string[] = []
  const ended = Promise.withResolvers<undefined>()
  const other = setInterval(() => seen.push('other'), 1)
  runWhenIdle(
    [1, 2, 3].map((number) => () => {
      seen.push(`step ${number}`)
      occupy(7)
      if (number === 3) ended.resolve(undefined)
    })
  )
  t.same(seen, [], 'none runs at once')
  await ended.promise
  clearInterval(other)
  t.same(
    seen.filter((name) => name !== 'other'),
    ['step 1', 'step 2', 'step 3']
  )
  const between = seen.slice(seen.indexOf('step 1'), seen.indexOf('step 2'))
  t.ok(between.includes('other'), seen.join(', '))
})

t.test('a busy process runs none', async (t) => {
  let [steps, turns] = [0, 0]
  const busy = Promise.withResolvers<undefined>()
  const stop = runWhenIdle(
    Array.from({ length: 1000 }, () => () => {
      steps++
    })
  )
  const work = (): void => {
    occupy(10)
    turns++
    if (turns < 30) setImmediate(work)
    else busy.resolve(undefined)
  }
  setImmediate(work)
  await busy.promise
  stop()
  t.equal(steps, 0)
})

t.test('no step runs after the end', async (t) => {
  let steps = 0
  const stop = runWhenIdle([
    () => {
      steps++
    }
  ])
  stop()
  await wait(100)
  t.equal(steps, 0)
})
