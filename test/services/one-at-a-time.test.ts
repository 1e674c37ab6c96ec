import { setTimeout as wait } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { createOneAtATime, LEASE_MS } from '../../services/one-at-a-time.ts'
import { eventually } from '../fixtures/webhooks/receiver.ts'
import { openTestStore, temporaryFolder } from '../helper.ts'
import { createOptimizer } from '../../services/optimizer/index.ts'
import { givenShop, PLACE } from './optimizer/given.ts'
import { givenModel, GOOD, oakTable, says } from './optimizer/provider/language-model.ts'

async function given(t: Test) {
  const store = await openTestStore(temporaryFolder(t))
  t.teardown(() => store.close())
  return { store, alone: createOneAtATime({ store }) }
}

const signal = new AbortController().signal
const nothing = async () => false

t.test('of two who want to do the same work one does it, and the other is told so', async (t) => {
  const { alone } = await given(t)
  const end = Promise.withResolvers<void>()
  const first = alone({ name: 'shop', signal, work: () => end.promise, left: nothing })
  await eventually(
    async () => !(await alone({ name: 'shop', signal, work: async () => {}, left: nothing })),
    'the second is told'
  )
  t.equal(await alone({ name: 'another shop', signal, work: async () => {}, left: nothing }), true)
  end.resolve()
  t.equal(await first, true)
  t.equal(await alone({ name: 'shop', signal, work: async () => {}, left: nothing }), true, 'and afterwards it is free')
})

t.test('what came while the first was ending is done by the first', async (t) => {
  const { alone } = await given(t)
  const waiting = ['a']
  const done: string[] = []
  await alone({
    name: 'shop',
    signal,
    async work() {
      done.push(...waiting.splice(0))
      // Saved after the work has looked, and left to it by whoever saved it, because the lease was
      // taken.
      if (done.length === 1) waiting.push('b')
    },
    left: async () => waiting.length > 0
  })
  t.same(done, ['a', 'b'])
})

t.test('work that throws gives the lease free, and its error is told', async (t) => {
  const { alone } = await given(t)
  await t.rejects(
    alone({
      name: 'shop',
      signal,
      work: async () => {
        throw new Error('no paper')
      },
      left: nothing
    }),
    { message: 'no paper' }
  )
  t.equal(await alone({ name: 'shop', signal, work: async () => {}, left: nothing }), true)
})

t.test('a lease that nobody renews is free soon; who lost it is told to stop', async (t) => {
  const { store, alone } = await given(t)
  const hour = (at: number) => new Date(Date.now() + at * 3_600_000).toISOString()
  const stopped = Promise.withResolvers<void>()
  const working = Promise.withResolvers<void>()
  const first = alone({
    name: 'shop',
    signal,
    async work(signal) {
      signal.addEventListener('abort', () => stopped.resolve())
      working.resolve()
      await stopped.promise
    },
    left: async () => true
  })
  await working.promise
  // As an hour later, when the first has been held up for that long.
  t.equal(await store.leases.take({ name: 'shop', holder: 'another', now: hour(1), until: hour(2) }), true)
  await Promise.race([
    first,
    wait(LEASE_MS).then(() => {
      throw new Error('it was not told')
    })
  ])
  t.equal(
    await store.leases.take({ name: 'shop', holder: 'a third', now: hour(0), until: hour(1) }),
    false,
    'the lease of the other stays'
  )
})

t.test('processes that optimize the same products ask a paid service about each product once', async (t) => {
  const products = Array.from({ length: 30 }, (_, index) => oakTable(`t${index}`, { title: `Oak Table ${index}` }))
  const { store, queue, all } = await givenShop(t, products)
  // Each process has its own provider, which remembers nothing of what the other asked.
  const models = await Promise.all(
    [0, 1].map(() =>
      givenModel(t, (response) => {
        setTimeout(() => says(GOOD)(response), 20)
      })
    )
  )
  const worked = await Promise.all(
    models.map(({ provider }) => createOptimizer({ store, queue, provider }).work(PLACE, signal))
  )
  t.same(worked.sort(), [0, 30])
  t.equal(
    models.reduce((sum, { asked }) => sum + asked.length, 0),
    30
  )
  t.ok((await all()).every(({ status }) => status === 'optimized'))
})
