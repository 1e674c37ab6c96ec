import t from 'tap'
import { openStore } from '../../../../ports/store/open.ts'
import { ACME, buildBlog, tombstoneOf } from '../../../contracts/store/fixtures/content.ts'
import { temporaryFolder } from '../../../helper.ts'

t.test('blogs can be deleted in any order and at any age', async (t) => {
  const store = await openStore({ dataDir: temporaryFolder(t) })
  t.teardown(() => store.close())
  const blogs = Array.from({ length: 120 }, (_, n) => buildBlog({ slug: `slug-${n}` }))
  for (const blog of blogs) await store.blogs.add(blog)
  for (const [n, blog] of blogs.entries()) {
    if (n % 2 === 0) t.equal(await store.blogs.delete(tombstoneOf(blog), blog.version), true)
  }
  t.equal(
    (await store.blogs.list({ ...ACME, status: 'any' }, { page: 1, pageSize: 1, withBody: false })).totalCount,
    60
  )
})
