import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import { sharedResult } from '../../lib/shared-result.ts'

const COUNT = 100
/** What each one does with the result. */
const WORK_MS = 1

function work(): void {
  const end = performance.now() + WORK_MS
  while (performance.now() < end);
}

t.test('those who wait for the same result continue in several turns, in their order', async (t) => {
  let turn = 0
  const end = new AbortController()
  const counting = (async () => {
    for (; !end.signal.aborted; turn++) await setImmediate()
  })()
  const { promise, resolve } = Promise.withResolvers<string>()
  const order: number[] = []
  const turns: number[] = []
  const all = Array.from({ length: COUNT }, async (_, index) => {
    t.equal(await sharedResult(promise), 'result')
    work()
    order.push(index)
    turns.push(turn)
  })
  resolve('result')
  await Promise.all(all)
  end.abort()
  await counting
  t.same(
    order,
    Array.from({ length: COUNT }, (_, index) => index)
  )
  const inOneTurn = Math.max(...Object.values(Object.groupBy(turns, (each) => each)).map((some) => some!.length))
  t.ok(inOneTurn <= 10, `${inOneTurn} in a turn`)
})

t.test('a result that fails fails for all', async (t) => {
  const failing = Promise.reject(new Error('It failed'))
  for (const result of await Promise.allSettled([sharedResult(failing), sharedResult(failing)])) {
    t.match(result, { status: 'rejected', reason: { message: 'It failed' } })
  }
})
