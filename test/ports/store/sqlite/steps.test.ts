import t, { type Test } from 'tap'
import { openDatabase, type Database } from '../../../../ports/store/sqlite/database.ts'
import { createSqliteStore } from '../../../../ports/store/sqlite/index.ts'
import { countRows, readPage, readPageOnly, RowSet, type OrderedRows } from '../../../../ports/store/sqlite/steps.ts'
import type { Store } from '../../../../ports/store/port.ts'
import { auditCases } from '../../../contracts/store/audit.ts'
import { blogListCases } from '../../../contracts/store/blogs/lists.ts'
import { blogOverviewCases } from '../../../contracts/store/blogs/overviews.ts'
import { blogTotalCases } from '../../../contracts/store/blogs/totals.ts'
import { addBlogs, minute } from '../../../contracts/store/fixtures/content.ts'
import { addProducts, changing, productsListed, SITE } from '../../../contracts/store/fixtures/products.ts'
import { importCases } from '../../../contracts/store/imports.ts'
import { productTotalCases } from '../../../contracts/store/products/totals.ts'
import { productWorkCases } from '../../../contracts/store/products/pending.ts'
import { visualCheckCases } from '../../../contracts/store/visual-checks.ts'
import { randomBlogListCases, randomProductListCases } from '../../../contracts/store/random-lists.ts'

/** A store that needs several steps for a few records. */
function openStore(
  t: Test,
  sizes = { entries: 7, rows: 4, labels: 3, sorted: 3, pages: 0, cached: 1000 }
): { db: Database; store: Store } {
  const db = openDatabase(`${t.testdir()}/store.db`)
  t.teardown(db.close)
  return { db, store: createSqliteStore(db, sizes) }
}

for (const { title, run } of [
  ...randomProductListCases,
  ...randomBlogListCases,
  ...blogTotalCases,
  ...productTotalCases,
  ...productWorkCases,
  ...blogListCases,
  ...blogOverviewCases,
  ...visualCheckCases,
  ...importCases,
  ...auditCases.filter(({ title }) => !title.includes('reopening'))
]) {
  t.test(`in small steps, ${title}`, async (t) => {
    const { store } = openStore(t)
    await run({ store, reopen: async () => store })
    t.pass()
  })
}

t.test('blogs of one second are counted in steps', async (t) => {
  const db = openDatabase(`${t.testdir()}/store.db`)
  t.teardown(db.close)
  let longest = 0
  const one: Database['one'] = <Row>(sql: string, ...values: Parameters<Database['all']>[1][]) => {
    const row = db.one<Row>(sql, ...values)
    if (sql.startsWith('SELECT count(*) AS count FROM blogs b')) {
      // Without the filter that the index does not answer: what the statement compares.
      const all = sql.includes('blogs_by_category') ? sql : sql.replace('b.category_key = ?', "? <> ''")
      longest = Math.max(longest, db.one<{ count: number }>(all, ...values)!.count)
    }
    return row
  }
  const sizes = { entries: 7, rows: 4, labels: 3, sorted: 3, pages: 0, cached: 1 }
  const store = createSqliteStore({ ...db, one }, sizes)
  await addBlogs(
    store,
    Array.from({ length: 30 }, (_, at) => ({
      publishedAt: minute(1),
      updatedAt: minute(2),
      category: at % 10 === 0 ? 'Rare' : 'Tea'
    }))
  )
  const before = new Date(Date.parse(minute(1)) + 1).toISOString()
  for (const filter of [{ publishedBefore: before }, { publishedAfter: minute(0) }, { updatedSince: minute(2) }]) {
    for (const status of ['published', 'any'] as const) {
      for (const [category, count] of [
        ['tea', 27],
        ['rare', 3]
      ] as const) {
        const list = { accountId: 'acme', projectIds: null, status, category, ...filter }
        t.equal((await store.blogs.list(list, { page: 1, pageSize: 2, withBody: false })).totalCount, count)
      }
    }
  }
  t.ok(longest <= 7, `${longest} blogs in one statement`)
})

t.test('steps cover every row once', async (t) => {
  const rows: OrderedRows<number> = {
    endOfStep: (after) => ((after ?? 0) + 3 < 10 ? (after ?? 0) + 3 : null),
    count: ({ after, upTo }) => (upTo ?? 10) - (after ?? 0),
    rows: ({ after, upTo }, { skip, limit }) =>
      Array.from({ length: (upTo ?? 10) - (after ?? 0) }, (_, at) => (after ?? 0) + at + 1).slice(skip, skip + limit)
  }
  t.equal(await countRows(rows), 10)
  for (let skip = 0; skip <= 11; skip++) {
    for (const limit of [1, 2, 3, 4, 20]) {
      const expected = Array.from({ length: 10 }, (_, at) => at + 1).slice(skip, skip + limit)
      t.same(await readPage(rows, { skip, limit }), { ns: expected, totalCount: 10 })
      t.same(await readPageOnly(rows, { skip, limit }), expected)
    }
  }
})

t.test('a set of rows contains the rows that were added', async (t) => {
  const set = new RowSet()
  const added = [0, 1, 31, 32, 65_535, 65_536, 2 ** 31, 2 ** 40 + 5]
  for (const n of [...added, ...added]) set.add(n)
  t.equal(set.size, added.length)
  t.ok(added.every((n) => set.has(n)))
  t.same([...set.chunks(3)], [added.slice(0, 3), added.slice(3, 6), added.slice(6)])
  t.same([...new RowSet().chunks(3)], [])
  t.notOk([2, 30, 33, 65_534, 65_537, 2 ** 32, 2 ** 40 + 4].some((n) => set.has(n)))
})

t.test('the search index is divided into partitions of limited size, which follow all changes', async (t) => {
  const { db, store } = openStore(t)
  const many = (word: string) => [word, 'all', ...Array.from({ length: 15_000 }, (_, at) => `w${at}`)]
  const partitions = () =>
    db.all<{ terms: number }>('SELECT terms FROM product_search_partitions ORDER BY n').map(({ terms }) => terms)
  const added = await addProducts(
    store,
    ['a', 'b', 'c', 'd', 'e'].map((externalId) => ({ externalId, terms: many(externalId) }))
  )
  t.same(partitions(), [30_006, 30_006, 15_003])
  t.same(await productsListed(store, { terms: ['al'] }), { ids: ['a', 'b', 'c', 'd', 'e'], total: 5 })
  t.same(await productsListed(store, { terms: ['all', 'c'] }), { ids: ['c'], total: 1 })

  const [a, b, c, d] = added as [never, never, never, never]
  await store.products.saveMany([
    changing(a, { terms: ['small'] }),
    changing(b, { terms: [...many('b'), ...many('f').map((term) => `x${term}`)] })
  ])
  t.same(partitions(), [30_006 - 15_003 - 15_003 + 2 + 30_005, 30_006, 15_003], 'a row stays in its partition')
  await store.products.saveMany([changing(c, { terms: [...many('c'), ...many('g').map((term) => `y${term}`)] })])
  t.same(partitions(), [30_007, 15_003, 15_003, 30_005], 'a row that no longer fits moves')
  t.same(await productsListed(store, { terms: ['al'] }), { ids: ['b', 'c', 'd', 'e'], total: 4 })
  t.same(await productsListed(store, { terms: ['y'] }), { ids: ['c'], total: 1 })

  await store.products.delete({ accountId: SITE.accountId, id: (d as { id: string }).id, ifVersion: 1 })
  t.same(partitions(), [30_007, 15_003, 30_005], 'an empty partition is deleted')
  t.same(await productsListed(store, { terms: ['al'] }), { ids: ['b', 'c', 'e'], total: 3 })
})
