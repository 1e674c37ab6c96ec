import t, { type Test } from 'tap'
import { openDatabase, type Database } from '../../../../ports/store/sqlite/database.ts'
import { createSqliteStore } from '../../../../ports/store/sqlite/index.ts'
import { buildBlog, next, tombstoneOf } from '../../../contracts/store/fixtures/content.ts'
import { buildProduct, fresh } from '../../../contracts/store/fixtures/products.ts'
import { createSeededRandom } from '../../../fixtures/seeded-random.ts'
import { SEED } from '../../../seed.ts'

const TERMS = 800
const BLOGS = 160
/** A step writes 16, and a blog fewer. */
const MAX_PAGES = 30
/** Segments of a size that are not merged yet, of each of three sizes at most, and one that is being written. */
const MAX_SEGMENTS = 3 * 8 + 1

/** `pages`: those that each transaction added to the index. */
function openStore(t: Test, index = 'blog_search') {
  const db = openDatabase(`${t.testdir()}/store.db`)
  t.teardown(db.close)
  const pages: number[] = []
  const idsOf = () => db.all<{ id: string }>(`SELECT CAST(id AS TEXT) AS id FROM ${index}_data`)
  const counted = (transaction: Database['transaction']): Database['transaction'] => {
    return (work) => {
      const before = new Set(idsOf().map(({ id }) => id))
      const result = transaction(work)
      pages.push(idsOf().filter(({ id }) => !before.has(id)).length)
      return result
    }
  }
  const { transaction, relaxedTransaction } = db
  const store = createSqliteStore({
    ...db,
    transaction: counted(transaction),
    relaxedTransaction: counted(relaxedTransaction)
  })
  return { db, store, pages }
}

const segmentsOf = (db: Database, index = 'blog_search'): number =>
  db.one<{ count: number }>(`SELECT count(DISTINCT segid) AS count FROM ${index}_idx`)!.count

t.test('segments of the search are merged in transactions of a few pages', async (t) => {
  const { db, store, pages } = openStore(t)
  const random = createSeededRandom(SEED)
  const blogs = Array.from({ length: BLOGS }, (_, index) => {
    const blog = buildBlog({ slug: `blog-${index}`, tags: [] })
    const textTerms = Array.from({ length: TERMS }, () => Math.floor(random() * 36 ** 6).toString(36))
    return { ...blog, body: { ...blog.body, textTerms: [...new Set(textTerms)] } }
  })
  let mostSegments = 0
  for (const blog of blogs) {
    await store.blogs.add(blog)
    mostSegments = Math.max(mostSegments, segmentsOf(db))
  }
  t.ok(mostSegments <= MAX_SEGMENTS, `at most ${mostSegments} segments`)
  const most = Math.max(...pages)
  // With the merges of FTS5 itself: more than 200.
  t.ok(most < MAX_PAGES, `at most ${most} new pages in a transaction`)

  for (const blog of blogs) {
    await store.blogs.save(next(blog, { title: 'Changed' }), 1)
    await store.blogs.delete(tombstoneOf(next(blog, {})), 2)
    mostSegments = Math.max(mostSegments, segmentsOf(db))
  }
  t.ok(mostSegments <= MAX_SEGMENTS, `at most ${mostSegments} segments`)
})

t.test('what is imported is merged, too', async (t) => {
  const { db, store } = openStore(t)
  for (let batch = 0; batch < 60; batch++) {
    const additions = [1, 2].map((index) => ({ blog: buildBlog({ slug: `blog-${batch}-${index}` }), events: [] }))
    t.same(await store.blogs.addMany!(additions), [null, null])
  }
  const segments = segmentsOf(db)
  t.ok(segments <= MAX_SEGMENTS, `${segments} segments`)
})

t.test('so are those of the terms of related blogs', async (t) => {
  const { db, store, pages } = openStore(t, 'related_search')
  const random = createSeededRandom(SEED)
  const group = { accountId: 'acme', projectId: 'site', language: 'en' }
  let mostSegments = 0
  for (let number = 0; number < 400; number++) {
    const terms = Int32Array.from(new Set(Array.from({ length: 200 }, () => Math.floor(random() * 2 ** 31)))).sort()
    const entry = { id: `id-${number}`, group, locale: 'en', publishedAt: '2030-01-01T00:00:00.000Z' }
    const weights = Uint16Array.from(terms, () => 100)
    await store.relatedIndex.put('acme', { put: [{ ...entry, terms, weights }], remove: [] })
    mostSegments = Math.max(mostSegments, segmentsOf(db, 'related_search'))
  }
  t.ok(mostSegments <= MAX_SEGMENTS, `at most ${mostSegments} segments`)
  const most = Math.max(...pages)
  t.ok(most < MAX_PAGES, `at most ${most} new pages in a transaction`)
})

t.test('so are those of the search of products', async (t) => {
  const { db, store, pages } = openStore(t, 'product_search')
  const random = createSeededRandom(SEED)
  let mostSegments = 0
  const build = (number: number) => {
    const terms = Array.from({ length: 60 }, () => Math.floor(random() * 36 ** 6).toString(36))
    return buildProduct({ externalId: `p-${number}`, claims: [], terms: [...new Set(terms)] })
  }
  const saved: ReturnType<typeof build>[] = []
  for (let batch = 0; batch < 200; batch++) {
    const products = Array.from({ length: 12 }, (_, index) => build(batch * 12 + index))
    t.same(new Set(await store.products.saveMany(products.map(fresh))), new Set(['saved']))
    saved.push(...products)
    mostSegments = Math.max(mostSegments, segmentsOf(db, 'product_search'))
  }
  for (const { accountId, id, version } of saved.slice(0, 600)) {
    t.ok(await store.products.delete({ accountId, id, ifVersion: version }))
    mostSegments = Math.max(mostSegments, segmentsOf(db, 'product_search'))
  }
  t.ok(mostSegments <= MAX_SEGMENTS, `at most ${mostSegments} segments`)
  const most = Math.max(...pages)
  t.ok(most < MAX_PAGES, `at most ${most} new pages in a transaction`)
})
