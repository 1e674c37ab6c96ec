import t from 'tap'
import { createSlots } from '../../../services/images/derived-files.ts'

t.test('running and waiting tasks are limited, and further ones are rejected as busy', async (t) => {
  const run = createSlots({ running: 2, waiting: 3 })
  const gates = Array.from({ length: 5 }, () => Promise.withResolvers<void>())
  const started: number[] = []
  const all = gates.map((gate, i) =>
    run(async () => {
      started.push(i)
      await gate.promise
      return i
    })
  )
  await new Promise(setImmediate)
  t.same(started, [0, 1])
  await t.rejects(
    run(async () => 5),
    { code: 'busy', options: { headers: { 'Retry-After': '1' } } }
  )
  gates[1]?.resolve()
  await all[1]
  for (const gate of gates) gate.resolve()
  t.same(await Promise.all(all), [0, 1, 2, 3, 4])
  t.same(started, [0, 1, 2, 3, 4], 'in order of arrival')
})

t.test('a failed task frees its slot', async (t) => {
  const run = createSlots({ running: 1, waiting: 0 })
  await t.rejects(
    run(async () => {
      throw new Error('broken')
    }),
    /broken/
  )
  t.equal(await run(async () => 1), 1)
})
