import assert from 'node:assert/strict'
import type { BlogRecord, PreparedBlog, Store } from '../../../../ports/store/port.ts'
import type { StoreCase } from '../case.ts'
import { ACME, addBlogs, buildBlog, minute, next, tombstoneOf } from '../fixtures/content.ts'

/** What is prepared of a blog in its current state, with content unless `change` says otherwise. */
function prepare(blog: BlogRecord, change: Partial<PreparedBlog> = {}): PreparedBlog {
  const { accountId, id, version, updatedAt } = blog
  const bytes = (text: string) => Buffer.from(`${text} é\u0000 ${id}`)
  return {
    accountId,
    id,
    version,
    updatedAt,
    basis: 'basis',
    item: bytes('item'),
    content: { etag: `"v${version}-x"`, body: bytes('body'), br: null, gzip: bytes('gzip') },
    ...change
  }
}

const PAGE = { page: 1, pageSize: 10, withBody: false }

/** The prepared content that is found for the blog's slug, and the item that is found in a list. */
async function found(store: Store, { slug, id }: BlogRecord) {
  const { blogs } = await store.blogResponses.list(ACME, PAGE)
  return {
    content: (await store.blogResponses.find(ACME, { slug }))?.prepared?.content.body.toString(),
    item: blogs.find((blog) => blog.id === id)?.prepared?.json.toString()
  }
}
const NOTHING = { content: undefined, item: undefined }

export const blogResponseCases: StoreCase[] = [
  {
    title: 'a prepared response is found by slug and by id, with its bytes',
    run: async ({ store }) => {
      const blog = buildBlog({ locale: 'pt-BR', translationKey: 'tea' })
      await store.blogs.add(blog)
      const { id, projectId, version, updatedAt, slug } = blog
      const expected = { id, projectId, version, updatedAt, translationKey: 'tea', language: 'pt', otherProjects: [] }
      assert.deepEqual(await store.blogResponses.find(ACME, { slug }), { ...expected, prepared: null })
      const { accountId, id: _id, version: _version, updatedAt: _updatedAt, ...prepared } = prepare(blog)
      await store.blogResponses.save([prepare(blog)])
      for (const address of [{ slug }, { id }]) {
        const answer = await store.blogResponses.find({ accountId, projectIds: ['site'] }, address)
        assert.deepEqual({ ...answer, prepared: { ...answer?.prepared } }, { ...expected, prepared })
      }
    }
  },
  {
    title: 'only published blogs of the scope have responses',
    run: async ({ store }) => {
      const [draft, blog] = await addBlogs(store, [{ status: 'draft' }, {}])
      await store.blogResponses.save([prepare(draft!), prepare(blog!, { accountId: 'zeta' })])
      assert.equal(await store.blogResponses.find(ACME, { slug: draft!.slug }), null)
      assert.equal(await store.blogResponses.find(ACME, { id: draft!.id }), null)
      assert.deepEqual(await found(store, blog!), NOTHING)
      await store.blogResponses.save([prepare(blog!)])
      const { id, slug } = blog!
      for (const scope of [
        { ...ACME, accountId: 'zeta' },
        { ...ACME, projectIds: ['shop'] },
        { ...ACME, projectId: 'shop' }
      ]) {
        assert.equal(await store.blogResponses.find(scope, { id }), null)
        assert.equal(await store.blogResponses.find(scope, { slug }), null)
        assert.deepEqual((await store.blogResponses.list(scope, PAGE)).blogs, [])
      }
    }
  },
  {
    title: 'of several projects, the blog that was published last is found, and the others are named',
    run: async ({ store }) => {
      const shared = { slug: 'tea' }
      await addBlogs(store, [
        { ...shared, projectId: 'b', publishedAt: minute(2) },
        { ...shared, projectId: 'c', publishedAt: minute(3) },
        { ...shared, projectId: 'a', publishedAt: minute(1) },
        { ...shared, projectId: 'd', publishedAt: minute(4), status: 'unpublished' }
      ])
      const answer = await store.blogResponses.find(ACME, shared)
      assert.deepEqual([answer?.projectId, answer?.otherProjects], ['c', ['a', 'b']])
    }
  },
  {
    title: 'a response is outdated after each change of the blog, and when another blog is translated',
    run: async ({ store }) => {
      const [blog, other] = await addBlogs(store, [{ translationKey: 'tea' }, { translationKey: 'tea', locale: 'de' }])
      await store.blogResponses.save([prepare(blog!), prepare(other!)])
      assert.ok((await found(store, other!)).content?.startsWith('body'))
      assert.ok((await found(store, other!)).item?.startsWith('item'))
      const changed = next(blog!, { title: 'New' })
      await store.blogs.save(changed, 1)
      assert.deepEqual(await found(store, blog!), NOTHING)
      await store.blogResponses.save([prepare(blog!)])
      assert.deepEqual(await found(store, blog!), NOTHING, 'a response of an earlier version is not stored')
      await store.blogs.touchTranslations(
        { accountId: 'acme', projectId: 'site' },
        { translationKeys: ['tea'], exceptId: blog!.id, at: minute(9) }
      )
      assert.deepEqual(await found(store, other!), NOTHING)
      await store.blogResponses.save([prepare(other!)])
      assert.deepEqual(await found(store, other!), NOTHING, 'a response of an earlier time is not stored')
      await store.blogResponses.save([prepare({ ...other!, updatedAt: minute(9) })])
      assert.ok((await found(store, other!)).content?.startsWith('body'))
    }
  },
  {
    title: 'an item replaces an outdated response, and leaves a current one as it is',
    run: async ({ store }) => {
      const blog = buildBlog()
      await store.blogs.add(blog)
      const item = Buffer.from('only the item')
      await store.blogResponses.save([prepare(blog, { item, content: null })])
      assert.deepEqual(await found(store, blog), { content: undefined, item: 'only the item' })
      await store.blogResponses.save([prepare(blog)])
      await store.blogResponses.save([prepare(blog, { item, content: null })])
      const whole = await found(store, blog)
      assert.ok(whole.content?.startsWith('body') && whole.item?.startsWith('item'))
      await store.blogResponses.save([prepare(blog, { item, content: null, basis: 'other' })])
      assert.deepEqual(await found(store, blog), { content: undefined, item: 'only the item' })
      const { blogs } = await store.blogResponses.list(ACME, { ...PAGE, withBody: true })
      assert.equal(blogs[0]?.prepared, null)
    }
  },
  {
    title: 'responses of deleted blogs are deleted, and do not count as storage of the account',
    run: async ({ store }) => {
      const blog = buildBlog()
      await store.blogs.add(blog)
      const before = await store.storage.measure('acme')
      const content = { etag: '"x"', body: Buffer.alloc(20_000, 'x'), br: null, gzip: null }
      await store.blogResponses.save([prepare(blog, { content })])
      const { bytes } = await store.storage.measure('acme')
      assert.ok(bytes - before.bytes < 1_000, `${bytes - before.bytes} bytes`)
      await store.blogs.delete(tombstoneOf(blog), 1)
      assert.deepEqual(await found(store, blog), NOTHING)
      assert.equal((await store.storage.measure('acme')).bytes, 0)
    }
  },
  {
    title: 'prepared lists have the blogs, the order and the total of the list',
    run: async ({ store }) => {
      const blogs = await addBlogs(store, [
        { title: 'b', publishedAt: minute(3), updatedAt: minute(7) },
        { title: 'A', publishedAt: minute(2), updatedAt: minute(8), category: 'Tea' },
        { title: 'c', publishedAt: minute(1), updatedAt: minute(9) },
        { title: 'd', publishedAt: minute(0), updatedAt: minute(6), status: 'draft' }
      ])
      await store.blogResponses.save(blogs.slice(1).map((blog) => prepare(blog)))
      const [b, a, c] = blogs.map(({ id }) => id)
      const list = async (filter: object, page: object = {}) => {
        const answer = await store.blogResponses.list({ ...ACME, ...filter }, { ...PAGE, ...page })
        return { ids: answer.blogs.map(({ id }) => id), totalCount: answer.totalCount, blogs: answer.blogs }
      }
      const all = await list({})
      assert.deepEqual([all.ids, all.totalCount], [[b, a, c], 3])
      assert.deepEqual(
        all.blogs.map(({ prepared, sortValue }) => [prepared?.basis, prepared?.json.toString().slice(0, 4), sortValue]),
        [
          [undefined, undefined, minute(3)],
          ['basis', 'item', minute(2)],
          ['basis', 'item', minute(1)]
        ]
      )
      const bodies = await list({ sort: 'title' }, { withBody: true })
      assert.deepEqual(bodies.ids, [a, b, c])
      assert.deepEqual(
        bodies.blogs.map(({ prepared, sortValue }) => [prepared?.json.toString().slice(0, 4), sortValue]),
        [
          ['body', 'a'],
          [undefined, 'b'],
          ['body', 'c']
        ]
      )
      const second = await list({ sort: '-updatedAt' }, { page: 2, pageSize: 2, totalCount: 77 })
      assert.deepEqual([second.ids, second.totalCount], [[b], 77], 'a given total is not counted again')
      assert.deepEqual((await list({ category: 'tea' })).ids, [a])
      const after = await store.blogResponses.list(ACME, {
        after: { value: minute(3), id: b! },
        limit: 1,
        withBody: false
      })
      assert.deepEqual([after.blogs.map(({ id }) => id), after.totalCount], [[a], null])
    }
  }
]
