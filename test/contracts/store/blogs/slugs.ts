import assert from 'node:assert/strict'
import type { ProjectScope, ReadScope, BlogRecord, Store } from '../../../../ports/store/port.ts'
import type { StoreCase } from '../case.ts'
import { ACME, buildBlog, withoutBody, minute, tombstoneOf, type BlogChange } from '../fixtures/content.ts'

async function add(store: Store, change: BlogChange): Promise<BlogRecord> {
  const blog = buildBlog(change)
  await store.blogs.add(blog)
  return blog
}

/**
 * Adds a blog that had the slug `old` until then, and deletes it at this minute; `held` says
 * whether it had the slug to its end.
 */
async function addDeletedBlog(
  store: Store,
  at: number,
  change: BlogChange & { wasPublic?: boolean } = {}
): Promise<BlogRecord> {
  const { wasPublic = true, ...blogChange } = change
  const blog = await add(store, { slug: 'old', ...blogChange })
  await store.blogs.delete(tombstoneOf(blog, { deletedAt: minute(at), wasPublic }), 1)
  return blog
}

const left = (at: number, slug = 'old') => ({ formerSlugs: [{ slug, leftAt: minute(at) }] })

/** What the slug `old` resolves to: the kind and the id. */
async function behind(store: Store, reader: ProjectScope = ACME, slug = 'old'): Promise<[string, string] | null> {
  const answer = await store.blogs.resolveSlug(reader, slug)
  return answer === null ? null : [answer.kind, answer.blog.id]
}

export const blogSlugCases: StoreCase[] = [
  {
    title: 'the slug of a published blog resolves to the complete blog',
    run: async ({ store }) => {
      const blog = await add(store, { slug: 'tea', tags: ['a'] })
      assert.deepEqual(await store.blogs.resolveSlug(ACME, 'tea'), { kind: 'blog', blog, otherProjects: [] })
      assert.equal(await store.blogs.resolveSlug(ACME, 'milk'), null)
      assert.equal(await store.blogs.resolveSlug({ accountId: 'zeta', projectIds: null }, 'tea'), null)
    }
  },
  {
    title: 'the slugs of a blog that is not published do not resolve',
    run: async ({ store }) => {
      for (const status of ['draft', 'scheduled', 'unpublished'] as const) {
        await add(store, { slug: status, status, ...left(1, `old-${status}`) })
        assert.equal(await behind(store, ACME, status), null)
        assert.equal(await behind(store, ACME, `old-${status}`), null)
      }
      assert.deepEqual(await store.blogs.redirects(ACME), [])
    }
  },
  {
    title: 'a former slug resolves to the current blog in one step',
    run: async ({ store }) => {
      const blog = await add(store, {
        slug: 'newest',
        formerSlugs: [
          { slug: 'old', leftAt: minute(1) },
          { slug: 'older', leftAt: minute(2) }
        ]
      })
      for (const slug of ['old', 'older']) {
        assert.deepEqual(await store.blogs.resolveSlug(ACME, slug), { kind: 'moved', blog: withoutBody(blog) })
      }
      const saved = {
        ...blog,
        version: 2,
        slug: 'last',
        formerSlugs: [...blog.formerSlugs, { slug: 'newest', leftAt: minute(3) }]
      }
      await store.blogs.save(saved, 1)
      for (const slug of ['old', 'older', 'newest']) {
        assert.deepEqual(await store.blogs.resolveSlug(ACME, slug), { kind: 'moved', blog: withoutBody(saved) })
      }
      await store.blogs.save({ ...saved, version: 3, formerSlugs: [] }, 2)
      assert.equal(await behind(store), null)
    }
  },
  {
    title: 'every slug of a deleted blog that was public resolves to gone',
    run: async ({ store }) => {
      const blog = await add(store, { slug: 'tea', ...left(1) })
      const tombstone = tombstoneOf(blog)
      await store.blogs.delete(tombstone, 1)
      for (const slug of ['tea', 'old']) {
        assert.deepEqual(await store.blogs.resolveSlug(ACME, slug), { kind: 'gone', blog: tombstone })
      }
      assert.equal(await behind(store, { accountId: 'zeta', projectIds: null }), null)
    }
  },
  {
    title: 'the slug of a deleted blog that was never public does not resolve',
    run: async ({ store }) => {
      await addDeletedBlog(store, 9, { wasPublic: false })
      assert.equal(await behind(store), null)
    }
  },
  {
    title: 'a published blog with the slug wins over blogs that had it before',
    run: async ({ store }) => {
      await add(store, left(90))
      await addDeletedBlog(store, 95)
      const blog = await add(store, { slug: 'old', publishedAt: minute(1) })
      assert.deepEqual(await behind(store), ['blog', blog.id])
    }
  },
  {
    title: 'a draft does not hide a blog that was published under its slug',
    run: async ({ store }) => {
      const moved = await add(store, left(5))
      await add(store, { slug: 'old', status: 'draft', slugWasPublic: false })
      assert.deepEqual(await behind(store), ['moved', moved.id])
    }
  },
  {
    title: 'a slug resolves to the blog that released it last',
    run: async ({ store }) => {
      await add(store, left(5))
      const last = await add(store, left(7))
      await add(store, left(6))
      assert.deepEqual(await behind(store), ['moved', last.id])
      assert.deepEqual(await store.blogs.redirects(ACME), [{ projectId: 'site', from: 'old', to: last.slug }])
    }
  },
  {
    title: 'the later of a deletion and a rename decides how a slug resolves',
    run: async ({ store }) => {
      const moved = await add(store, left(5))
      await addDeletedBlog(store, 4)
      assert.deepEqual(await behind(store), ['moved', moved.id])
      const gone = await addDeletedBlog(store, 6)
      assert.deepEqual(await behind(store), ['gone', gone.id])
      assert.deepEqual(await store.blogs.redirects(ACME), [])
    }
  },
  {
    title: 'a deleted blog released its former slugs when it was renamed',
    run: async ({ store }) => {
      await addDeletedBlog(store, 99, { slug: 'another', ...left(3) })
      assert.equal((await behind(store))?.[0], 'gone')
      const moved = await add(store, left(5))
      assert.deepEqual(await behind(store), ['moved', moved.id])
    }
  },
  {
    title: 'a duplicate slug in a tombstone counts from the time of the rename',
    run: async ({ store }) => {
      const moved = await add(store, left(5))
      const gone = await add(store, { slug: 'private', ...left(3) })
      await store.blogs.delete(
        { ...tombstoneOf(gone, { deletedAt: minute(99) }), slug: 'old', formerSlugs: gone.formerSlugs },
        1
      )
      assert.deepEqual(await behind(store), ['moved', moved.id])
      assert.equal(await behind(store, ACME, 'private'), null)
    }
  },
  {
    title: 'a slug does not fall back to earlier blogs if the last one is no longer public',
    run: async ({ store }) => {
      await add(store, left(5))
      await add(store, { ...left(6), status: 'unpublished' })
      assert.equal(await behind(store), null)
      assert.deepEqual(await store.blogs.redirects(ACME), [])
    }
  },
  {
    title: 'a scope that is restricted to projects only resolves slugs of those projects',
    run: async ({ store }) => {
      const reader = (...projectIds: string[]): ReadScope => ({ accountId: 'acme', projectIds })
      const moved = await add(store, { projectId: 'a', ...left(5) })
      const gone = await addDeletedBlog(store, 6, { projectId: 'b' })
      const blog = await add(store, { projectId: 'c', slug: 'old' })
      assert.deepEqual(await behind(store), ['blog', blog.id])
      assert.deepEqual(await behind(store, reader('a', 'b', 'c')), ['blog', blog.id])
      assert.deepEqual(await behind(store, reader('b')), ['gone', gone.id])
      assert.deepEqual(await behind(store, reader('a')), ['moved', moved.id])
      assert.deepEqual(await behind(store, { ...ACME, projectId: 'b' }), ['gone', gone.id])
      assert.equal(await behind(store, { ...reader('a'), projectId: 'b' }), null)
      assert.equal(await behind(store, reader('d')), null)
      assert.equal(await behind(store, reader()), null)
    }
  },
  {
    title: 'of several projects, a slug resolves to the blog that was published last, and names the others',
    run: async ({ store }) => {
      const first = await add(store, { projectId: 'b', slug: 'old', publishedAt: minute(3) })
      const newest = await add(store, { projectId: 'c', slug: 'old', publishedAt: minute(9) })
      const tie = await add(store, { projectId: 'a', slug: 'old', publishedAt: minute(9) })
      await add(store, { projectId: 'd', slug: 'old', status: 'draft' })
      const [last, other] = tie.id > newest.id ? [tie, newest] : [newest, tie]
      assert.deepEqual(await store.blogs.resolveSlug(ACME, 'old'), {
        kind: 'blog',
        blog: last,
        otherProjects: [other.projectId, 'b'].sort()
      })
      assert.deepEqual(await store.blogs.resolveSlug({ ...ACME, projectId: 'b' }, 'old'), {
        kind: 'blog',
        blog: first,
        otherProjects: []
      })
      assert.equal(await behind(store, { ...ACME, projectId: 'd' }), null)
    }
  },
  {
    title: 'of several projects, a renamed blog wins over a deleted one, and the last renamed over others',
    run: async ({ store }) => {
      await add(store, { projectId: 'a', ...left(3) })
      const moved = await add(store, { projectId: 'b', ...left(5) })
      await addDeletedBlog(store, 9, { projectId: 'c' })
      await add(store, { projectId: 'd', ...left(8), status: 'unpublished' })
      assert.deepEqual(await behind(store), ['moved', moved.id])
    }
  },
  {
    title: 'redirects contain each former slug that resolves to a blog once, in order',
    run: async ({ store }) => {
      const blog = await add(store, {
        slug: 'now',
        formerSlugs: ['c', 'a', 'taken', 'now', 'ä', 'a'].map((slug, at) => ({ slug, leftAt: minute(at) }))
      })
      await add(store, { slug: 'taken' })
      await add(store, { slug: 'theirs', accountId: 'zeta', ...left(1, 'x') })
      const redirects = await store.blogs.redirects(ACME)
      assert.deepEqual(
        redirects,
        ['a', 'c', 'ä'].map((from) => ({ projectId: 'site', from, to: 'now' }))
      )
      for (const { from } of redirects) assert.deepEqual(await behind(store, ACME, from), ['moved', blog.id])
    }
  },
  {
    title: 'redirects are limited to the requested project and to the scope',
    run: async ({ store }) => {
      await add(store, {
        projectId: 'a',
        slug: 'in-a',
        formerSlugs: [
          { slug: 'one', leftAt: minute(1) },
          { slug: 'two', leftAt: minute(1) }
        ]
      })
      await add(store, { projectId: 'b', slug: 'in-b', ...left(2, 'one') })
      await add(store, { projectId: 'c', slug: 'two' })
      const [oneOfA, oneOfB, twoOfA] = [
        { projectId: 'a', from: 'one', to: 'in-a' },
        { projectId: 'b', from: 'one', to: 'in-b' },
        { projectId: 'a', from: 'two', to: 'in-a' }
      ]
      assert.deepEqual(await store.blogs.redirects(ACME), [oneOfA, oneOfB, twoOfA])
      assert.deepEqual(await store.blogs.redirects({ ...ACME, projectId: 'b' }), [oneOfB])
      assert.deepEqual(await store.blogs.redirects({ ...ACME, projectId: 'c' }), [])
      assert.deepEqual(await store.blogs.redirects({ accountId: 'acme', projectIds: ['a'] }), [oneOfA, twoOfA])
      await add(store, { projectId: 'a', slug: 'two' })
      assert.deepEqual(await store.blogs.redirects({ ...ACME, projectId: 'a' }), [oneOfA])
      assert.deepEqual(await store.blogs.redirects({ accountId: 'acme', projectIds: [] }), [])
    }
  }
]
