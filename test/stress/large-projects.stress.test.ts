import t from 'tap'
import type { ProductFilter } from '../../ports/store/port.ts'
import { openDatabase } from '../../ports/store/sqlite/database.ts'
import { createSqliteStore } from '../../ports/store/sqlite/index.ts'
import { buildProduct, fresh, SITE } from '../contracts/store/fixtures/products.ts'
import { SEED } from '../seed.ts'
import { createSeededRandom } from '../fixtures/seeded-random.ts'

/** One statement for the same result took 270 to 750 ms. */
const MAX_TURN_MS = 150
const PRODUCTS = process.env.FULL === '1' ? 200_000 : 60_000
const BATCH = 500

const cpuMs = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** Runs `act` and returns the longest CPU time of a turn of the event loop meanwhile. */
async function longestTurn(act: () => Promise<unknown>): Promise<number> {
  let [longest, last, isRunning] = [0, cpuMs(), true]
  const measure = () => {
    const now = cpuMs()
    longest = Math.max(longest, now - last)
    last = now
    if (isRunning) setImmediate(measure)
  }
  setImmediate(measure)
  await act()
  isRunning = false
  await new Promise((resolve) => setImmediate(resolve))
  return longest
}

t.test('queries of the embedded store do not block, however many products a project has', async (t) => {
  const db = openDatabase(`${t.testdir()}/store.db`)
  t.teardown(db.close)
  const store = createSqliteStore(db)
  const random = createSeededRandom(SEED)
  const word = () => `a${Math.floor(random() * 5000).toString(36)}`
  for (let made = 0; made < PRODUCTS; made += BATCH) {
    await store.products.saveMany(
      Array.from({ length: BATCH }, () => {
        const terms = [...new Set(Array.from({ length: 22 }, word))]
        return fresh(buildProduct({ terms, eventPendingSince: '2026-01-01T00:00:00.000Z' }))
      })
    )
  }
  const list = (filter: Partial<ProductFilter>, page = 1) =>
    store.products.list({ accountId: 'acme', projectIds: null, ...filter }, { page, pageSize: 20 })
  const acts: Record<string, () => Promise<unknown>> = {
    'all products': async () => t.equal((await list({})).totalCount, PRODUCTS),
    'the last page': async () => t.equal((await list({ projectId: 'site' }, PRODUCTS / 20)).products.length, 20),
    'a status': async () => t.equal((await list({ status: 'optimized' })).totalCount, PRODUCTS),
    'a category and a status': async () => await list({ category: 'Kitchen', status: 'optimized' }),
    'a letter': async () => t.equal((await list({ terms: ['a'] })).totalCount, PRODUCTS),
    'a letter and filters': async () => await list({ terms: ['a'], status: 'optimized', updatedSince: '2020' }, 100),
    'pending events': async () => t.equal((await store.products.pendingEvents(SITE, 100)).hasMore, true),
    'optimizing all': async () =>
      t.equal(
        await store.products.markOptimizePending(SITE, {
          externalIds: null,
          at: '2026-01-02T00:00:00.000Z',
          force: true
        }),
        PRODUCTS
      )
  }
  for (const [name, act] of Object.entries(acts)) {
    const turnMs = await longestTurn(act)
    t.ok(turnMs < MAX_TURN_MS, `${name}: ${Math.round(turnMs)} ms`)
    t.comment(`${name}: ${Math.round(turnMs)} ms`)
  }
})
