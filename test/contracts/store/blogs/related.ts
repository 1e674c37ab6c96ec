import assert from 'node:assert/strict'
import type { BlogVector } from '../../../../ports/store/port.ts'
import type { StoreCase } from '../case.ts'
import { ACME, buildBlog, addBlogs, withoutBody, idOf, next, tombstoneOf } from '../fixtures/content.ts'
import { sweepList } from '../fixtures/sweeps.ts'
import { buildEvent } from '../fixtures/webhooks.ts'

type Blog = ReturnType<typeof buildBlog>

export const blogRelatedCases: StoreCase[] = [
  {
    title: 'the vectors of published blogs are listed by id, page by page',
    run: async ({ store }) => {
      const made = (await addBlogs(store, [
        { id: idOf(0x303), tags: ['a'], category: 'Tea' },
        { id: idOf(0x301), publishedAt: null, locale: 'de', projectId: 'p' },
        { id: idOf(0x302), status: 'draft' },
        { id: idOf(0x304), accountId: 'zeta' },
        { id: idOf(0x305), body: { vector: [] } }
      ])) as [Blog, Blog, Blog, Blog, Blog]
      const vectors: BlogVector[] = [made[1], made[0], made[4]].map(
        ({ id, projectId, locale, category, tags, publishedAt, body }) => ({
          id,
          projectId,
          locale,
          category,
          tags,
          publishedAt,
          vector: body.vector
        })
      )
      assert.deepEqual(await store.blogs.vectors('acme', { afterId: null, limit: 10 }), vectors)
      assert.deepEqual(await store.blogs.vectors('acme', { afterId: null, limit: 2 }), vectors.slice(0, 2))
      assert.deepEqual(await store.blogs.vectors('acme', { afterId: idOf(0x303), limit: 10 }), vectors.slice(2))
      assert.deepEqual(await store.blogs.vectors('acme', { afterId: idOf(0x305), limit: 10 }), [])
    }
  },
  {
    title: 'the vectors of given blogs are those of the published ones',
    run: async ({ store }) => {
      const [a, draft, theirs] = (await addBlogs(store, [
        { tags: ['a'], category: 'Tea' },
        { status: 'draft' },
        { accountId: 'zeta' }
      ])) as [Blog, Blog, Blog]
      const { id, projectId, locale, category, tags, publishedAt, body } = a
      assert.deepEqual(await store.blogs.vectorsOf('acme', [a.id, draft.id, theirs.id, idOf(0x999)]), [
        { id, projectId, locale, category, tags, publishedAt, vector: body.vector }
      ])
      assert.deepEqual(await store.blogs.vectorsOf('acme', []), [])
    }
  },
  {
    title: 'setRelated counts the lists that differ',
    run: async ({ store }) => {
      const [a, b] = (await addBlogs(store, [{}, {}])) as [Blog, Blog]
      const list = (id: string, ...ids: string[]) => ({ id, related: ids.map((other) => ({ id: other, score: 0.5 })) })
      assert.equal(await store.blogs.setRelated('acme', [list(a.id, b.id), list(b.id, a.id)]), 2)
      assert.equal(await store.blogs.setRelated('acme', [list(a.id, b.id), list(b.id), list('unknown', a.id)]), 1)
      assert.equal(await store.blogs.setRelated('acme', []), 0)
    }
  },
  {
    title: 'related entries are listed most similar first, and replacing them does not change the version',
    run: async ({ store }) => {
      const [a, b] = (await addBlogs(store, [{}, {}])) as [Blog, Blog]
      const [near, far] = [
        { id: b.id, score: 0.75 },
        { id: idOf(0x999), score: 0.1 }
      ]
      await store.blogs.setRelated('acme', [
        { id: a.id, related: [far, near] },
        { id: b.id, related: [far] }
      ])
      assert.deepEqual(await store.blogs.related('acme', a.id), [near, far])
      assert.deepEqual(await store.blogs.related('zeta', a.id), [])
      assert.deepEqual(await store.blogs.find('acme', a.id), a)
      await store.blogs.setRelated('acme', [
        { id: a.id, related: [far] },
        { id: b.id, related: [] }
      ])
      assert.deepEqual(await store.blogs.related('acme', a.id), [far])
      assert.deepEqual(await store.blogs.related('acme', b.id), [])
    }
  },
  {
    title: 'a write with events makes related entries pending until they are recomputed from its result',
    run: async ({ store, reopen }) => {
      const event = (n: number) => [buildEvent({ id: idOf(0x700 + n) })]
      const [a, b, other] = [buildBlog(), buildBlog(), buildBlog({ accountId: 'zeta' })]
      await store.blogs.add(a, event(1))
      await store.blogs.add(b)
      await store.blogs.add(other, [buildEvent({ id: idOf(0x710), accountId: 'zeta' })])
      assert.deepEqual((await sweepList(store.blogs.pendingRelatedAccounts)).toSorted(), ['acme', 'zeta'])
      const first = await store.blogs.pendingRelated('acme', 9)
      assert.deepEqual(first, [{ id: a.id, version: 1 }])
      await store.blogs.save(next(a, { title: 'Again' }), 1, event(2))
      await store.blogs.clearPendingRelated('acme', first)
      assert.deepEqual(
        await store.blogs.pendingRelated('acme', 9),
        [{ id: a.id, version: 2 }],
        'it was written again meanwhile'
      )
      await store.blogs.save(next(b, { title: 'Draft still' }), 1)
      await store.blogs.delete(tombstoneOf(b), 2, event(3))
      const again = await reopen()
      const marks = (await again.blogs.pendingRelated('acme', 9)).sort((one, two) => one.version - two.version)
      assert.deepEqual(
        marks,
        [
          { id: a.id, version: 2 },
          { id: b.id, version: 3 }
        ],
        'a deletion counts'
      )
      assert.equal((await again.blogs.pendingRelated('acme', 1)).length, 1)
      await again.blogs.clearPendingRelated('acme', marks)
      assert.deepEqual(await sweepList(again.blogs.pendingRelatedAccounts), ['zeta'])
      assert.deepEqual(await again.blogs.pendingRelated('acme', 9), [])
    }
  },
  {
    title: 'saving a blog does not change its related entries',
    run: async ({ store }) => {
      const [blog] = (await addBlogs(store, [{}])) as [Blog]
      const related = [{ id: idOf(0x999), score: 1 }]
      await store.blogs.setRelated('acme', [{ id: blog.id, related }])
      assert.equal(await store.blogs.save(next(blog, { title: 'New', slug: 'new' }), 1), true)
      assert.deepEqual(await store.blogs.related('acme', blog.id), related)
    }
  },
  {
    title: 'related entries of deleted blogs and of blogs of other accounts are skipped',
    run: async ({ store }) => {
      const [dead, alive, theirs] = (await addBlogs(store, [{}, {}, { accountId: 'zeta' }])) as [Blog, Blog, Blog]
      await store.blogs.delete(tombstoneOf(dead), 1)
      const related = [{ id: idOf(0x999), score: 0.5 }]
      await store.blogs.setRelated(
        'acme',
        [dead, theirs, alive].map(({ id }) => ({ id, related }))
      )
      assert.deepEqual(await store.blogs.related('acme', dead.id), [])
      assert.deepEqual(await store.blogs.related('zeta', theirs.id), [])
      assert.deepEqual(await store.blogs.related('acme', alive.id), related)
    }
  },
  {
    title: 'findPublished returns each published blog of the scope once',
    run: async ({ store }) => {
      const made = (await addBlogs(store, [
        { projectId: 'p' },
        { projectId: 'q' },
        { status: 'draft' },
        { accountId: 'zeta' },
        {}
      ])) as [Blog, Blog, Blog, Blog, Blog]
      const [p, q] = made
      const ids = [...made.slice(0, 4).map(({ id }) => id), p.id, idOf(0x999)]
      const findPublished = async (projectIds: string[] | null) =>
        (await store.blogs.findPublished({ ...ACME, projectIds }, ids)).toSorted((a, b) => (a.id < b.id ? -1 : 1))
      assert.deepEqual(await findPublished(null), [withoutBody(p), withoutBody(q)])
      assert.deepEqual(await findPublished(['q']), [withoutBody(q)])
      assert.deepEqual(await findPublished([]), [])
      assert.deepEqual(await store.blogs.findPublished(ACME, []), [])
    }
  }
]
