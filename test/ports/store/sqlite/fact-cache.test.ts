import t, { type Test } from 'tap'
import { foldLabel } from '../../../../lib/labels.ts'
import type { BlogFilter, BlogRecord, Store } from '../../../../ports/store/port.ts'
import { openDatabase, type Database } from '../../../../ports/store/sqlite/database.ts'
import { createSqliteStore } from '../../../../ports/store/sqlite/index.ts'
import { ACME, buildBlog, next, tombstoneOf } from '../../../contracts/store/fixtures/content.ts'
import { createRandomChoices } from '../../../fixtures/random-choices.ts'
import { SEED } from '../../../seed.ts'

const { chance, choose, shuffle } = createRandomChoices(SEED)

function openStore(t: Test, cached: number): { db: Database; store: Store } {
  const db = openDatabase(`${t.testdir()}/store.db`)
  t.teardown(db.close)
  return { db, store: createSqliteStore(db, { entries: 7, rows: 4, labels: 3, sorted: 3, pages: 0, cached }) }
}

const isCached = (db: Database) => db.one("SELECT 1 FROM fact_accounts WHERE account_id = 'acme'") !== undefined

const TIMES = [
  '2029-12-31T23:59:59.999Z',
  '2030-01-01T00:00:00.000Z',
  '2030-01-01T00:00:00.001Z',
  '2031-07-01T00:00:00.000Z'
]

const randomContent = () => {
  const status = choose(['published', 'published', 'draft', 'scheduled'] as const)
  return {
    status,
    projectId: choose(['site', 'site', 'shop']),
    category: choose([null, 'Tea', 'TEA', 'Coffee']),
    tags: shuffle(['Hot', 'cold', 'new']).slice(0, choose([0, 1, 2])),
    authors: choose([[], ['Ann'], ['Bob', 'Ann']]).map((name) => ({ name, url: null })),
    locale: choose(['en', 'en-GB', 'de']),
    publishedAt: status === 'published' || chance(0.3) ? choose(TIMES) : null,
    updatedAt: choose(TIMES)
  }
}

/** A filter without a stored total. */
const randomFilter = (): BlogFilter => {
  const filters: Partial<BlogFilter>[] = [
    { tag: choose(['hot', 'new', 'none']) },
    { author: choose(['ann', 'Bob']) },
    { category: choose(['tea', 'Coffee', 'none']) },
    { updatedSince: choose(TIMES) },
    { publishedAfter: choose(TIMES) },
    { publishedBefore: choose(TIMES) }
  ]
  return {
    ...ACME,
    ...choose([{}, { projectId: 'shop' }, { projectIds: ['shop', 'none'] }]),
    status: choose(['published', 'published', 'draft', 'any']),
    ...choose([{}, { locale: 'EN' }, { language: 'en' }]),
    ...Object.assign({}, ...shuffle(filters).slice(0, choose([2, 2, 3, 4])))
  }
}

function matches(blog: BlogRecord, filter: BlogFilter): boolean {
  const { projectIds, projectId, status, category, tag, author, locale, language } = filter
  const { updatedSince, publishedAfter, publishedBefore } = filter
  const hasLabel = (labels: (string | null)[], wanted: string | undefined) =>
    wanted === undefined || labels.some((label) => label !== null && foldLabel(label) === foldLabel(wanted))
  return (
    blog.accountId === filter.accountId &&
    (projectIds?.includes(blog.projectId) ?? true) &&
    (projectId === undefined || blog.projectId === projectId) &&
    (status === 'any' || blog.status === status) &&
    hasLabel([blog.category], category) &&
    hasLabel(blog.tags, tag) &&
    hasLabel(
      blog.authors.map(({ name }) => name),
      author
    ) &&
    (locale === undefined || blog.locale.toLowerCase() === locale.toLowerCase()) &&
    (language === undefined || blog.locale.startsWith(language)) &&
    (updatedSince === undefined || blog.updatedAt >= updatedSince) &&
    (publishedAfter === undefined || (blog.publishedAt !== null && blog.publishedAt > publishedAfter)) &&
    (publishedBefore === undefined || (blog.publishedAt !== null && blog.publishedAt < publishedBefore))
  )
}

const newestFirst = (a: BlogRecord, b: BlogRecord): number => {
  const [one, other] = [`${a.publishedAt ?? ''} ${a.id}`, `${b.publishedAt ?? ''} ${b.id}`]
  return one < other ? 1 : -1
}

/** Changes some blogs, and the map of all blogs alike. */
async function change(store: Store, blogs: Map<string, BlogRecord>): Promise<void> {
  const blog = blogs.size === 0 ? undefined : choose([...blogs.values()])
  const act = choose(['add', 'add many', 'save', 'save', 'delete', 'conflict'])
  if (blog === undefined || act === 'add' || act === 'add many') {
    const made = Array.from({ length: act === 'add' ? 1 : 5 }, () =>
      buildBlog({ ...randomContent(), accountId: chance(0.1) ? 'zeta' : 'acme' })
    )
    await store.blogs.addMany(made.map((one) => ({ blog: one, events: [] })))
    for (const one of made) blogs.set(one.id, one)
  } else if (act === 'save') {
    const changed = next(blog, randomContent())
    await store.blogs.save(changed, blog.version)
    blogs.set(blog.id, changed)
  } else if (act === 'delete') {
    await store.blogs.delete(tombstoneOf(blog), blog.version)
    blogs.delete(blog.id)
  } else {
    // Fails, and is rolled back.
    const { accountId, projectId, slug } = blog
    const conflict = store.blogs.add(buildBlog({ ...randomContent(), accountId, projectId, slug }))
    await conflict.then(
      () => Promise.reject(new Error('A slug is unique.')),
      (error: { code: string }) => error.code === 'slug_taken' || Promise.reject(error)
    )
  }
}

async function check(
  t: Test,
  { store, filter, expected }: { store: Store; filter: BlogFilter; expected: string[] }
): Promise<void> {
  const pageSize = choose([1, 3, 100])
  const page = choose([1, 1, 2, Math.max(1, Math.ceil(expected.length / pageSize))])
  const { blogs, totalCount } = await store.blogs.list(filter, { page, pageSize, withBody: false })
  const slugs = blogs.map(({ slug }) => slug)
  const ofPage = expected.slice((page - 1) * pageSize, page * pageSize)
  const isRight = totalCount === expected.length && JSON.stringify(slugs) === JSON.stringify(ofPage)
  if (!isRight) t.same({ slugs, totalCount }, { slugs: ofPage, totalCount: expected.length }, JSON.stringify(filter))
}

for (const cached of [10_000, 40]) {
  t.test(`lists by several filters are exact while blogs change, with ${cached} blogs in memory`, async (t) => {
    const { db, store } = openStore(t, cached)
    const blogs = new Map<string, BlogRecord>()
    let [opened, wasCached] = [0, false]
    for (let round = 0; round < 300; round++) {
      await change(store, blogs)
      if (chance(0.3)) continue
      const filter = randomFilter()
      const expected = [...blogs.values()].filter((blog) => matches(blog, filter)).sort(newestFirst)
      await check(t, { store, filter, expected: expected.map(({ slug }) => slug) })
      if (isCached(db) && !wasCached) opened++
      wasCached = isCached(db)
    }
    t.ok(opened > 0)
    t.ok(cached === 40 ? !wasCached : wasCached, `${blogs.size} blogs`)
  })
}

t.test('lists that are read at the same time as blogs change end, and are exact afterwards', async (t) => {
  const { db, store } = openStore(t, 10_000)
  const blogs = new Map<string, BlogRecord>()
  for (let round = 0; round < 60; round++) await change(store, blogs)
  for (let round = 0; round < 20; round++) {
    const lists = Array.from({ length: 8 }, () =>
      store.blogs.list(randomFilter(), { page: 1, pageSize: 100, withBody: false })
    )
    for (let count = 0; count < 10; count++) await change(store, blogs)
    await Promise.all(lists)
    const filter = randomFilter()
    const expected = [...blogs.values()].filter((blog) => matches(blog, filter)).sort(newestFirst)
    await check(t, { store, filter, expected: expected.map(({ slug }) => slug) })
  }
  t.ok(isCached(db))
})

t.test('times in another form are compared as text', async (t) => {
  const { db, store } = openStore(t, 10_000)
  const change = { tags: ['hot'], updatedAt: '2030-01-01T00:00:00.000001Z' }
  for (let count = 0; count < 5; count++) await store.blogs.add(buildBlog(change))
  const total = async (updatedSince: string) =>
    (
      await store.blogs.list(
        { ...ACME, status: 'published', tag: 'hot', updatedSince },
        { page: 1, pageSize: 9, withBody: false }
      )
    ).totalCount
  for (let count = 0; count < 9; count++) {
    t.equal(await total('2030-01-01T00:00:00.000000Z'), 5)
    t.equal(await total('2030-01-01T00:00:00.000002Z'), 0)
  }
  t.ok(isCached(db))
})

t.test('a blog of another account may have the row number of a deleted one', async (t) => {
  const { db, store } = openStore(t, 10_000)
  const add = async (accountId: string): Promise<BlogRecord> => {
    const blog = buildBlog({ accountId, tags: ['hot'] })
    await store.blogs.add(blog)
    return blog
  }
  const total = async () => {
    const filter = { ...ACME, status: 'published', tag: 'hot', author: 'Ann' } as const
    return (await store.blogs.list(filter, { page: 1, pageSize: 9, withBody: false })).totalCount
  }
  const rows = () => db.all<{ n: number }>('SELECT n FROM blogs ORDER BY n').map(({ n }) => n)
  for (let count = 0; count < 4; count++) await add('acme')
  const last = await add('acme')
  for (let count = 0; count < 5; count++) t.equal(await total(), 5)
  t.ok(isCached(db))
  const before = rows()
  await store.blogs.delete(tombstoneOf(last), 1)
  await add('zeta')
  t.same(rows(), before)
  t.equal(await total(), 4)
})
