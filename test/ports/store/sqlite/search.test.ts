import t, { type Test } from 'tap'
import type { BlogRecord, Store } from '../../../../ports/store/port.ts'
import { openDatabase, type Database } from '../../../../ports/store/sqlite/database.ts'
import { createSqliteStore } from '../../../../ports/store/sqlite/index.ts'
import { encodeTerms } from '../../../../ports/store/sqlite/search.ts'
import { addBlogs, listed, next, tombstoneOf } from '../../../contracts/store/fixtures/content.ts'
import { createSeededRandom } from '../../../fixtures/seeded-random.ts'
import { SEED } from '../../../seed.ts'

const SIZES = { entries: 50, rows: 20, labels: 3, sorted: 30, pages: 0, cached: 1000 }
const signal = new AbortController().signal

/** `queries`: those of the search index. `steps`: how many statements have read rows. */
function openStore(t: Test): { db: Database; store: Store; queries: string[]; steps: () => number } {
  const db = openDatabase(`${t.testdir()}/store.db`)
  t.teardown(db.close)
  const queries: string[] = []
  let steps = 0
  const one: Database['one'] = (sql, ...values) => {
    steps++
    return db.one(sql, ...values)
  }
  const takeColumns: Database['takeColumns'] = (sql, values, take) => {
    steps++
    if (sql.includes('MATCH')) queries.push(String(values[0]))
    db.takeColumns(sql, values, take)
  }
  return { db, store: createSqliteStore({ ...db, one, takeColumns }, SIZES), queries, steps: () => steps }
}

/** Puts each blog into a partition of its own, as earlier versions did with long ones. */
function divide(db: Database): void {
  db.run('DELETE FROM blog_search_partitions')
  for (const row of db.all<{ n: number; account: string; terms: number; body: string }>(
    'SELECT n, account_id AS account, search_terms AS terms, body FROM blogs JOIN blog_bodies USING (n)'
  )) {
    const { titleTerms, textTerms } = JSON.parse(row.body) as BlogRecord['body']
    const insert = 'INSERT INTO blog_search_partitions (account_id, terms) VALUES (?, ?) RETURNING n'
    const { n } = db.one<{ n: number }>(insert, row.account, row.terms)!
    db.run('UPDATE blogs SET search_partition = ? WHERE n = ?', n, row.n)
    const columns = [encodeTerms(n, titleTerms), encodeTerms(n, textTerms)]
    db.run('INSERT OR REPLACE INTO blog_search (rowid, title, text) VALUES (?, ?, ?)', row.n, ...columns)
  }
}

const partitionsOf = (db: Database) =>
  db.all<{ terms: number }>('SELECT terms FROM blog_search_partitions ORDER BY n').map(({ terms }) => terms)
const termsIn = (db: Database) => db.one<{ sum: number | null }>('SELECT sum(search_terms) AS sum FROM blogs')!.sum

/** The slugs of a search, found by comparing all blogs. */
function searched(blogs: Iterable<BlogRecord>, terms: string[]): string[] {
  const hasAll = (words: string[]) =>
    terms.every((term, at) => words.some((word) => (at < terms.length - 1 ? word === term : word.startsWith(term))))
  return [...blogs]
    .filter(({ body }) => hasAll([...body.titleTerms, ...body.textTerms]))
    .map((blog) => ({ blog, isFirst: hasAll(blog.body.titleTerms) }))
    .sort((a, b) => Number(b.isFirst) - Number(a.isFirst) || (a.blog.publishedAt! < b.blog.publishedAt! ? 1 : -1))
    .map(({ blog }) => blog.slug)
}

t.test('the terms of a prefix that has many are read in steps', async (t) => {
  const { db, store, queries } = openStore(t)
  const random = createSeededRandom(SEED)
  const word = () => `shared${Math.floor(random() ** 2 * 3000).toString(36)}`
  const words = (count: number) => [...new Set(Array.from({ length: count }, word))]
  const blogs = await addBlogs(
    store,
    Array.from({ length: 180 }, () => ({ body: { titleTerms: words(3), textTerms: words(400) } }))
  )
  t.same(partitionsOf(db), [termsIn(db)], 'an account has one partition')
  for (const terms of [
    ['shared'],
    ['sharedk'],
    ['shared1', 'share'],
    ['shared2', 'shared1', 'shared'],
    ['sharedzzz']
  ]) {
    const expected = searched(blogs, terms)
    t.same(await listed(store, { terms }, { page: 1, pageSize: 200 }), { slugs: expected, total: expected.length })
  }
  t.notOk(queries.includes('(00000001736861726564 *)'), 'they are not merged')

  const changed = []
  for (const [at, blog] of blogs.entries()) {
    if (at % 3 === 0) await store.blogs.delete(tombstoneOf(blog), blog.version)
    else changed.push(next(blog, at % 3 === 1 ? { body: { titleTerms: words(2), textTerms: words(300) } } : {}))
  }
  for (const blog of changed) await store.blogs.save(blog, blog.version - 1)
  for (const terms of [['shared'], ['sharedk'], ['shared2', 'shared']]) {
    const expected = searched(changed, terms)
    t.same(await listed(store, { terms }, { page: 1, pageSize: 200 }), { slugs: expected, total: expected.length })
  }
})

t.test(
  'terms with a long common part are read one by one, and blogs that have them in the title are first',
  async (t) => {
    const { store, queries } = openStore(t)
    const random = createSeededRandom(SEED)
    const word = () => `commonpart${Math.floor(random() ** 2 * 3000).toString(36)}`
    const words = (count: number) => [...new Set(Array.from({ length: count }, word))]
    const blogs = await addBlogs(
      store,
      Array.from({ length: 210 }, (_, at) => ({
        body: {
          titleTerms: at % 3 === 0 ? [...words(2), 'tea'] : at % 3 === 1 ? ['other', 'tea'] : ['other'],
          textTerms: at % 5 === 0 ? ['tea'] : [...words(400), 'tea']
        }
      }))
    )
    for (const terms of [['commo'], ['tea', 'commo'], ['other', 'common']]) {
      const expected = searched(blogs, terms)
      t.ok(expected.length > 20 && expected.length < 210)
      t.same(await listed(store, { terms }, { page: 1, pageSize: 200 }), { slugs: expected, total: expected.length })
    }
    t.ok(
      queries.every((query) => !query.includes('636f6d6d6f6e706172 *')),
      'they are not merged'
    )
  }
)

t.test('the steps of a search do not depend on how long the common parts of its terms are', async (t) => {
  const { store, steps } = openStore(t)
  const chains = { q: 5, r: 55 }
  for (const [letter, length] of Object.entries(chains)) {
    const textTerms = Array.from({ length: 3_000 }, (_, at) => letter.repeat(length) + at.toString(36).padStart(4, '0'))
    await addBlogs(
      store,
      Array.from({ length: 20 }, () => ({ body: { titleTerms: ['title'], textTerms } }))
    )
  }
  const counts: number[] = []
  for (const letter of Object.keys(chains)) {
    const before = steps()
    t.match(await listed(store, { terms: [letter.repeat(4)] }), { total: 20 })
    counts.push(steps() - before)
  }
  t.ok(counts[1]! <= 1.1 * counts[0]!, `${counts.join(' and ')} statements`)
})

t.test('searches are exact while blogs change and partitions are joined', async (t) => {
  const { db, store } = openStore(t)
  const random = createSeededRandom(SEED)
  const pick = <Value>(values: readonly Value[]): Value => values[Math.floor(random() * values.length)]!
  const vocabulary = ['te', 'tea', 'teapot', 'green', 'greenish', 'x', 'kettle', 'kettles', 'каша', 'каштан', '緑茶']
  const words = () => vocabulary.filter(() => random() < 0.3)
  const blogs = new Map<string, BlogRecord>()
  const change = async (): Promise<void> => {
    const body = { titleTerms: words(), textTerms: words() }
    const blog = pick([...blogs.values()])
    if (blog === undefined || random() < 0.5) {
      const [added] = await addBlogs(store, [{ body }])
      blogs.set(added!.id, added!)
    } else if (random() < 0.5) {
      await store.blogs.save(next(blog, { body }), blog.version)
      blogs.set(blog.id, next(blog, { body }))
    } else {
      await store.blogs.delete(tombstoneOf(blog), blog.version)
      blogs.delete(blog.id)
    }
  }
  for (let round = 0; round < 8; round++) {
    for (let count = 0; count < 30; count++) await change()
    divide(db)
    t.equal(partitionsOf(db).length, blogs.size)
    const joined = store.maintain(signal)
    for (let count = 0; count < 10; count++) {
      const terms = [...words(), pick(['t', 'te', 'tea', 'gr', 'ка', 'каш', 'k', '緑', 'none'])]
      const expected = searched(blogs.values(), terms)
      t.same(await listed(store, { terms }, { page: 1, pageSize: 1000 }), { slugs: expected, total: expected.length })
      await change()
    }
    await joined
    t.same(partitionsOf(db), [termsIn(db)])
  }
})

t.test('joining partitions continues after it was interrupted', async (t) => {
  const { db, store } = openStore(t)
  const controller = new AbortController()
  const terms = Array.from({ length: 6000 }, (_, at) => `w${at}`)
  await addBlogs(
    store,
    Array.from({ length: 6 }, () => ({ body: { titleTerms: ['title'], textTerms: terms } }))
  )
  divide(db)
  await store.maintain(AbortSignal.abort())
  t.equal(partitionsOf(db).length, 6)
  const interrupted = store.maintain(controller.signal)
  await new Promise((resolve) => setImmediate(resolve))
  controller.abort()
  await interrupted
  t.same(await listed(store, { terms: ['w59'] }).then(({ total }) => total), 6)
  await store.maintain(signal)
  t.same(partitionsOf(db), [6 * 6002])
  t.same(await listed(store, { terms: ['w59'] }).then(({ total }) => total), 6)
})
