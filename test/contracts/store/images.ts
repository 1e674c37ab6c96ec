import assert from 'node:assert/strict'
import type { StoreCase } from './case.ts'
import { buildImage, idOf, minute } from './fixtures/content.ts'

const [BLOG, OTHER] = [idOf(1), idOf(2)]

export const imageCases: StoreCase[] = [
  {
    title: 'an image is added once to a blog, and `added` reports whether it was',
    run: async ({ store }) => {
      const image = buildImage(BLOG, 'a.jpg', { alt: 'Ä “view”' })
      assert.deepEqual(await store.images.insertIfAbsent(image), { image, added: true })
      assert.deepEqual(
        await store.images.insertIfAbsent(buildImage(BLOG, 'a.jpg', { alt: 'Another', hash: 'cd'.repeat(32) })),
        {
          image,
          added: false
        }
      )
      assert.deepEqual(await store.images.find(BLOG, 'a.jpg'), image)
      assert.equal(await store.images.find(OTHER, 'a.jpg'), null)
      assert.equal(await store.images.find(BLOG, 'A.jpg'), null)
      assert.equal((await store.images.insertIfAbsent(buildImage(OTHER, 'a.jpg'))).added, true)
    }
  },
  {
    title: 'of concurrent inserts of the same file name, exactly one adds the image',
    run: async ({ store }) => {
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, at) => store.images.insertIfAbsent(buildImage(BLOG, 'a.jpg', { bytes: at })))
      )
      assert.equal(answers.filter(({ added }) => added).length, 1)
      const stored = await store.images.find(BLOG, 'a.jpg')
      for (const { image } of answers) assert.deepEqual(image, stored)
    }
  },
  {
    title: 'images of a blog are listed oldest first, then by file name',
    run: async ({ store }) => {
      for (const [filename, at] of [
        ['b.jpg', 2],
        ['a.jpg', 2],
        ['z.jpg', 1],
        ['c.jpg', 3]
      ] as const) {
        await store.images.insertIfAbsent(buildImage(BLOG, filename, { createdAt: minute(at) }))
      }
      await store.images.insertIfAbsent(buildImage(OTHER, 'd.jpg'))
      assert.deepEqual(
        (await store.images.list('acme', BLOG)).map(({ filename }) => filename),
        ['z.jpg', 'a.jpg', 'b.jpg', 'c.jpg']
      )
      assert.deepEqual(await store.images.list('zeta', BLOG), [])
    }
  },
  {
    title: 'the text alternative of an image is changed, only by its account',
    run: async ({ store }) => {
      const image = buildImage(BLOG, 'a.jpg', { alt: 'Before' })
      const other = buildImage(BLOG, 'b.jpg', { alt: 'Other' })
      for (const each of [image, other]) await store.images.insertIfAbsent(each)
      assert.equal(await store.images.setAlt({ ...image, accountId: 'zeta' }, 'Foreign'), null)
      assert.equal(await store.images.setAlt({ ...image, filename: 'none.jpg' }, 'Absent'), null)
      const changed = { ...image, alt: 'Ä “view”' }
      assert.deepEqual(await store.images.setAlt(image, changed.alt), changed)
      assert.deepEqual(await store.images.list('acme', BLOG), [changed, other])
      assert.deepEqual(await store.images.find(BLOG, 'a.jpg'), changed)
    }
  },
  {
    title: 'an image is deleted once, and only by its account',
    run: async ({ store }) => {
      await store.images.insertIfAbsent(buildImage(BLOG, 'a.jpg'))
      await store.images.insertIfAbsent(buildImage(BLOG, 'b.jpg'))
      assert.equal(await store.images.delete('zeta', BLOG, 'a.jpg'), false)
      assert.equal(await store.images.delete('acme', BLOG, 'a.jpg'), true)
      assert.equal(await store.images.delete('acme', BLOG, 'a.jpg'), false)
      assert.equal(await store.images.find(BLOG, 'a.jpg'), null)
      assert.deepEqual(
        (await store.images.list('acme', BLOG)).map(({ filename }) => filename),
        ['b.jpg']
      )
    }
  }
]
