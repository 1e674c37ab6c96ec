import t from 'tap'
import { createImageSlots } from '../../../services/images/slots.ts'

const turn = () => new Promise(setImmediate)

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

t.test('running and waiting tasks are limited, and further ones are rejected as busy', async (t) => {
  const { run } = createImageSlots({ running: 3, waiting: 3, memoryBytes: 100 })
  const { started, finish, task } = createTasks()
  const all = ['1', '2', '3', '4', '5'].map((name) => run('a', task(name)))
  await turn()
  t.same(started, ['1', '2'], 'one slot is left for other accounts')
  await t.rejects(run('a', task('6')), { code: 'busy', options: { headers: { 'Retry-After': '1' } } })
  const other = run('b', task('b'))
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
  const { run } = createImageSlots({ running: 1, waiting: 9, memoryBytes: 100 })
  const { started, finish, task } = createTasks()
  const names = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']
  const all = names.map((name) => run(name[0]!, task(name)))
  for (let count = 0; count < names.length; count++) {
    await turn()
    finish(started.at(-1)!)
  }
  await Promise.all(all)
  t.same(started, ['a1', 'a2', 'b1', 'c1', 'a3', 'b2'])
})

t.test('a failed task frees its slot', async (t) => {
  const { run } = createImageSlots({ running: 1, waiting: 0, memoryBytes: 100 })
  await t.rejects(
    run('a', async () => {
      throw new Error('broken')
    }),
    /broken/
  )
  t.equal(await run('a', async () => 1), 1)
})

t.test('large steps wait for memory in their order, and one that needs all of it is the only one', async (t) => {
  const { withMemory } = createImageSlots({ running: 9, waiting: 9, memoryBytes: 100 })
  const { started, finish, task } = createTasks()
  const sizes = { x50: 50, x35: 35, x500: 500, x20: 20 }
  const all = Object.entries(sizes).map(([name, bytes]) => withMemory(bytes, task(name)))
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
    withMemory(100, async () => {
      throw new Error('broken')
    })
  )
  t.equal(await withMemory(100, async () => 1), 1, 'a failed step frees its memory')
})

t.test('small steps do not wait for large ones', async (t) => {
  const { withMemory } = createImageSlots({ running: 9, waiting: 9, memoryBytes: 80 })
  const { started, finish, task } = createTasks()
  const all = Object.entries({ large: 60, next: 60, small: 10, tiny: 1 }).map(([name, bytes]) =>
    withMemory(bytes, task(name))
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
