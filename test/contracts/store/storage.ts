import assert from 'node:assert/strict'
import type { StoreCase } from './case.ts'
import { buildBlog, buildImage, buildRevision, minute, next, tombstoneOf } from './fixtures/content.ts'
import { buildImport, buildImportStep, buildProduct, changing, fresh } from './fixtures/products.ts'

const NOTHING = { bytes: 0, blogs: 0, products: 0, images: 0 }
const TEXT = 'é'.repeat(5_000)

export const storageCases: StoreCase[] = [
  {
    title: 'the storage of an account grows and shrinks with its blogs, to zero',
    run: async ({ store }) => {
      const measure = async () => await store.storage.measure('acme')
      assert.deepEqual(await measure(), NOTHING)
      const blog = buildBlog()
      await store.blogs.add(blog)
      await store.blogs.add(buildBlog({ accountId: 'zeta' }))
      const small = await measure()
      assert.deepEqual({ ...small, bytes: 0 }, { ...NOTHING, blogs: 1 })
      assert.ok(small.bytes > 0)
      const longer = next(blog, { body: { html: TEXT } })
      await store.blogs.save(longer, 1)
      const large = await measure()
      assert.equal(large.blogs, 1)
      assert.ok(large.bytes - small.bytes > 9_000, 'bytes are counted, not characters')
      await store.blogs.save(next(longer, { body: { html: blog.body.html } }), 2)
      assert.ok((await measure()).bytes < small.bytes + 1_000, 'replaced texts do not count')
      await store.blogs.delete(tombstoneOf(blog), 3)
      assert.deepEqual(await measure(), NOTHING)
    }
  },
  {
    title: 'images count with their originals, until they or their blog are deleted',
    run: async ({ store }) => {
      const blog = buildBlog()
      await store.blogs.add(blog)
      const { bytes } = await store.storage.measure('acme')
      const image = buildImage(blog.id, 'a.jpg', { bytes: 300, originalBytes: 4_000 })
      for (let n = 0; n < 2; n++) await store.images.insertIfAbsent(image)
      const { originalBytes: _original, ...earlier } = buildImage(blog.id, 'b.jpg', { bytes: 50 })
      await store.images.insertIfAbsent(earlier)
      const measured = await store.storage.measure('acme')
      assert.deepEqual({ images: measured.images, bytes: measured.bytes - bytes }, { images: 2, bytes: 4_350 })
      await store.images.delete('acme', blog.id, 'b.jpg')
      assert.equal((await store.storage.measure('acme')).images, 1)
      await store.blogs.delete(tombstoneOf(blog), 1)
      assert.deepEqual(await store.storage.measure('acme'), NOTHING)
    }
  },
  {
    title: 'revisions count with their content, until they are replaced, too old, or their blog is deleted',
    run: async ({ store }) => {
      const blog = buildBlog()
      await store.blogs.add(blog)
      const { bytes: before } = await store.storage.measure('acme')
      const put = async (number: number, length: number) => {
        await store.blogRevisions.put(buildRevision(blog, number, { content: Buffer.alloc(length, 7) }), 2)
        const { bytes, blogs } = await store.storage.measure('acme')
        assert.equal(blogs, 1)
        return bytes - before
      }
      const first = await put(1, 5_000)
      assert.ok(first > 5_000 && first < 6_000)
      assert.equal(await put(1, 6_000), first + 1_000, 'a replaced one does not count')
      assert.ok((await put(2, 100)) > 6_000)
      assert.ok((await put(3, 100)) > 6_000)
      assert.ok((await put(4, 100)) < 5_000, 'the first one is too old')
      await store.blogs.delete(tombstoneOf(blog), 1)
      assert.deepEqual(await store.storage.measure('acme'), NOTHING)
    }
  },
  {
    title: 'products of all projects are counted once, however they are saved',
    run: async ({ store }) => {
      const [a, b] = [buildProduct(), buildProduct({ projectId: 'shop' })]
      await store.products.saveMany([fresh(a)])
      await store.products.saveAll([fresh(b)])
      const small = await store.storage.measure('acme')
      assert.equal(small.products, 2)
      const write = changing({ ...a, version: 1 }, { description: TEXT })
      await store.products.saveMany([write])
      const large = await store.storage.measure('acme')
      assert.equal(large.products, 2)
      assert.ok(large.bytes - small.bytes > 9_000)
      for (const { id, version } of [write.product, { ...b, version: 1 }]) {
        assert.equal(await store.products.delete({ accountId: 'acme', id, ifVersion: version }), true)
      }
      assert.deepEqual(await store.storage.measure('acme'), NOTHING)
    }
  },
  {
    title: 'an import counts its upload until it ends, and its failed rows until it is deleted',
    run: async ({ store }) => {
      const record = buildImport()
      const upload = record.file.bytes
      await store.imports.add(record)
      assert.equal((await store.storage.measure('acme')).bytes, upload)
      const step = buildImportStep(record, { errors: [], change: { failedBytes: 700 } })
      const running = await store.imports.advance(step)
      assert.equal((await store.storage.measure('acme')).bytes, upload + 700)
      const end = { status: 'done' as const, finishedAt: minute(9) }
      await store.imports.advance(buildImportStep(running!, { errors: [], change: end }))
      assert.equal((await store.storage.measure('acme')).bytes, 700)
      await store.imports.delete('acme', record.id)
      assert.deepEqual(await store.storage.measure('acme'), NOTHING)
    }
  },
  {
    title: 'responses to requests with an Idempotency-Key count for their account, until they expire',
    run: async ({ store }) => {
      const claim = async (scope: string, at: number, operationId = 'operation') =>
        await store.idempotency.claim({
          ...{ scope, bodyHash: 'hash', operationId },
          ...{ at: minute(at), expiresAt: minute(at + 5), staleBefore: minute(at - 2) }
        })
      const answer = async (scope: string, body: string) =>
        await store.idempotency.complete(scope, { status: 200, headers: { 'x-a': 'b' }, body })
      const measure = async () => await store.storage.measure('acme')
      await claim('acme key 1 POST /a first-key-0123456789', 1)
      await claim('acme2 key 1 POST /a first-key-0123456789', 1)
      await answer('acme2 key 1 POST /a first-key-0123456789', TEXT)
      assert.deepEqual(await measure(), NOTHING)
      await answer('acme key 1 POST /a first-key-0123456789', TEXT)
      const one = await measure()
      assert.ok(one.bytes > 10_000 && one.bytes < 10_300, `${one.bytes} bytes, not characters`)
      await claim('acme user 2 POST /b other-key-0123456789', 4)
      await answer('acme user 2 POST /b other-key-0123456789', 'short')
      const two = await measure()
      assert.ok(two.bytes > one.bytes && two.bytes < one.bytes + 300)
      await claim('acme key 1 POST /a first-key-0123456789', 7, 'another')
      assert.equal((await measure()).bytes, two.bytes - one.bytes, 'an expired claim is replaced')
      assert.ok((await store.idempotency.deleteExpired(minute(30))) >= 2)
      assert.deepEqual(await measure(), NOTHING)
    }
  }
]
