import t from 'tap'
import { createBlogs } from '../../../../ports/store/mongodb/blogs/index.ts'
import type { BlogDocument } from '../../../../ports/store/mongodb/blogs/documents.ts'
import { INDEXES } from '../../../../ports/store/mongodb/indexes.ts'
import { ACME, buildBlog, minute, tombstoneOf } from '../../../contracts/store/fixtures/content.ts'
import { recordQueries } from '../../../fixtures/mongodb/query-plans.ts'
import { createTestDatabase } from '../../../fixtures/mongodb/test-database.ts'
import { MONGODB_URL } from '../../../profile.ts'

const skip = MONGODB_URL === undefined ? { skip: 'TEST_MONGODB_URL is not set' } : {}

t.test('a deletion takes the slugs of a deleted blog from those that gave them up earlier', skip, async (t) => {
  const database = await (await createTestDatabase(t)).open()
  const blogs = createBlogs(database)
  const remove = async (at: number, change: Parameters<typeof buildBlog>[0]) => {
    const blog = buildBlog(change)
    await blogs.add(blog)
    await blogs.delete(tombstoneOf(blog, { deletedAt: minute(at), wasPublic: true }), 1)
  }
  const former = (slug: string, at: number) => ({ slug, leftAt: minute(at) })
  await remove(1, { id: 'first', slug: 'old', formerSlugs: [former('older', 0)] })
  await remove(9, { id: 'later', slug: 'old' })
  await remove(2, { id: 'other-project', projectId: 'shop', slug: 'old' })
  await remove(2, { id: 'other-account', accountId: 'zeta', slug: 'old' })
  await blogs.add(buildBlog({ id: 'renamed', slug: 'new', formerSlugs: [former('old', 2)] }))
  await remove(5, { id: 'last', slug: 'old', formerSlugs: [former('older', 3), former('oldest', 3)] })
  const found = await database.collection<BlogDocument>('blogs').find({}).toArray()
  t.strictSame(
    Object.fromEntries(found.map(({ _id, releasedSlugs }) => [_id, releasedSlugs.map(({ slug }) => slug)])),
    {
      first: [],
      later: ['old'],
      'other-project': ['old'],
      'other-account': ['old'],
      renamed: ['old'],
      last: ['old', 'older', 'oldest']
    }
  )
  const site = { ...ACME, projectId: 'site' }
  for (const [slug, id] of [
    ['old', 'later'],
    ['older', 'last']
  ] as const) {
    t.equal((await blogs.resolveSlug(site, slug))?.blog.id, id, slug)
  }
})

t.test('a deletion reads earlier blogs of its project alone, whatever slugs other projects had', skip, async (t) => {
  const database = await (await createTestDatabase(t)).open()
  const blog = buildBlog({ slug: 'old' })
  await createBlogs(database).add(blog)
  const queries = await recordQueries(database, async (recorded) => {
    await createBlogs(recorded).delete(tombstoneOf(blog, { deletedAt: minute(1), wasPublic: true }), 1)
  })
  const [query] = queries.filter(({ filter }) => 'releasedSlugs.slug' in filter)
  const { key } = INDEXES.find(({ collection, name }) => collection === 'blogs' && name === query?.hint)!
  t.strictSame(
    Object.keys(query!.filter).filter((field) => field !== '_id' && !(field in (key as object))),
    [],
    'the index has all fields of the filter'
  )
})

t.test('redirects of any number of slugs are looked up in commands of limited size', skip, async (t) => {
  const database = await (await createTestDatabase(t)).open()
  const blogs = createBlogs(database)
  const former = (from: number, count: number) =>
    Array.from({ length: count }, (_, at) => ({
      slug: `slug-${String(from + at).padStart(4, '0')}`,
      leftAt: minute(1)
    }))
  const made = Array.from({ length: 12 }, (_, at) =>
    buildBlog({ slug: `new-${at}`, formerSlugs: former(100 * at, 100) })
  )
  // Slugs that other blogs use again do not redirect, at the end of the first command and in the second one.
  for (const slug of ['slug-0999', 'slug-1100']) made.push(buildBlog({ slug }))
  await blogs.addMany(made.map((blog) => ({ blog, events: [] })))
  let redirects: { from: string }[] = []
  const queries = await recordQueries(database, async (recorded) => {
    redirects = await createBlogs(recorded).redirects(ACME)
  })
  t.strictSame(
    redirects.map(({ from }) => from),
    former(0, 1200)
      .map(({ slug }) => slug)
      .filter((slug) => slug !== 'slug-0999' && slug !== 'slug-1100')
  )
  const looked = queries.flatMap(({ filter }) => (filter.slugKey as { $in?: string[] } | undefined)?.$in?.length ?? [])
  t.strictSame(looked, [1000, 200])
})
