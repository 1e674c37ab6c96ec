import t, { type Test } from 'tap'
import { createBlogs } from '../../../../ports/store/mongodb/blogs/index.ts'
import { createBlogRevisions } from '../../../../ports/store/mongodb/blogs/revisions.ts'
import type { RevisionDocument } from '../../../../ports/store/mongodb/blogs/revisions.ts'
import type { Database } from '../../../../ports/store/mongodb/database.ts'
import { migrate } from '../../../../ports/store/mongodb/migrate.ts'
import { SCHEMA_VERSION, schemaCollection } from '../../../../ports/store/mongodb/schema-version.ts'
import { createStorage } from '../../../../ports/store/mongodb/storage.ts'
import type { BlogRecord, Store } from '../../../../ports/store/port.ts'
import { buildBlog, buildRevision, next, tombstoneOf } from '../../../contracts/store/fixtures/content.ts'
import { killedAfter, killedEverywhere, survived } from '../../../fixtures/mongodb/faults.ts'
import { indexesFor, recordQueries } from '../../../fixtures/mongodb/query-plans.ts'
import { createTestDatabase } from '../../../fixtures/mongodb/test-database.ts'
import { MONGODB_URL } from '../../../profile.ts'

type Part = Pick<Store, 'blogs' | 'blogRevisions'>
const storeOf = (database: Database): Part => ({
  blogs: createBlogs(database),
  blogRevisions: createBlogRevisions(database)
})
const skip = MONGODB_URL === undefined ? { skip: 'TEST_MONGODB_URL is not set' } : {}

async function setUp(t: Test) {
  const own = await createTestDatabase(t)
  const [one, other] = [await own.open(), await own.open()]
  return { ...own, one, store: storeOf(one), others: storeOf(other) }
}

/** The revision that a change of the blog replaces: its content is the title. The number is the version. */
const replacedBy = (blog: BlogRecord) =>
  buildRevision(blog, blog.version, { replacedVersion: blog.version, content: Buffer.from(blog.title) })

/** The numbers and contents of the revisions that a reader sees. */
async function seen({ blogs, blogRevisions }: Part, id: string): Promise<Record<number, string>> {
  const { version } = (await blogs.findMetadata('acme', id))!
  const heads = await blogRevisions.list('acme', id, { from: version - 2, before: version })
  const found = await Promise.all(heads.map(({ number }) => blogRevisions.find('acme', id, number)))
  return Object.fromEntries(found.map((revision) => [revision!.number, revision!.content.toString()]))
}

t.test('a crash at any point of a change loses no revision and leaves no wrong one', skip, async (t) => {
  const { one, store, others, empty } = await setUp(t)
  const titles = { 1: 'First', 2: 'Second', 3: 'Third', 4: 'Fourth', 5: 'Fifth' }
  const kills = await killedEverywhere(async (calls) => {
    await empty()
    const first = buildBlog({ title: titles[1] })
    const blogs = Object.values(titles).map((title, at) => ({ ...first, title, version: at + 1 }))
    await store.blogs.add(first)
    const change = async ({ blogs: store, blogRevisions }: Part, from: number) => {
      await blogRevisions.put(replacedBy(blogs[from - 1]!), 2)
      return await store.save(blogs[from]!, from)
    }
    for (const from of [1, 2, 3]) await change(store, from)
    const ended = await survived(change(storeOf(killedAfter(one, calls)), 4))
    const version = (await others.blogs.findMetadata('acme', first.id))!.version
    t.equal(version, calls < 2 ? 4 : 5, `killed after ${calls}`)
    t.strictSame(
      await seen(others, first.id),
      version === 4 ? { 2: 'Second', 3: 'Third' } : { 3: 'Third', 4: 'Fourth' }
    )
    if (version === 4) {
      // Another change than the one that was interrupted, after the blog was published.
      await others.blogs.save({ ...blogs[3]!, version: 5, status: 'unpublished' }, 4)
      const current = (await others.blogs.find('acme', first.id))!
      await others.blogRevisions.put({ ...replacedBy(current), number: 4, content: Buffer.from('Fourth') }, 2)
      t.match(await others.blogRevisions.find('acme', first.id, 4), { status: 'unpublished' })
    }
    return ended
  })
  t.equal(kills, 2, 'one command for the revision, and one for the blog')
})

t.test('revisions that a crash left are deleted with the next blog', skip, async (t) => {
  const { one, store, others } = await setUp(t)
  const [first, second] = [buildBlog(), buildBlog({ accountId: 'zeta' })]
  for (const blog of [first, second]) {
    await store.blogs.add(blog)
    await store.blogRevisions.put(replacedBy(blog), 2)
  }
  t.equal(await survived(storeOf(killedAfter(one, 1)).blogs.delete(tombstoneOf(first), 1)), false)
  t.equal(await one.collection('blog_revisions').countDocuments({}), 2)
  await others.blogs.delete(tombstoneOf(second), 1)
  t.equal(await one.collection('blog_revisions').countDocuments({}), 0)
})

t.test('a blog has no more documents than revisions, however often it changes', skip, async (t) => {
  const { one, store } = await setUp(t)
  const blog = buildBlog()
  await store.blogs.add(blog)
  for (let number = 1; number <= 12; number++) await store.blogRevisions.put(buildRevision(blog, number), 4)
  t.equal(await one.collection('blog_revisions').countDocuments({}), 5)
  for (let number = 13; number <= 20; number++) await store.blogRevisions.put(buildRevision(blog, number), 1)
  t.equal(await one.collection('blog_revisions').countDocuments({ content: { $exists: true } }), 2)
  t.equal(
    await one.collection('blog_revisions').countDocuments({}),
    5,
    'the others are empty until they are used again'
  )
})

t.test('a revision of a blog with a million characters fits', skip, async (t) => {
  const { store } = await setUp(t)
  const blog = buildBlog()
  const large = buildRevision(blog, 1, { content: Buffer.alloc(4_000_000, 7) })
  await store.blogs.add(blog)
  await store.blogRevisions.put(large, 2)
  t.same(await store.blogRevisions.find('acme', blog.id, 1), large)
})

t.test('every query for revisions has an index', skip, async (t) => {
  const { one, store } = await setUp(t)
  const blog = buildBlog()
  await store.blogs.add(blog)
  const operations: Record<string, (part: Part) => Promise<unknown>> = {
    put: async ({ blogRevisions }) => await blogRevisions.put(buildRevision(blog, 9), 2),
    list: async ({ blogRevisions }) => await blogRevisions.list('acme', blog.id, { from: 1, before: 9 }),
    find: async ({ blogRevisions }) => await blogRevisions.find('acme', blog.id, 9),
    'a change that fails': async ({ blogs }) => await blogs.save(next(blog, {}), 7),
    'a deletion': async ({ blogs }) => await blogs.delete(tombstoneOf(blog), 1)
  }
  for (const [name, operation] of Object.entries(operations)) {
    const queries = await recordQueries(one, async (database) => await operation(storeOf(database)))
    t.ok(queries.length > 0, name)
    for (const query of queries) t.not(indexesFor(query).length, 0, `${name}: ${JSON.stringify(query)}`)
  }
})

t.test('a cleanup stores the sizes of revisions of earlier versions', skip, async (t) => {
  const { one, store } = await setUp(t)
  const setVersion = async (version: number) => {
    await schemaCollection(one).updateOne({ _id: 'schema' }, { $set: { version } })
  }
  const blog = buildBlog()
  await store.blogs.add(blog)
  for (const number of [1, 2, 3]) await store.blogRevisions.put(buildRevision(blog, number), 1)
  const measure = async () => await createStorage({ ...one }).measure('acme')
  const expected = await measure()
  await setVersion(SCHEMA_VERSION - 1)
  const revisions = one.collection<RevisionDocument>('blog_revisions')
  await revisions.updateMany({}, { $unset: { bytes: '' } })
  t.same(await measure(), expected, 'measured')
  await migrate(one, { cleanup: true })
  t.same(await measure(), expected)
  t.equal(await revisions.countDocuments({ bytes: { $gt: 0 } }), 2, 'those with content')
  const [query] = await recordQueries(one, async (database) => await createStorage(database).measure('acme')).then(
    (queries) => queries.filter(({ collection }) => collection === 'blog_revisions')
  )
  t.ok(indexesFor(query!).includes('sizes'))
})
