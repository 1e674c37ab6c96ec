import assert from 'node:assert/strict'
import type { Store } from '../../../../ports/store/port.ts'
import type { StoreCase } from '../case.ts'
import { addBlogs, buildBlog, buildRevision, idOf, next, tombstoneOf } from '../fixtures/content.ts'

const ALL = { from: 1, before: 1000 }

const headOf = ({ content, ...head }: ReturnType<typeof buildRevision>) => head

async function addBlog(store: Store) {
  const [blog] = await addBlogs(store, [{}])
  return blog!
}

const numbersOf = async (store: Store, { id, accountId }: { id: string; accountId: string }, range = ALL) =>
  (await store.blogRevisions.list(accountId, id, range)).map(({ number }) => number)

export const blogRevisionCases: StoreCase[] = [
  {
    title: 'revisions of a blog are listed newest first without content, and found with it',
    run: async ({ store, reopen }) => {
      const [blog, other] = [await addBlog(store), await addBlog(store)]
      const revisions = [
        buildRevision(blog, 1, { savedBy: null, content: Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)) }),
        buildRevision(blog, 2, { restoredFrom: 1, status: 'unpublished' }),
        buildRevision(blog, 3, { changedFields: [], title: '😀 $where a.b' })
      ]
      for (const revision of revisions) await store.blogRevisions.put(revision, 50)
      await store.blogRevisions.put(buildRevision(other, 9), 50)
      assert.deepEqual(await store.blogRevisions.list('acme', blog.id, ALL), revisions.map(headOf).reverse())
      // The next durable change makes them durable, too.
      await store.blogs.save(next(other, {}), 1)
      const again = await reopen()
      for (const revision of revisions) {
        assert.deepEqual(await again.blogRevisions.find('acme', blog.id, revision.number), revision)
      }
      assert.deepEqual(await numbersOf(again, other), [9])
    }
  },
  {
    title: 'a list of revisions begins and ends at its range',
    run: async ({ store }) => {
      const blog = await addBlog(store)
      for (let number = 1; number <= 12; number++) await store.blogRevisions.put(buildRevision(blog, number), 50)
      assert.deepEqual(await numbersOf(store, blog, { from: 9, before: 12 }), [11, 10, 9])
      assert.deepEqual(await numbersOf(store, blog, { from: -3, before: 2 }), [1])
      assert.deepEqual(await numbersOf(store, blog, { from: 12, before: 12 }), [])
    }
  },
  {
    title: 'revisions of another account, and those that do not exist, are not found',
    run: async ({ store }) => {
      const blog = await addBlog(store)
      await store.blogRevisions.put(buildRevision(blog, 1), 50)
      assert.deepEqual(await store.blogRevisions.list('zeta', blog.id, ALL), [])
      assert.equal(await store.blogRevisions.find('zeta', blog.id, 1), null)
      assert.equal(await store.blogRevisions.find('acme', blog.id, 2), null)
      assert.equal(await store.blogRevisions.find('acme', idOf(987654), 1), null)
    }
  },
  {
    title: 'a revision is replaced by the same number of a later version, and not by that of an earlier one',
    run: async ({ store }) => {
      const blog = await addBlog(store)
      const at = (replacedVersion: number) =>
        buildRevision(blog, 1, { replacedVersion, title: `At ${replacedVersion}` })
      for (const version of [3, 3, 5, 4]) await store.blogRevisions.put(at(version), 50)
      assert.deepEqual(await store.blogRevisions.find('acme', blog.id, 1), at(5))
      assert.deepEqual(await numbersOf(store, blog), [1])
    }
  },
  {
    title: 'the last revisions are stored, and the one that is about to be replaced is one more',
    run: async ({ store }) => {
      const [blog, other] = [await addBlog(store), await addBlog(store)]
      await store.blogRevisions.put(buildRevision(other, 1), 3)
      for (let number = 1; number <= 20; number++) {
        await store.blogRevisions.put(buildRevision(blog, number), 3)
        const expected = Array.from({ length: Math.min(number, 4) }, (_, at) => number - at)
        assert.deepEqual(await numbersOf(store, blog), expected)
      }
      for (const number of [17, 18, 19, 20]) {
        const revision = buildRevision(blog, number)
        assert.deepEqual(await store.blogRevisions.find('acme', blog.id, number), revision, 'each has its own content')
      }
      assert.equal(await store.blogRevisions.find('acme', blog.id, 16), null)
      assert.deepEqual(await numbersOf(store, other), [1])
    }
  },
  {
    title: 'a repeated put stores a revision once, also when older ones are deleted',
    run: async ({ store }) => {
      const blog = await addBlog(store)
      for (const number of [1, 2, 3, 4, 4, 5, 5, 5]) await store.blogRevisions.put(buildRevision(blog, number), 2)
      assert.deepEqual(await numbersOf(store, blog), [5, 4, 3])
      for (const number of [3, 4, 5]) {
        assert.deepEqual(await store.blogRevisions.find('acme', blog.id, number), buildRevision(blog, number))
      }
    }
  },
  {
    title: 'after the number was lowered, the next put deletes the others; with 0, all of them',
    run: async ({ store }) => {
      const blog = await addBlog(store)
      const put = async (number: number, keep: number) => {
        await store.blogRevisions.put(buildRevision(blog, number), keep)
        return await numbersOf(store, blog)
      }
      for (let number = 1; number <= 9; number++) await put(number, 50)
      assert.deepEqual(await put(10, 3), [10, 9, 8, 7])
      assert.deepEqual(await put(11, 50), [11, 10, 9, 8, 7], 'a higher number does not bring them back')
      assert.equal(await store.blogRevisions.find('acme', blog.id, 5), null)
      assert.deepEqual(
        (await put(12, 0)).filter((number) => number < 12),
        []
      )
      assert.deepEqual(await store.blogRevisions.find('acme', blog.id, 12), null)
    }
  },
  {
    title: 'revisions are deleted with their blog, and those of other blogs stay',
    run: async ({ store }) => {
      const [blog, other] = [await addBlog(store), await addBlog(store)]
      for (const each of [blog, other]) await store.blogRevisions.put(buildRevision(each, 1), 50)
      await store.blogs.delete(tombstoneOf(blog), 7)
      assert.deepEqual(await numbersOf(store, blog), [1], 'a deletion that fails deletes nothing')
      await store.blogs.delete(tombstoneOf(blog), 1)
      assert.deepEqual(await numbersOf(store, blog), [])
      assert.equal(await store.blogRevisions.find('acme', blog.id, 1), null)
      assert.deepEqual(await numbersOf(store, other), [1])
    }
  },
  {
    title: 'a revision of a deleted blog does not stay after the change that it belongs to has failed',
    run: async ({ store }) => {
      const blog = await addBlog(store)
      await store.blogs.delete(tombstoneOf(blog), 1)
      await store.blogRevisions.put(buildRevision(blog, 1), 50)
      assert.equal(await store.blogs.save(next(blog, {}), 1), false)
      assert.deepEqual(await numbersOf(store, blog), [])
      assert.equal((await store.storage.measure('acme')).bytes, 0)
    }
  },
  {
    title: 'of concurrent puts, each revision is stored once, and the greatest version wins',
    run: async ({ store }) => {
      const blog = await addBlog(store)
      for (const number of [1, 2, 3]) await store.blogRevisions.put(buildRevision(blog, number), 2)
      const rivals = Array.from({ length: 8 }, (_, at) => buildRevision(blog, 4, { replacedVersion: at + 8 }))
      await Promise.all(rivals.map((rival) => store.blogRevisions.put(rival, 2)))
      assert.deepEqual(await numbersOf(store, blog), [4, 3, 2])
      assert.deepEqual(await store.blogRevisions.find('acme', blog.id, 4), rivals.at(-1))
    }
  },
  {
    title: 'concurrent changes of a blog store each revision that they replace',
    run: async ({ store }) => {
      const blog = await addBlog(store)
      const change = async (): Promise<void> => {
        for (;;) {
          const current = (await store.blogs.find('acme', blog.id))!
          const content = Buffer.from(current.title)
          const { version } = current
          await store.blogRevisions.put(buildRevision(current, version, { replacedVersion: version, content }), 50)
          if (await store.blogs.save(next(current, { title: `Title ${version + 1}` }), version)) return
        }
      }
      await Promise.all(Array.from({ length: 6 }, change))
      const numbers = await numbersOf(store, blog, { from: 1, before: 7 })
      assert.deepEqual(numbers, [6, 5, 4, 3, 2, 1])
      for (const number of numbers) {
        const { content } = (await store.blogRevisions.find('acme', blog.id, number))!
        assert.equal(content.toString(), number === 1 ? blog.title : `Title ${number}`)
      }
    }
  },
  {
    title: 'a blog is stored with its current revision',
    run: async ({ store }) => {
      const { content, accountId, blogId, title, status, replacedVersion, ...revision } = buildRevision(buildBlog(), 4)
      const blog = buildBlog({ revision })
      await store.blogs.add(blog)
      assert.deepEqual((await store.blogs.findMetadata('acme', blog.id))?.revision, revision)
      const changed = next(blog, { revision: { ...revision, number: 5, savedBy: null } })
      await store.blogs.save(changed, 1)
      assert.deepEqual(await store.blogs.find('acme', blog.id), changed)
    }
  }
]
