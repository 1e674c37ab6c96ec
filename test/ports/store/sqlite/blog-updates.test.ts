import t from 'tap'
import { buildBlog, next, withoutBody } from '../../../contracts/store/fixtures/content.ts'
import { openWatchedStore } from '../../../fixtures/sqlite/query-plans.ts'

/** Tables of what is derived from a body. */
const CONTENT = ['blog_bodies', 'blog_vectors', 'blog_search']

t.test('a change without a body writes no content', async (t) => {
  const { store, executed } = openWatchedStore(t)
  const blog = buildBlog({ status: 'draft', tags: ['a'] })
  await store.blogs.add(blog)
  const written = async (save: () => Promise<boolean>): Promise<string[]> => {
    executed.clear()
    t.equal(await save(), true)
    return CONTENT.filter((table) => [...executed.keys()].some((sql) => sql.includes(`INTO ${table} `)))
  }
  const published = next(blog, { status: 'published', slugWasPublic: true })
  t.strictSame(await written(() => store.blogs.save(withoutBody(published), 1)), [])
  t.strictSame(await written(() => store.blogs.save(next(published, { title: 'Other' }), 2)), CONTENT)
})
