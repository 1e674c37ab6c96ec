import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import { createTurnQueue } from '../../lib/turn-queue.ts'

function work(ms: number): void {
  const endMs = performance.now() + ms
  while (performance.now() < endMs);
}

t.test('functions are called in later turns, as many as fit into a slice, and owners take turns', async (t) => {
  const { add, size } = createTurnQueue(8)
  const calls: string[] = []
  const byTurn: string[][] = []
  for (let n = 0; n < 12; n++) {
    add('many', async () => {
      calls.push('many')
      await null
      work(3)
    })
  }
  add('one', () => calls.push('one'))
  t.same([calls, size()], [[], 13], 'none is called at once')
  while (byTurn.flat().length < 13) {
    await setImmediate()
    byTurn.push(calls.splice(0))
  }
  t.ok(byTurn.flat().indexOf('one') <= 1, 'the other owner is second at the latest')
  t.ok(Math.max(...byTurn.map(({ length }) => length)) <= 4, 'what follows in microtasks counts')
  add('many', () => calls.push('again'))
  for (let turn = 0; turn < 5; turn++) await setImmediate()
  t.same([calls, size()], [['again'], 0], 'also after it was empty')
})
