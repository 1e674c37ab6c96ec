import t from 'tap'
import { createBlogs } from '../../../../ports/store/mongodb/blogs/index.ts'
import type { BlogDocument } from '../../../../ports/store/mongodb/blogs/documents.ts'
import { ACME, buildBlog, minute, tombstoneOf } from '../../../contracts/store/fixtures/content.ts'
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
