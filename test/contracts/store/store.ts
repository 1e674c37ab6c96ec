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
      for (let n = 0; n < 3; n++) await store.probe()
      await store.close()
      await store.close()
      await assert.rejects(store.ping(), { code: 'unavailable', statusCode: 503 })
      await assert.rejects(store.probe(), { code: 'unavailable' })
      await assert.rejects(store.accounts.find('acme'), { code: 'unavailable' })
      await assert.rejects(store.blogs.add(buildBlog()), { code: 'unavailable' })
    }
  },
  {
    title: 'all data is there after the store is opened again',
    run: async ({ store, reopen }) => {
      const [key, original, deletedBlog] = [
        buildApiKey(),
        buildBlog({ tags: ['a'], formerSlugs: [{ slug: 'old', leftAt: minute(1) }] }),
        buildBlog()
      ]
      await store.accounts.insertIfAbsent(buildAccount('acme'))
      await store.projects.insertIfAbsent(buildProject('acme', 'site'))
      await store.apiKeys.add(key, 25)
      for (const blog of [original, deletedBlog]) await store.blogs.add(blog)
      const saved = next(original, { title: 'New', body: { textTerms: ['kettle'] } })
      await store.blogs.save(saved, 1)
      await store.blogs.delete(tombstoneOf(deletedBlog), 1)
      await store.blogs.setRelated('acme', [{ id: original.id, related: [{ id: 'x', score: 1 }] }])
      await store.images.insertIfAbsent(buildImage(original.id, 'a.jpg'))
      await store.idempotency.claim({
        scope: 's',
        bodyHash: 'aa',
        operationId: 'operation-1',
        at: minute(0),
        expiresAt: minute(9),
        staleBefore: minute(0)
      })
      await store.usage.add([{ accountId: 'acme', hour: minute(0), requests: 1, refused: 0 }])

      const again = await reopen()
      assert.deepEqual(await again.accounts.find('acme'), buildAccount('acme'))
      assert.deepEqual(await again.projects.list('acme'), [buildProject('acme', 'site')])
      assert.deepEqual((await again.apiKeys.findByHash(key.hash))?.key, key)
      assert.deepEqual(await again.blogs.find('acme', original.id), saved)
      assert.deepEqual(await again.blogs.findTombstone('acme', deletedBlog.id), tombstoneOf(deletedBlog))
      assert.deepEqual(await again.blogs.related('acme', original.id), [{ id: 'x', score: 1 }])
      assert.deepEqual(await again.blogs.redirects(ACME), [{ projectId: 'site', from: 'old', to: original.slug }])
      assert.deepEqual(await listed(again, { terms: ['kettle'], tag: 'a' }), { slugs: [original.slug], total: 1 })
      assert.deepEqual(await again.images.list('acme', original.id), [buildImage(original.id, 'a.jpg')])
      assert.deepEqual(
        await again.idempotency.claim({
          scope: 's',
          bodyHash: 'aa',
          operationId: 'operation-1',
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
