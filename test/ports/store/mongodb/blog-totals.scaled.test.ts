import t, { type Test } from 'tap'
import { blogCollection } from '../../../../ports/store/mongodb/blogs/documents.ts'
import { countTotal, findIdsInOrder } from '../../../../ports/store/mongodb/blogs/count.ts'
import { ORDERS } from '../../../../ports/store/mongodb/blogs/filters.ts'
import { createBlogs } from '../../../../ports/store/mongodb/blogs/index.ts'
import { COUNTED_BLOGS, type BlogTotalsDocument } from '../../../../ports/store/mongodb/blogs/totals/documents.ts'
import { totalsCollection, totalsId } from '../../../../ports/store/mongodb/totals/documents.ts'
import { foldChanges } from '../../../../ports/store/mongodb/blogs/totals/fold.ts'
import { createBlogTotals } from '../../../../ports/store/mongodb/blogs/totals/read.ts'
import type { Database } from '../../../../ports/store/mongodb/database.ts'
import { assertMigrated, migrate } from '../../../../ports/store/mongodb/migrate.ts'
import {
  OLDEST_VERSION,
  SCHEMA_VERSION,
  schemaCollection,
  TIMES_VERSION,
  TOTALS_VERSION
} from '../../../../ports/store/mongodb/schema-version.ts'
import type { BlogFilter } from '../../../../ports/store/port.ts'
import { compoundId } from '../../../../ports/store/mongodb/documents.ts'
import { ACME, buildBlog, next } from '../../../contracts/store/fixtures/content.ts'
import {
  blogAt,
  change,
  expectedTotals,
  FILTERS,
  readTotals,
  TIMED_FILTERS
} from '../../../fixtures/mongodb/blog-totals.ts'
import { interruptedAfter, killedAfter, killedEverywhere, survived } from '../../../fixtures/mongodb/faults.ts'
import { createTestDatabase } from '../../../fixtures/mongodb/test-database.ts'
import { MONGODB_URL } from '../../../profile.ts'

const skip = MONGODB_URL === undefined ? { skip: 'TEST_MONGODB_URL is not set' } : {}

async function setUp(t: Test) {
  const own = await createTestDatabase(t)
  const [one, other] = [await own.open(), await own.open()]
  return { ...own, one, other }
}

t.test('totals are exact with and without changes that are not in the counts', skip, async (t) => {
  const { one, other } = await setUp(t)
  t.same(
    await readTotals(other),
    (await expectedTotals(one)).map(() => 0),
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
  await foldChanges(one, 'acme', { changes: 500, bytes: 1_500, places: 32 })
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
    (await expectedTotals(one)).map(() => null),
    'the previous version may still write'
  )
  t.match(await migrate(one, { cleanup: true }), { version: SCHEMA_VERSION, isComplete: true })
  await assertMigrated(one)
  t.same(await readTotals(other), await expectedTotals(one))
  await foldChanges(one, 'acme')
  t.match(await migrate(one, { cleanup: true }), { version: SCHEMA_VERSION, isComplete: true })
  t.same(await readTotals(other), await expectedTotals(one), 'a second cleanup changes nothing')

  // The repair that docs/operating.md describes.
  const wrong = { 'counts.all.published': { '=': { '=site': { '=en': { '=': 99 } } } } }
  await totalsCollection<BlogTotalsDocument>(one, COUNTED_BLOGS).updateOne(
    { _id: totalsId('acme', 'counts') },
    { $set: wrong }
  )
  t.equal((await readTotals(other))[0], 99)
  await schemaCollection(one).updateOne({ _id: 'schema' }, { $set: { version: OLDEST_VERSION } })
  await migrate(one, { cleanup: true })
  t.same(await readTotals(other), await expectedTotals(one), 'counted again')
  await foldChanges(one, 'acme')
  t.same(await readTotals(other), await expectedTotals(one), 'counted again, and stored')
})

/** The same database, without what the process remembers about it. */
const reopened = async (database: Database): Promise<Database> => ({ ...database })

/** Counts of a database that has not been migrated to counts by time. */
async function foldWithoutTimes(database: Database): Promise<void> {
  await schemaCollection(database).updateOne({ _id: 'schema' }, { $set: { version: TOTALS_VERSION } })
  const previous = await reopened(database)
  await change(previous, 0)
  await foldChanges(previous, 'acme')
  await change(previous, 7)
}

t.test('counts that began before the migration begin again with times, also after a crash', skip, async (t) => {
  const { one, other, empty } = await setUp(t)
  const setVersion = async (version: number) => {
    await schemaCollection(one).updateOne({ _id: 'schema' }, { $set: { version } })
  }
  async function expectLabelsOnly(): Promise<void> {
    const labels = FILTERS.length
    const before = await readTotals(await reopened(one))
    t.same(before.slice(0, labels), (await expectedTotals(one)).slice(0, labels))
    t.ok(
      before.slice(labels).every((total) => total === null),
      'not counted by time yet'
    )
    const totals = totalsCollection<BlogTotalsDocument>(one, COUNTED_BLOGS)
    const stored = await totals.findOne({ _id: totalsId('acme', 'counts') })
    t.same(Object.keys(stored!.counts!).toSorted(), ['all', 'author', 'category', 'tag'], 'as older processes expect')
  }
  const kills = await killedEverywhere(async (calls) => {
    await empty()
    await foldWithoutTimes(one)
    if (calls === 0) await expectLabelsOnly()
    t.match(await migrate(one, { cleanup: true }), { version: SCHEMA_VERSION, isComplete: true })
    await setVersion(TOTALS_VERSION)
    const late = await reopened(other)
    await foldChanges(late, 'acme')
    await setVersion(TIMES_VERSION)
    const completed = await survived(foldChanges(killedAfter(await reopened(one), calls), 'acme'))
    // A process that does not know the migration yet continues the counts by time, once they have begun.
    await change(late, 14)
    while ((await foldChanges(late, 'acme')) > 0);
    while ((await foldChanges(await reopened(one), 'acme')) > 0);
    t.same(await readTotals(await reopened(other)), await expectedTotals(one), `killed after ${calls} calls`)
    return completed
  })
  t.ok(kills >= 10, `${kills}`)
})

t.test('a list with a time lets counts begin again after the migration', skip, async (t) => {
  const { one, other } = await setUp(t)
  await foldWithoutTimes(one)
  await migrate(one, { cleanup: true })
  const totals = createBlogTotals(await reopened(one))
  t.equal(await totals.byTime(TIMED_FILTERS[0]!, 'updated'), null)
  await totals.close()
  t.same(await readTotals(await reopened(other)), await expectedTotals(one))
})

t.test('another process may add changes while counts begin again', skip, async (t) => {
  const { one, other, empty } = await setUp(t)
  for (let calls = 1; calls < 14; calls += 2) {
    await empty()
    await foldWithoutTimes(one)
    await migrate(one, { cleanup: true })
    const [restarting, beside] = [await reopened(one), await reopened(other)]
    const interrupted = interruptedAfter(restarting, calls, async () => {
      await change(beside, 14)
      while ((await foldChanges(beside, 'acme')) > 0);
    })
    await foldChanges(interrupted, 'acme')
    while ((await foldChanges(beside, 'acme')) > 0);
    t.same(await readTotals(await reopened(other)), await expectedTotals(one), `after ${calls} calls`)
  }
})

t.test('pages begin where the counts by time say, with changes that are not in them', skip, async (t) => {
  const { one } = await setUp(t)
  for (const round of [0, 1, 2]) await change(one, round * 7)
  await foldChanges(one, 'acme')
  await change(one, 21)
  const { title: _title, '-title': _descending, publishAt: _publishAt, ...orders } = ORDERS
  for (const filter of TIMED_FILTERS) {
    for (const [sort, order] of Object.entries(orders)) {
      const all = await findIdsInOrder(one, filter, { order, skip: 0, limit: 100, maxSkip: 100 })
      for (const maxSkip of [0, 1, 3]) {
        const pages = await Promise.all(
          all.map((_, skip) => findIdsInOrder(one, filter, { order, skip, limit: 3, maxSkip }))
        )
        const expected = all.map((_, skip) => all.slice(skip, skip + 3))
        t.same(pages, expected, `${JSON.stringify(filter)}, ${sort}, ${maxSkip}`)
      }
      const after = await findIdsInOrder(one, filter, { order, skip: all.length, limit: 3, maxSkip: 0 })
      t.same(after, [], 'behind the last page')
    }
  }
  const order = ORDERS['-updatedAt']
  const skip = (await countTotal(one, { ...ACME, status: 'published', updatedSince: '2026-05-06T00:00:00.000Z' })) + 5
  const read = async () =>
    await findIdsInOrder(one, { ...ACME, status: 'published' }, { order, skip, limit: 1, maxSkip: 0 })
  const expected = await read()
  await addToDay(one)
  t.notSame(await read(), expected, 'in a store with other counts')
})

t.test('totals with a time of accounts with many blogs are read from the counts by time', skip, async (t) => {
  const { one } = await setUp(t)
  for (const round of [0, 1, 2]) await change(one, round * 7)
  await foldChanges(one, 'acme')
  await change(one, 21)
  const stored = await blogCollection(one).find({ deleted: false }).toArray()
  const published = stored.filter(({ metadata }) => metadata!.status === 'published').map(({ metadata }) => metadata!)
  const [early, late] = ['2026-05-05T10:10:01.000Z', '2026-05-06T00:00:00.000Z']
  const lists: [Partial<BlogFilter>, number][] = [
    [{ updatedSince: early }, published.filter(({ updatedAt }) => updatedAt >= early).length],
    [{ publishedAfter: early }, published.filter(({ publishedAt }) => publishedAt! > early).length],
    [{ publishedBefore: late }, published.filter(({ publishedAt }) => publishedAt! < late).length],
    [
      { publishedAfter: early, publishedBefore: late },
      published.filter(({ publishedAt }) => publishedAt! > early && publishedAt! < late).length
    ],
    [{ publishedAfter: late, publishedBefore: early }, 0],
    [
      { publishedAfter: early, updatedSince: early },
      published.filter(({ publishedAt, updatedAt }) => publishedAt! > early && updatedAt >= early).length
    ],
    [
      { updatedSince: early, locale: 'de' },
      published.filter(({ locale, updatedAt }) => locale === 'de' && updatedAt >= early).length
    ],
    [
      { publishedAfter: early, projectId: 'shop' },
      published.filter(({ projectId, publishedAt }) => projectId === 'shop' && publishedAt! > early).length
    ],
    [
      { updatedSince: early, category: 'Tea' },
      published.filter(({ category, updatedAt }) => category?.toLowerCase() === 'tea' && updatedAt >= early).length
    ]
  ]
  for (const few of [1, 1_000]) {
    for (const [times, expected] of lists) {
      const filter = { ...ACME, status: 'published' as const, ...times }
      t.equal(await countTotal(await reopened(one), filter, few), expected, `${JSON.stringify(times)}, ${few}`)
    }
  }
  const [[times, expected]] = lists as [[Partial<BlogFilter>, number]]
  t.ok(expected > 1)
  await addToDay(one)
  const filter = { ...ACME, status: 'published' as const, ...times }
  t.equal(await countTotal(await reopened(one), filter, 1), expected + 5, 'of a store with other counts')
})

/** Adds blogs that do not exist to the counts of a minute. */
async function addToDay(database: Database): Promise<void> {
  for (const field of ['updated', 'published']) {
    const _id = compoundId('acme', field, '2026-05-05')
    const $inc = { 'cells.=2026-05-05T23%3A59=published=site=en': 5 }
    await database.collection<{ _id: string }>('blog_times').updateOne({ _id }, { $inc })
  }
}

t.test('counts by time are not used once another process has added changes to them', skip, async (t) => {
  const { one, other } = await setUp(t)
  await change(one, 0)
  await foldChanges(one, 'acme')
  await createBlogs(one).add(buildBlog({ updatedAt: '2026-05-05T10:10:01.000Z' }))
  const times = await createBlogTotals(one).byTime({ ...ACME, status: 'any' }, 'updated')
  const bound = { time: '2026-05-05T10:10:00.000Z', isIncluded: true }
  const before = await times!.since(bound, async () => 0)
  t.type(before, 'number')
  await foldChanges(other, 'acme')
  t.equal(await times!.since(bound, async () => 0), null)
})

t.test('translations of a changed blog are counted at their new time of update', skip, async (t) => {
  const { one } = await setUp(t)
  const blogs = createBlogs(one)
  const translations = ['en', 'de', 'fr'].map((locale) => buildBlog({ locale, translationKey: 'tea' }))
  await blogs.addMany(translations.map((blog) => ({ blog, events: [] })))
  await foldChanges(one, 'acme')
  const at = '2031-01-01T00:00:00.000Z'
  const touched = { translationKeys: ['tea'], exceptId: translations[0]!.id, at }
  await blogs.touchTranslations({ accountId: 'acme', projectId: 'site' }, touched)
  for (const isFolded of [false, true]) {
    if (isFolded) await foldChanges(one, 'acme')
    const times = await createBlogTotals(one).byTime({ ...ACME, status: 'published' }, 'updated')
    t.equal(await times!.since({ time: '2031', isIncluded: true }, async () => 0), 2)
  }
})

t.test('accounts with blogs in too many places are not counted by time', skip, async (t) => {
  const { one } = await setUp(t)
  await change(one, 0)
  await foldChanges(one, 'acme', { changes: 500, bytes: 2 ** 20, places: 1 })
  await change(one, 7)
  await foldChanges(one, 'acme')
  const totals = createBlogTotals(one)
  t.equal(await totals.byTime(FILTERS[0]!, 'updated'), null)
  t.equal(await totals.count(FILTERS[0]!), (await expectedTotals(one))[0])
})

t.test('counts by time have nothing left of blogs that have changed', skip, async (t) => {
  const { one } = await setUp(t)
  const blogs = createBlogs(one)
  const blog = buildBlog({ updatedAt: '2026-05-05T10:10:01.000Z' })
  await blogs.add(blog)
  await foldChanges(one, 'acme')
  await blogs.save(next(blog, { updatedAt: '2026-05-05T10:11:01.000Z' }), blog.version)
  await foldChanges(one, 'acme')
  const times = one.collection<{ _id: string; cells: object }>('blog_times')
  const day = await times.findOne({ _id: compoundId('acme', 'updated', '2026-05-05') })
  t.same(Object.values(day!.cells), [1])
  t.match(Object.keys(day!.cells), [/10%3A11/])
})
