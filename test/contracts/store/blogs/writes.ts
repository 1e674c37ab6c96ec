import assert from 'node:assert/strict'
import type { StoreCase } from '../case.ts'
import {
  ACME,
  buildBlog,
  addBlogs,
  buildImage,
  withoutBody,
  idOf,
  listed,
  minute,
  next,
  tombstoneOf
} from '../fixtures/content.ts'
import { buildEvent } from '../fixtures/webhooks.ts'

const TAKEN = { code: 'slug_taken', statusCode: 409 }

export const blogCases: StoreCase[] = [
  {
    title: 'a blog is stored completely and unchanged',
    run: async ({ store }) => {
      const blog = buildBlog({
        category: 'How to',
        tags: ['a', 'B'],
        formerSlugs: [{ slug: 'old', leftAt: minute(1) }],
        ogImageUrl: 'https://x.example/a.png',
        authors: [{ name: 'Zoë', url: 'https://zoe.example' }, { name: 'Ann' }],
        translationKey: 'tea',
        cover: { url: 'https://x.example/c.jpg', srcset: null, width: 4, height: 3, alt: 'A cup' },
        body: {
          structure: {
            faq: [{ question: 'Why?', answer: 'So.' }],
            howTo: { name: 'How to', steps: [{ name: null, text: 'Pour' }] }
          }
        }
      })
      await store.blogs.add(blog)
      assert.deepEqual(await store.blogs.find('acme', blog.id), blog)
      assert.deepEqual(await store.blogs.findMetadata('acme', blog.id), withoutBody(blog))
    }
  },
  {
    title: 'a change without a body keeps the stored one',
    run: async ({ store }) => {
      const blog = buildBlog({
        tags: ['a'],
        slug: 'before',
        body: { titleTerms: ['kettle'], textTerms: ['water'], vector: [['kettle', 1]], html: '<p>Water</p>' }
      })
      await store.blogs.add(blog)
      const changed = next(blog, { tags: ['b', 'c'], authors: [{ name: 'Ann' }], slug: 'after', category: 'Tea' })
      assert.equal(await store.blogs.save(withoutBody(changed), 7), false)
      assert.deepEqual(await store.blogs.find('acme', blog.id), blog)
      assert.equal(await store.blogs.save(withoutBody(changed), 1, [buildEvent()]), true)
      assert.deepEqual(await store.blogs.find('acme', blog.id), changed)
      for (const terms of [['kettle'], ['wat']]) assert.deepEqual((await listed(store, { terms })).slugs, ['after'])
      assert.deepEqual([(await listed(store, { tag: 'a' })).total, (await listed(store, { tag: 'c' })).total], [0, 1])
      const [{ vector } = { vector: [] }] = await store.blogs.vectors('acme', { afterId: null, limit: 9 })
      assert.deepEqual(vector, blog.body.vector)
      const [other] = await addBlogs(store, [{ slug: 'other' }])
      await assert.rejects(store.blogs.save(withoutBody(next(other!, { slug: 'after' })), 1), TAKEN)
    }
  },
  {
    title: 'an unknown blog and a blog of another account are not found',
    run: async ({ store }) => {
      const [blog] = await addBlogs(store, [{ accountId: 'zeta' }])
      for (const id of [blog?.id ?? '', idOf(987654)]) {
        assert.equal(await store.blogs.find('acme', id), null)
        assert.equal(await store.blogs.findMetadata('acme', id), null)
        assert.equal(await store.blogs.findTombstone('acme', id), null)
        assert.deepEqual(await store.blogs.related('acme', id), [])
      }
    }
  },
  {
    title: 'the metadata of a blog is found without its account, in any status, until the blog is deleted',
    run: async ({ store }) => {
      const [draft, theirs] = (await addBlogs(store, [{ status: 'draft' }, { accountId: 'zeta' }])) as [
        ReturnType<typeof buildBlog>,
        ReturnType<typeof buildBlog>
      ]
      assert.deepEqual(await store.blogs.findMetadataById(draft.id), withoutBody(draft))
      assert.deepEqual(await store.blogs.findMetadataById(theirs.id), withoutBody(theirs))
      assert.equal(await store.blogs.findMetadataById(idOf(987654)), null)
      await store.blogs.delete(tombstoneOf(draft), 1)
      assert.equal(await store.blogs.findMetadataById(draft.id), null)
    }
  },
  {
    title: 'a slug is unique within a project, whatever the status of its blog',
    run: async ({ store }) => {
      const [tea, theirs] = await addBlogs(store, [
        { slug: 'tea', status: 'draft' },
        { slug: 'tea', projectId: 'b' }
      ])
      await assert.rejects(store.blogs.add(buildBlog({ slug: 'tea' })), TAKEN)
      assert.equal((await listed(store, { status: 'any' })).total, 2)
      await store.blogs.add(buildBlog({ slug: 'tea', accountId: 'zeta' }))
      const both = [
        { id: theirs?.id, projectId: 'b' },
        { id: tea?.id, projectId: 'site' }
      ]
      assert.deepEqual(await store.blogs.findBySlug(ACME, 'tea'), both)
      assert.deepEqual(await store.blogs.findBySlug({ ...ACME, projectId: 'site' }, 'tea'), both.slice(1))
      assert.deepEqual(await store.blogs.findBySlug({ ...ACME, projectIds: ['b'] }, 'tea'), both.slice(0, 1))
      assert.deepEqual(await store.blogs.findBySlug({ ...ACME, projectIds: ['b'], projectId: 'site' }, 'tea'), [])
      assert.deepEqual(await store.blogs.findBySlug(ACME, 'te'), [])
      assert.deepEqual(await store.blogs.findBySlug({ accountId: 'nobody', projectIds: null }, 'tea'), [])
    }
  },
  {
    title: 'a blog is not moved into a project in which another blog has its slug',
    run: async ({ store }) => {
      const [tea] = (await addBlogs(store, [{ slug: 'tea' }, { slug: 'tea', projectId: 'b' }])) as [
        ReturnType<typeof buildBlog>
      ]
      await assert.rejects(store.blogs.save(next(tea, { projectId: 'b' }), 1), TAKEN)
      assert.equal(await store.blogs.save(next(tea, { projectId: 'c' }), 1), true)
      assert.deepEqual(
        (await store.blogs.findBySlug(ACME, 'tea')).map(({ projectId }) => projectId),
        ['b', 'c']
      )
    }
  },
  {
    title: 'of concurrent inserts with the same slug, exactly one succeeds',
    run: async ({ store }) => {
      const results = await Promise.allSettled(
        Array.from({ length: 8 }, () => store.blogs.add(buildBlog({ slug: 'tea' })))
      )
      assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1)
      for (const result of results) if (result.status === 'rejected') assert.equal(result.reason.code, 'slug_taken')
      assert.deepEqual(await listed(store), { slugs: ['tea'], total: 1 })
    }
  },
  {
    title: 'a slug is free again when its blog is deleted or renamed',
    run: async ({ store }) => {
      const [tea, milk] = (await addBlogs(store, [{ slug: 'tea' }, { slug: 'milk' }])) as [
        ReturnType<typeof buildBlog>,
        ReturnType<typeof buildBlog>
      ]
      await store.blogs.delete(tombstoneOf(tea), 1)
      await store.blogs.save(next(milk, { slug: 'cream' }), 1)
      assert.deepEqual(await store.blogs.findBySlug(ACME, 'tea'), [])
      assert.deepEqual(await store.blogs.findBySlug(ACME, 'milk'), [])
      assert.deepEqual(await store.blogs.findBySlug(ACME, 'cream'), [{ id: milk.id, projectId: 'site' }])
      await addBlogs(store, [{ slug: 'tea' }, { slug: 'milk' }])
    }
  },
  {
    title: 'a blog is replaced if its version has not changed',
    run: async ({ store }) => {
      const [blog] = (await addBlogs(store, [{ tags: ['a'], category: 'Tea' }])) as [ReturnType<typeof buildBlog>]
      const changed = next(blog, {
        title: 'New',
        tags: ['b'],
        category: null,
        body: { html: '<p>New</p>', vector: [] }
      })
      assert.equal(await store.blogs.save(changed, 1), true)
      assert.deepEqual(await store.blogs.find('acme', blog.id), changed)
      assert.deepEqual(await listed(store, { tag: 'a' }), { slugs: [], total: 0 })
      assert.deepEqual(await listed(store, { category: 'Tea' }), { slugs: [], total: 0 })
      assert.deepEqual(await listed(store, { tag: 'b' }), { slugs: [blog.slug], total: 1 })
    }
  },
  {
    title: 'a save of another version, or of a blog of another account, changes nothing',
    run: async ({ store }) => {
      const [blog] = (await addBlogs(store, [{ version: 3, tags: ['a'] }])) as [ReturnType<typeof buildBlog>]
      for (const version of [2, 4]) {
        assert.equal(
          await store.blogs.save(next(blog, { title: 'New', tags: ['b'], body: { textTerms: ['new'] } }), version),
          false
        )
      }
      assert.equal(await store.blogs.save(next(buildBlog({ id: blog.id, accountId: 'zeta' }), {}), 3), false)
      assert.equal(await store.blogs.save(buildBlog(), 1), false)
      assert.deepEqual(await store.blogs.find('acme', blog.id), blog)
      assert.deepEqual(await listed(store, { tag: 'b' }), { slugs: [], total: 0 })
      assert.deepEqual(await listed(store, { terms: ['new'] }), { slugs: [], total: 0 })
    }
  },
  {
    title: 'of concurrent saves of the same version, exactly one succeeds',
    run: async ({ store }) => {
      const [blog] = (await addBlogs(store, [{}])) as [ReturnType<typeof buildBlog>]
      const rivals = Array.from({ length: 8 }, (_, at) => next(blog, { title: `Title ${at}`, tags: [`tag-${at}`] }))
      const won = await Promise.all(rivals.map((rival) => store.blogs.save(rival, 1)))
      assert.equal(won.filter(Boolean).length, 1)
      assert.deepEqual(await store.blogs.find('acme', blog.id), rivals[won.indexOf(true)])
    }
  },
  {
    title: 'a save with the slug of another blog is rejected and changes nothing',
    run: async ({ store }) => {
      const [, blog] = (await addBlogs(store, [
        { slug: 'tea', status: 'unpublished' },
        { slug: 'milk', tags: ['a'] }
      ])) as [ReturnType<typeof buildBlog>, ReturnType<typeof buildBlog>]
      const renamed = next(blog, {
        slug: 'tea',
        tags: ['b'],
        formerSlugs: [{ slug: 'milk', leftAt: minute(3) }],
        body: { textTerms: ['new'] }
      })
      await assert.rejects(store.blogs.save(renamed, 1), TAKEN)
      assert.deepEqual(await store.blogs.find('acme', blog.id), blog)
      assert.deepEqual(await listed(store, { tag: 'b' }), { slugs: [], total: 0 })
      assert.deepEqual(await listed(store, { terms: ['new'] }), { slugs: [], total: 0 })
    }
  },
  {
    title: 'a deleted blog leaves only its tombstone',
    run: async ({ store }) => {
      const [blog, other] = (await addBlogs(store, [{ tags: ['a'] }, { tags: ['a'] }])) as [
        ReturnType<typeof buildBlog>,
        ReturnType<typeof buildBlog>
      ]
      for (const { id } of [blog, other]) await store.images.insertIfAbsent(buildImage(id, 'a.jpg'))
      await store.blogs.setRelated('acme', [
        { id: blog.id, related: [{ id: other.id, score: 0.5 }] },
        { id: other.id, related: [{ id: blog.id, score: 0.5 }] }
      ])
      const tombstone = tombstoneOf(blog)
      assert.equal(await store.blogs.delete(tombstone, 1), true)
      assert.deepEqual(await store.blogs.findTombstone('acme', blog.id), tombstone)
      assert.equal(await store.blogs.findTombstone('zeta', blog.id), null)
      assert.equal(await store.blogs.find('acme', blog.id), null)
      assert.equal(await store.blogs.findMetadata('acme', blog.id), null)
      assert.deepEqual(await store.images.list('acme', blog.id), [])
      assert.equal(await store.images.find(blog.id, 'a.jpg'), null)
      assert.deepEqual(await store.blogs.related('acme', blog.id), [])
      assert.deepEqual(await listed(store, { tag: 'a', status: 'any' }), { slugs: [other.slug], total: 1 })
      assert.deepEqual(await listed(store, { terms: ['hi'] }), { slugs: [other.slug], total: 1 })
      assert.equal((await store.images.list('acme', other.id)).length, 1)
      assert.equal((await store.blogs.related('acme', other.id)).length, 1)
    }
  },
  {
    title: 'a blog is not deleted with another version or twice, nor saved after its deletion',
    run: async ({ store }) => {
      const [blog] = (await addBlogs(store, [{ version: 2 }])) as [ReturnType<typeof buildBlog>]
      await store.images.insertIfAbsent(buildImage(blog.id, 'a.jpg'))
      for (const version of [1, 3]) assert.equal(await store.blogs.delete(tombstoneOf(blog), version), false)
      assert.equal(await store.blogs.delete(tombstoneOf(blog, { accountId: 'zeta' }), 2), false)
      assert.deepEqual(await store.blogs.find('acme', blog.id), blog)
      assert.equal(await store.blogs.findTombstone('acme', blog.id), null)
      assert.equal((await store.images.list('acme', blog.id)).length, 1)
      assert.equal(await store.blogs.delete(tombstoneOf(blog), 2), true)
      assert.equal(await store.blogs.delete(tombstoneOf(blog), 2), false)
      assert.equal(await store.blogs.save(next(blog, {}), 2), false)
      assert.equal(await store.blogs.find('acme', blog.id), null)
    }
  },
  {
    title: 'of a concurrent save and deletion, exactly one succeeds',
    run: async ({ store }) => {
      const [blog] = (await addBlogs(store, [{}])) as [ReturnType<typeof buildBlog>]
      const [saved, deleted] = await Promise.all([
        store.blogs.save(next(blog, {}), 1),
        store.blogs.delete(tombstoneOf(blog), 1)
      ])
      assert.notEqual(saved, deleted)
      assert.equal((await store.blogs.find('acme', blog.id)) === null, deleted)
      assert.equal((await store.blogs.findTombstone('acme', blog.id)) === null, saved)
    }
  },
  {
    title: 'existsInProject counts blogs in any status until the last one is deleted',
    run: async ({ store }) => {
      const [blog] = (await addBlogs(store, [
        { status: 'draft', projectId: 'shop' },
        { accountId: 'zeta', projectId: 'site' }
      ])) as [ReturnType<typeof buildBlog>]
      assert.equal(await store.blogs.existsInProject('acme', 'shop'), true)
      assert.equal(await store.blogs.existsInProject('acme', 'site'), false)
      await store.blogs.delete(tombstoneOf(blog), 1)
      assert.equal(await store.blogs.existsInProject('acme', 'shop'), false)
    }
  },
  {
    title: 'changing a blog object that was passed or returned does not change the store',
    run: async ({ store }) => {
      const blog = buildBlog({ tags: ['a'] })
      const before = structuredClone(blog)
      await store.blogs.add(blog)
      blog.tags.push('b')
      blog.body.source.text = 'changed'
      const found = await store.blogs.find('acme', before.id)
      found?.tags.push('c')
      const { blogs } = await store.blogs.list(
        { ...ACME, status: 'published' },
        { page: 1, pageSize: 1, withBody: true }
      )
      blogs[0]?.headings.pop()
      blogs[0]?.body?.vector.pop()
      assert.deepEqual(await store.blogs.find('acme', before.id), before)
    }
  }
]
