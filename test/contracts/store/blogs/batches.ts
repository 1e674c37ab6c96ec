import assert from 'node:assert/strict'
import type { StoreCase } from '../case.ts'
import { addBlogs, buildBlog, idOf } from '../fixtures/content.ts'
import { buildEvent } from '../fixtures/webhooks.ts'

export const blogBatchCases: StoreCase[] = [
  {
    title: 'blogs of a batch are added independently of each other',
    run: async ({ store, reopen }) => {
      await addBlogs(store, [{ slug: 'tea' }, { translationKey: 'key', locale: 'de' }])
      const blogs = [
        buildBlog({ slug: 'one' }),
        buildBlog({ slug: 'tea' }),
        buildBlog({ slug: 'two', tags: ['a'] }),
        buildBlog({ slug: 'one' }),
        buildBlog({ slug: 'tea', projectId: 'other' }),
        buildBlog({ translationKey: 'key', locale: 'de' })
      ]
      const outcomes = await store.blogs.addMany(blogs.map((blog) => ({ blog, events: [buildEvent()] })))
      assert.deepEqual(
        outcomes.map((error) => (error === null ? null : (error as unknown as { code: string }).code)),
        [null, 'slug_taken', null, 'slug_taken', null, 'translation_exists']
      )
      const again = await reopen()
      const found = await Promise.all(blogs.map(({ id }) => again.blogs.find('acme', id)))
      assert.deepEqual(found, [blogs[0], null, blogs[2], null, blogs[4], null])
      assert.deepEqual(await again.blogs.addMany([]), [])
    }
  },
  {
    title: 'a batch writes the events of its added blogs, in their order, and makes related blogs pending',
    run: async ({ store }) => {
      await addBlogs(store, [{ slug: 'tea' }])
      const additions = ['one', 'tea', 'two', 'three'].map((slug) => ({
        blog: buildBlog({ slug }),
        events: slug === 'three' ? [] : [buildEvent()]
      }))
      await store.blogs.addMany(additions)
      const events = await store.events.list('acme', { after: 0, limit: 9 })
      assert.deepEqual(
        events.map(({ id, sequence }) => [id, sequence]),
        [
          [additions[0]!.events[0]!.id, 1],
          [additions[2]!.events[0]!.id, 2]
        ]
      )
      assert.deepEqual(
        (await store.blogs.pendingRelated('acme', 9)).map(({ id }) => id).sort(),
        [additions[0]!.blog.id, additions[2]!.blog.id].sort()
      )
    }
  },
  {
    title: 'blogs are found by their slugs within a project, in any status',
    run: async ({ store }) => {
      const [tea, coffee] = await addBlogs(store, [
        { slug: 'tea' },
        { slug: 'coffee', status: 'draft' },
        { slug: 'tea', projectId: 'other' },
        { slug: 'tea', accountId: 'zeta' },
        { slug: 'milk' }
      ])
      const find = async (...slugs: string[]) =>
        (await store.blogs.findBySlugs({ accountId: 'acme', projectId: 'site' }, slugs)).toSorted((a, b) =>
          a.id < b.id ? -1 : 1
        )
      assert.deepEqual(await find('tea', 'coffee', 'water'), [
        { id: tea!.id, slug: 'tea' },
        { id: coffee!.id, slug: 'coffee' }
      ])
      assert.deepEqual(await find(), [])
      assert.deepEqual(await store.blogs.findBySlugs({ accountId: 'acme', projectId: idOf(1) }, ['tea']), [])
    }
  }
]
