import assert from 'node:assert/strict'
import type { StoreCase } from './case.ts'
import {
  ACME,
  buildBlog,
  buildApiKey,
  buildProject,
  buildAccount,
  buildImage,
  listed,
  minute,
  next,
  tombstoneOf
} from './fixtures/content.ts'

export const storeCases: StoreCase[] = [
  {
    title: 'a store responds until it is closed, and throws `unavailable` afterwards',
    run: async ({ store }) => {
      await store.ping()
      await store.close()
      await store.close()
      await assert.rejects(store.ping(), { code: 'unavailable', statusCode: 503 })
      await assert.rejects(store.accounts.find('acme'), { code: 'unavailable' })
      await assert.rejects(store.blogs.add(buildBlog()), { code: 'unavailable' })
    }
  },
  {
    title: 'all data is there after the store is opened again',
    run: async ({ store, reopen }) => {
      const [key, kept, buried] = [
        buildApiKey(),
        buildBlog({ tags: ['a'], formerSlugs: [{ slug: 'old', leftAt: minute(1) }] }),
        buildBlog()
      ]
      await store.accounts.insertIfAbsent(buildAccount('acme'))
      await store.projects.insertIfAbsent(buildProject('acme', 'site'))
      await store.apiKeys.add(key, 25)
      for (const blog of [kept, buried]) await store.blogs.add(blog)
      const saved = next(kept, { title: 'New', body: { textTerms: ['kettle'] } })
      await store.blogs.save(saved, 1)
      await store.blogs.delete(tombstoneOf(buried), 1)
      await store.blogs.setRelated('acme', [{ id: kept.id, related: [{ id: 'x', score: 1 }] }])
      await store.images.insertIfAbsent(buildImage(kept.id, 'a.jpg'))
      await store.idempotency.claim({
        scope: 's',
        bodyHash: 'aa',
        at: minute(0),
        expiresAt: minute(9),
        staleBefore: minute(0)
      })
      await store.usage.add([{ accountId: 'acme', hour: minute(0), requests: 1, refused: 0 }])

      const again = await reopen()
      assert.deepEqual(await again.accounts.find('acme'), buildAccount('acme'))
      assert.deepEqual(await again.projects.list('acme'), [buildProject('acme', 'site')])
      assert.deepEqual(await again.apiKeys.findByHash(key.hash), key)
      assert.deepEqual(await again.blogs.find('acme', kept.id), saved)
      assert.deepEqual(await again.blogs.findTombstone('acme', buried.id), tombstoneOf(buried))
      assert.deepEqual(await again.blogs.related('acme', kept.id), [{ id: 'x', score: 1 }])
      assert.deepEqual(await again.blogs.redirects(ACME), [{ from: 'old', to: kept.slug }])
      assert.deepEqual(await listed(again, { terms: ['kettle'], tag: 'a' }), { slugs: [kept.slug], total: 1 })
      assert.deepEqual(await again.images.list('acme', kept.id), [buildImage(kept.id, 'a.jpg')])
      assert.deepEqual(
        await again.idempotency.claim({
          scope: 's',
          bodyHash: 'aa',
          at: minute(1),
          expiresAt: minute(9),
          staleBefore: minute(0)
        }),
        { state: 'running' }
      )
      assert.deepEqual(await again.usage.hours('acme', minute(0)), [{ hour: minute(0), requests: 1, refused: 0 }])
    }
  }
]
