import t, { type Test } from 'tap'
import { blogCollection, toBlogRecord } from '../../../../ports/store/mongodb/blogs/documents.ts'
import { createBlogs } from '../../../../ports/store/mongodb/blogs/index.ts'
import { totalsCollection, totalsId } from '../../../../ports/store/mongodb/blogs/totals/documents.ts'
import { foldChanges } from '../../../../ports/store/mongodb/blogs/totals/fold.ts'
import { createBlogTotals } from '../../../../ports/store/mongodb/blogs/totals/read.ts'
import type { Database } from '../../../../ports/store/mongodb/database.ts'
import { assertMigrated, migrate } from '../../../../ports/store/mongodb/migrate.ts'
import { OLDEST_VERSION, schemaCollection } from '../../../../ports/store/mongodb/schema-version.ts'
import type { BlogFilter } from '../../../../ports/store/port.ts'
import { ACME, buildBlog, next, tombstoneOf } from '../../../contracts/store/fixtures/content.ts'
import { interruptedAfter, killedAfter, killedEverywhere, survived } from '../../../fixtures/mongodb/faults.ts'
import { createTestDatabase } from '../../../fixtures/mongodb/test-database.ts'
import { MONGODB_URL } from '../../../profile.ts'

const skip = MONGODB_URL === undefined ? { skip: 'TEST_MONGODB_URL is not set' } : {}

async function setUp(t: Test) {
  const own = await createTestDatabase(t)
  const [one, other] = [await own.open(), await own.open()]
  return { ...own, one, other }
}

const FILTERS: BlogFilter[] = [
  { ...ACME, status: 'published' },
  { ...ACME, status: 'any' },
  { ...ACME, status: 'published', category: 'tea' },
  { ...ACME, status: 'published', tag: 'v1.5 $' },
  { ...ACME, status: 'published', projectId: 'shop', author: 'ann' },
  { ...ACME, status: 'any', projectIds: ['site', 'none'], locale: 'DE-at' },
  { ...ACME, status: 'draft', language: 'de', tag: 'new' }
]

/** What the lists contain, read from all blogs. */
async function expectedTotals(database: Database): Promise<number[]> {
  const stored = await blogCollection(database).find({ deleted: false }).toArray()
  return FILTERS.map(
    ({ status, projectIds, projectId, category, tag, author, locale, language }) =>
      stored.filter(
        ({ metadata, keys }) =>
          (status === 'any' || metadata!.status === status) &&
          (projectIds?.includes(metadata!.projectId) ?? true) &&
          (projectId === undefined || metadata!.projectId === projectId) &&
          (category === undefined || keys!.category === category) &&
          (tag === undefined || keys!.tags.includes(tag)) &&
          (author === undefined || keys!.authors.includes(author)) &&
          (locale === undefined || keys!.locale === locale.toLowerCase()) &&
          (language === undefined || keys!.language === language)
      ).length
  )
}

/** Totals as another process reads them, which adds no changes to the counts. */
async function readTotals(database: Database): Promise<(number | null)[]> {
  const totals = createBlogTotals(database, { fold: 1_000, max: 1_000 })
  const found = await Promise.all(FILTERS.map(async (filter) => await totals.count(filter)))
  // After a crash, a read completes the changes of the counts in the background.
  await totals.close()
  return found
}

const blogAt = (at: number) =>
  buildBlog({
    projectId: at % 3 === 0 ? 'shop' : 'site',
    status: at % 4 === 0 ? 'draft' : 'published',
    category: at % 2 === 0 ? 'Tea' : null,
    tags: at % 5 === 0 ? ['V1.5 $', 'v1.5 $'] : ['new'],
    authors: at % 2 === 0 ? [{ name: 'Ann', url: null }] : [],
    locale: at % 3 === 0 ? 'de-AT' : 'en'
  })

/** Adds blogs, and changes and deletes some of those that were added before. */
async function change(database: Database, from: number): Promise<void> {
  const blogs = createBlogs(database)
  const added = Array.from({ length: 6 }, (_, at) => blogAt(from + at))
  await blogs.addMany(added.map((blog) => ({ blog, events: [] })))
  await blogs.save(next(added[0]!, { status: 'published', tags: ['new', 'V1.5 $'] }), added[0]!.version)
  await blogs.delete(tombstoneOf(added[1]!), added[1]!.version)
  // A list could start work in the background, which would go on in the next round of a test.
  const stored = await blogCollection(database)
    .find({ deleted: false }, { sort: { _id: 1 }, limit: 2 })
    .toArray()
  const [first, second] = stored.map(toBlogRecord)
  await blogs.save(next(first!, { category: first!.category === null ? 'TEA' : null }), first!.version)
  await blogs.delete(tombstoneOf(second!), second!.version)
}

t.test('totals are exact with and without changes that are not in the counts', skip, async (t) => {
  const { one, other } = await setUp(t)
  t.same(
    await readTotals(other),
    FILTERS.map(() => 0),
    'of an account without blogs'
  )
  for (let round = 0; round < 4; round++) {
    await change(one, round * 7)
    t.same(await readTotals(other), await expectedTotals(one), `${round}: some changes are marked`)
    t.ok((await foldChanges(one, 'acme')) > 0)
    t.equal(await foldChanges(one, 'acme'), 0)
    t.equal(await blogCollection(one).countDocuments({ totalsMark: { $gt: '' } }), 0)
    t.same(await readTotals(other), await expectedTotals(one), `${round}: none is marked`)
  }
})

t.test('a crash leaves totals that are exact, or that must be counted until the next call', skip, async (t) => {
  const { one, other, empty } = await setUp(t)
  let [exact, counted] = [0, 0]
  const kills = await killedEverywhere(async (calls) => {
    await empty()
    await change(one, 0)
    await foldChanges(one, 'acme')
    await change(one, 7)
    const completed = await survived(foldChanges(killedAfter(one, calls), 'acme'))
    const expected = await expectedTotals(one)
    const read = await readTotals(other)
    if (read.includes(null)) counted++
    else exact++
    t.same(
      read.map((total, at) => total ?? expected[at]),
      expected,
      `killed after ${calls} calls`
    )
    await change(other, 14)
    await foldChanges(other, 'acme')
    t.same(await readTotals(one), await expectedTotals(other), `killed after ${calls} calls, then completed`)
    return completed
  })
  t.ok(kills >= 5)
  t.ok(exact > 0 && counted > 0, `${exact} exact, ${counted} counted`)
})

t.test('another process may change blogs and counts between any two calls', skip, async (t) => {
  const { one, other, empty } = await setUp(t)
  for (const isFolding of [false, true]) {
    for (let calls = 0; calls < 8; calls++) {
      await empty()
      await change(one, 0)
      await foldChanges(one, 'acme')
      await change(one, 7)
      const interrupted = interruptedAfter(one, calls, async () => {
        await change(other, 14)
        if (isFolding) await foldChanges(other, 'acme')
      })
      await foldChanges(interrupted, 'acme')
      const expected = await expectedTotals(other)
      t.same(await readTotals(other), expected, `after ${calls} calls, with${isFolding ? '' : 'out'} counts`)
      await foldChanges(one, 'acme')
      t.same(await readTotals(other), expected, `after ${calls} calls, and once more`)
    }
  }
})

t.test('many marked blogs are counted by the server, and added to the counts in the background', skip, async (t) => {
  const { one } = await setUp(t)
  const totals = createBlogTotals(one, { fold: 5, max: 10 })
  const blogs = createBlogs(one)
  await blogs.addMany(Array.from({ length: 40 }, (_, at) => ({ blog: blogAt(at), events: [] })))
  t.equal(await totals.count(FILTERS[0]!), null)
  await totals.close()
  t.same(await readTotals(one), await expectedTotals(one))
  const withLabels = await createBlogTotals(one).countByLabel('category', ACME)
  t.same(withLabels, [{ label: 'Tea', count: 10 }])
})

t.test('labels that need too much space are not counted, and others are', skip, async (t) => {
  const { one } = await setUp(t)
  await createBlogs(one).addMany(
    Array.from({ length: 40 }, (_, at) => ({
      blog: buildBlog({ category: 'Tea', tags: [`tag ${at}`], authors: [] }),
      events: []
    }))
  )
  await foldChanges(one, 'acme', { changes: 500, bytes: 1_000 })
  const totals = createBlogTotals(one)
  t.equal(await totals.count({ ...ACME, status: 'published', tag: 'tag 1' }), null)
  t.equal(await totals.countByLabel('tag', ACME), null)
  t.equal(await totals.count({ ...ACME, status: 'published', category: 'tea' }), 40)
  await createBlogs(one).add(blogAt(0))
  await foldChanges(one, 'acme')
  t.equal(await createBlogTotals(one).count({ ...ACME, status: 'published', tag: 'tag 1' }), null, 'still')
})

t.test('totals are stored once a cleanup has recorded that all processes mark their changes', skip, async (t) => {
  const { one, other } = await setUp(t)
  // The state of a database of the previous version, which marks nothing.
  await schemaCollection(one).updateOne({ _id: 'schema' }, { $set: { version: OLDEST_VERSION } })
  const blogs = createBlogs(one)
  await blogs.addMany(Array.from({ length: 9 }, (_, at) => ({ blog: blogAt(at), events: [] })))
  await blogCollection(one).updateMany({}, { $unset: { totalsKey: '', totalsMark: '' } })

  t.match(await migrate(one), { version: OLDEST_VERSION, isComplete: false })
  await assertMigrated(one)
  t.same(
    await readTotals(await reopened(one)),
    FILTERS.map(() => null),
    'the previous version may still write'
  )
  t.match(await migrate(one, { cleanup: true }), { version: 2, isComplete: true })
  await assertMigrated(one)
  t.same(await readTotals(other), await expectedTotals(one))
  await foldChanges(one, 'acme')
  t.match(await migrate(one, { cleanup: true }), { version: 2, isComplete: true })
  t.same(await readTotals(other), await expectedTotals(one), 'a second cleanup changes nothing')

  // The repair that docs/operating.md describes.
  const wrong = { 'counts.all.published': { '=': { '=site': { '=en': { '=': 99 } } } } }
  await totalsCollection(one).updateOne({ _id: totalsId('acme', 'counts') }, { $set: wrong })
  t.equal((await readTotals(other))[0], 99)
  await schemaCollection(one).updateOne({ _id: 'schema' }, { $set: { version: OLDEST_VERSION } })
  await migrate(one, { cleanup: true })
  t.same(await readTotals(other), await expectedTotals(one), 'counted again')
  await foldChanges(one, 'acme')
  t.same(await readTotals(other), await expectedTotals(one), 'counted again, and stored')
})

/** The same database, without what the process remembers about it. */
const reopened = async (database: Database): Promise<Database> => ({ ...database })
