import { setTimeout as wait } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { createLeases } from '../../services/leases.ts'
import { eventually } from '../fixtures/webhooks/receiver.ts'
import { openTestStore, temporaryFolder } from '../helper.ts'
import { createOptimizer } from '../../services/optimizer/index.ts'
import { openTestShop, PROJECT } from './optimizer/fixtures.ts'
import { startModel, GOOD, oakTable, respondWith } from './optimizer/provider/language-model.ts'

async function given(t: Test) {
  const store = await openTestStore(temporaryFolder(t))
  t.teardown(() => store.close())
  return { store, withLease: createLeases({ store, leaseMs: LEASE_MS }).withLease }
}

/** Short, so that the tests need not wait for the default of 15 seconds. */
const LEASE_MS = 600

const signal = new AbortController().signal
const nothing = async () => false

t.test('one of two callers does the work, and the other learns that it is in progress', async (t) => {
  const { withLease } = await given(t)
  const end = Promise.withResolvers<void>()
  const first = withLease({ name: 'shop', signal, work: () => end.promise, hasMore: nothing })
  await eventually(
    async () => !(await withLease({ name: 'shop', signal, work: async () => {}, hasMore: nothing })),
    'the second caller gets false'
  )
  t.equal(await withLease({ name: 'another shop', signal, work: async () => {}, hasMore: nothing }), true)
  end.resolve()
  t.equal(await first, true)
  t.equal(
    await withLease({ name: 'shop', signal, work: async () => {}, hasMore: nothing }),
    true,
    'the lease is free afterward'
  )
})

t.test('work that arrives while the holder is finishing is done by the holder', async (t) => {
  const { withLease } = await given(t)
  const waiting = ['a']
  const done: string[] = []
  await withLease({
    name: 'shop',
    signal,
    async work() {
      done.push(...waiting.splice(0))
      // Saved after the holder has read the pending work; another process left it to the holder.
      if (done.length === 1) waiting.push('b')
    },
    hasMore: async () => waiting.length > 0
  })
  t.same(done, ['a', 'b'])
})

t.test('work that throws releases the lease, and the error is rethrown', async (t) => {
  const { withLease } = await given(t)
  await t.rejects(
    withLease({
      name: 'shop',
      signal,
      work: async () => {
        throw new Error('no paper')
      },
      hasMore: nothing
    }),
    { message: 'no paper' }
  )
  t.equal(await withLease({ name: 'shop', signal, work: async () => {}, hasMore: nothing }), true)
})

t.test('a lease that is not renewed expires, and its former holder is aborted', async (t) => {
  const { store, withLease } = await given(t)
  const hour = (at: number) => new Date(Date.now() + at * 3_600_000).toISOString()
  const stopped = Promise.withResolvers<void>()
  const working = Promise.withResolvers<void>()
  const first = withLease({
    name: 'shop',
    signal,
    async work(signal) {
      signal.addEventListener('abort', () => stopped.resolve())
      working.resolve()
      await stopped.promise
    },
    hasMore: async () => true
  })
  await working.promise
  // Simulates a first holder that was suspended for an hour.
  t.equal(await store.leases.acquire({ name: 'shop', holder: 'another', now: hour(1), until: hour(2) }), true)
  await Promise.race([
    first,
    wait(LEASE_MS).then(() => {
      throw new Error('the former holder was not aborted')
    })
  ])
  t.equal(
    await store.leases.acquire({ name: 'shop', holder: 'a third', now: hour(0), until: hour(1) }),
    false,
    'the new holder still has the lease'
  )
})

t.test('processes that optimize the same products call the paid provider once per product', async (t) => {
  const products = Array.from({ length: 30 }, (_, index) => oakTable(`t${index}`, { title: `Oak Table ${index}` }))
  const { store, queue, all } = await openTestShop(t, products)
  // Each process has its own provider, without a shared cache.
  const models = await Promise.all(
    [0, 1].map(() =>
      startModel(t, (response, request) => {
        setTimeout(() => {
          respondWith(GOOD)(response, request)
        }, 20)
      })
    )
  )
  const worked = await Promise.all(
    models.map(({ provider }) => createOptimizer({ store, queue, provider }).optimizeProject(PROJECT, signal))
  )
  t.same(worked.sort(), [0, 30])
  t.equal(
    models.reduce((sum, { asked }) => sum + asked.length, 0),
    30
  )
  t.ok((await all()).every(({ status }) => status === 'optimized'))
})
