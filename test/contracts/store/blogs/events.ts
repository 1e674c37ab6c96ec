import assert from 'node:assert/strict'
import type { Store } from '../../../../ports/store/port.ts'
import type { StoreCase } from '../case.ts'
import { buildBlog, next, tombstoneOf } from '../fixtures/content.ts'
import { buildEvent } from '../fixtures/webhooks.ts'

const listEventIds = async (store: Store) =>
  (await store.events.list('acme', { after: 0, limit: 100 })).map(({ id, sequence }) => ({ id, sequence }))

export const blogEventCases: StoreCase[] = [
  {
    title: 'creating, changing and deleting a blog adds its events',
    run: async ({ store }) => {
      const events = Array.from({ length: 4 }, () => buildEvent()) as [
        ReturnType<typeof buildEvent>,
        ReturnType<typeof buildEvent>,
        ReturnType<typeof buildEvent>,
        ReturnType<typeof buildEvent>
      ]
      const blog = buildBlog()
      await store.blogs.add(blog, [events[0]])
      assert.equal(await store.blogs.save(next(blog, { title: 'New' }), 1, [events[1], events[2]]), true)
      assert.equal(await store.blogs.delete(tombstoneOf(blog), 2, [events[3]]), true)
      assert.deepEqual(
        await listEventIds(store),
        events.map(({ id }, at) => ({ id, sequence: at + 1 }))
      )
      assert.equal((await store.events.pendingFanOut('acme', 10)).length, 4)
    }
  },
  {
    title: 'events of blogs can be fanned out before anybody has listed events',
    run: async ({ store }) => {
      const blog = buildBlog()
      const created = buildEvent()
      const changed = buildEvent()
      await store.blogs.add(blog, [created])
      assert.equal(await store.blogs.save(next(blog, { title: 'New' }), 1, [changed]), true)
      const pending = await store.events.pendingFanOut('acme', 10)
      assert.deepEqual(
        pending.map(({ id, sequence }) => ({ id, sequence })),
        [
          { id: created.id, sequence: 1 },
          { id: changed.id, sequence: 2 }
        ]
      )
    }
  },
  {
    title: 'a rejected change of a blog adds no event',
    run: async ({ store }) => {
      const blog = buildBlog({ slug: 'tea' })
      await store.blogs.add(blog)
      await assert.rejects(store.blogs.add(buildBlog({ slug: 'tea' }), [buildEvent()]), { code: 'slug_taken' })
      const other = buildBlog()
      await store.blogs.add(other)
      await assert.rejects(store.blogs.save(next(other, { slug: 'tea' }), 1, [buildEvent()]), { code: 'slug_taken' })
      assert.equal(await store.blogs.save(next(blog, { title: 'New' }), 7, [buildEvent()]), false)
      assert.equal(await store.blogs.delete(tombstoneOf(blog), 7, [buildEvent()]), false)
      assert.deepEqual(await listEventIds(store), [])
    }
  }
]
