import assert from 'node:assert/strict'
import type { RemovalPosition } from '../../../../ports/store/port.ts'
import type { RemovedBlog } from '../../../../schemas/blog.ts'
import type { StoreCase } from '../case.ts'
import { ACME, addBlogs, idOf, listed, minute, next, tombstoneOf } from '../fixtures/content.ts'
import { sweepList } from '../fixtures/sweeps.ts'

export const blogOverviewCases: StoreCase[] = [
  {
    title: 'labels are counted over published blogs, the most frequent first, then by name',
    run: async ({ store }) => {
      const labels = ['😀', 'Tea', '～', 'Milk', 'Tea', null, 'Cream']
      const blogs = [
        ...labels.map((label) => ({ label })),
        { label: 'Tea', status: 'draft' as const },
        { label: 'Secret', status: 'unpublished' as const },
        { label: 'Tea', accountId: 'zeta' }
      ]
      await addBlogs(
        store,
        blogs.map(({ label, ...change }) => ({
          ...change,
          category: label,
          tags: label === null ? [] : [label, 'All'],
          authors: label === null ? [] : [{ name: label }, { name: 'All' }]
        }))
      )
      const counts = [
        { label: 'Tea', count: 2 },
        { label: 'Cream', count: 1 },
        { label: 'Milk', count: 1 },
        { label: '～', count: 1 },
        { label: '😀', count: 1 }
      ]
      assert.deepEqual(await store.blogs.countByLabel('category', ACME), counts)
      for (const by of ['tag', 'author'] as const) {
        assert.deepEqual(await store.blogs.countByLabel(by, ACME), [{ label: 'All', count: 6 }, ...counts])
      }
    }
  },
  {
    title: 'spellings of a label are counted together under the most frequent one, and filtered alike',
    run: async ({ store }) => {
      const spellings = ['Straße', 'STRASSE', 'Straße', 'ｔｅａ', 'Tea', 'tea  time']
      await addBlogs(
        store,
        spellings.map((label) => ({ category: label, tags: [label], authors: [{ name: label }] }))
      )
      for (const by of ['category', 'tag', 'author'] as const) {
        assert.deepEqual(await store.blogs.countByLabel(by, ACME), [
          { label: 'Straße', count: 3 },
          { label: 'Tea', count: 2 },
          { label: 'tea  time', count: 1 }
        ])
        assert.equal((await listed(store, { [by]: 'strasse' })).total, 3)
        assert.equal((await listed(store, { [by]: 'TEA' })).total, 2)
        assert.equal((await listed(store, { [by]: 'Tea Time' })).total, 1)
      }
    }
  },
  {
    title: 'labels are counted within a project, a locale and the scope of the caller',
    run: async ({ store }) => {
      const label = (name: string) => ({ category: name, tags: [name], authors: [{ name }] })
      await addBlogs(store, [
        { ...label('A'), projectId: 'p', locale: 'de' },
        { ...label('A'), projectId: 'q', locale: 'de' },
        { ...label('B'), projectId: 'q', locale: 'en' }
      ])
      for (const by of ['category', 'tag', 'author'] as const) {
        const count = (scope: object) => store.blogs.countByLabel(by, { ...ACME, ...scope })
        assert.deepEqual(await count({ projectId: 'q' }), [
          { label: 'A', count: 1 },
          { label: 'B', count: 1 }
        ])
        assert.deepEqual(await count({ locale: 'DE' }), [{ label: 'A', count: 2 }])
        assert.deepEqual(await count({ projectIds: ['p'] }), [{ label: 'A', count: 1 }])
        assert.deepEqual(await count({ projectIds: ['p'], projectId: 'q' }), [])
        assert.deepEqual(await count({ projectIds: [] }), [])
      }
    }
  },
  {
    title: 'blogs that were deleted or unpublished since a time are listed oldest first',
    run: async ({ store }) => {
      const [early, withdrawn, deleted, both, draft] = await addBlogs(store, [
        { status: 'unpublished', withdrawnAt: minute(9) },
        { status: 'unpublished', withdrawnAt: minute(10) },
        {},
        { status: 'unpublished', withdrawnAt: minute(3) },
        { status: 'draft' },
        { status: 'draft', withdrawnAt: null },
        {},
        { status: 'unpublished', withdrawnAt: minute(20), accountId: 'zeta' }
      ])
      if (
        early === undefined ||
        withdrawn === undefined ||
        deleted === undefined ||
        both === undefined ||
        draft === undefined
      ) {
        throw new Error('not added')
      }
      await store.blogs.delete(tombstoneOf(deleted, { deletedAt: minute(12) }), 1)
      await store.blogs.delete(tombstoneOf(both, { deletedAt: minute(11) }), 1)
      await store.blogs.delete(tombstoneOf(draft, { deletedAt: minute(13), wasPublic: false }), 1)
      const expected = [withdrawn, both, deleted].map(({ id, slug }, at) => ({ id, slug, at: minute(10 + at) }))
      assert.deepEqual(await store.blogs.removedSince(ACME, minute(10), { after: null, limit: 100 }), expected)
      assert.deepEqual(await store.blogs.removedSince(ACME, minute(12), { after: null, limit: 100 }), expected.slice(2))
      assert.deepEqual(await store.blogs.removedSince(ACME, minute(13), { after: null, limit: 100 }), [])
    }
  },
  {
    title: 'removed blogs are read in pages, those of the same time by id',
    run: async ({ store }) => {
      const withdrawnAt = minute(10)
      const off = { status: 'unpublished' as const, withdrawnAt }
      const found = await addBlogs(store, [off, {}, off, {}, { ...off, projectId: 'q' }])
      for (const at of [1, 3]) await store.blogs.delete(tombstoneOf(found[at]!, { deletedAt: withdrawnAt }), 1)
      const ids = found.map(({ id }) => id).sort()
      const read = async (limit: number, scope = {}) => {
        const pages: string[][] = []
        for (let after = null as RemovalPosition | null; pages.length <= found.length; ) {
          const page = await store.blogs.removedSince({ ...ACME, ...scope }, minute(0), { after, limit })
          pages.push(page.map(({ id }) => id))
          if (page.length < limit) break
          after = page.at(-1)!
        }
        return pages
      }
      assert.deepEqual(await read(2), [ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)])
      const inQ = [found[4]!.id]
      assert.deepEqual(await read(1, { projectIds: ['q'] }), [inQ, []])
      assert.deepEqual(
        await store.blogs.removedSince(ACME, minute(11), { after: { at: minute(1), id: '' }, limit: 5 }),
        [],
        'a position before the start'
      )
    }
  },
  {
    title: 'a blog that is renamed after it was unpublished is listed as removed with its public slug',
    run: async ({ store }) => {
      const public1 = { slug: 'older', leftAt: minute(8) }
      const public2 = { slug: 'public', leftAt: minute(12) }
      const off = { status: 'unpublished' as const, withdrawnAt: minute(10) }
      await addBlogs(store, [
        { ...off, slug: 'current', formerSlugs: [public1], slugWasPublic: true },
        { ...off, slug: 'draft', formerSlugs: [public1, public2], slugWasPublic: false }
      ])
      const removed = await store.blogs.removedSince(ACME, minute(0), { after: null, limit: 100 })
      assert.deepEqual(removed.map(({ slug }) => slug).sort(), ['current', 'public'])
    }
  },
  {
    title: 'a blog that left a project is listed as removed to those who do not see where it is',
    run: async ({ store }) => {
      const departures = [
        { projectId: 'p', slug: 'in-p', at: minute(5) },
        { projectId: 'q', slug: 'in-q', at: minute(7) }
      ]
      const [moved, stayed] = await addBlogs(store, [
        { slug: 'in-r', projectId: 'r', departures },
        { slug: 'stays', projectId: 'p', status: 'unpublished', withdrawnAt: minute(6) },
        { slug: 'foreign', projectId: 'r', departures, accountId: 'zeta' }
      ])
      if (moved === undefined || stayed === undefined) throw new Error('not added')
      const read = async (
        scope: object,
        since = minute(0),
        page = { after: null as RemovalPosition | null, limit: 9 }
      ) => (await store.blogs.removedSince({ ...ACME, ...scope }, since, page)).map(({ slug, at }) => `${slug} ${at}`)
      const [inP, inQ, off] = [`in-p ${minute(5)}`, `in-q ${minute(7)}`, `stays ${minute(6)}`]
      const readAll = async () => ({
        all: await read({}),
        p: await read({ projectId: 'p' }),
        since: await read({ projectId: 'p' }, minute(6)),
        q: await read({ projectIds: ['q'] }),
        both: await read({ projectIds: ['q', 'p'] }),
        r: await read({ projectId: 'r' }),
        withR: await read({ projectIds: ['p', 'r'] })
      })
      const expected = { p: [inP, off], since: [off], q: [inQ], both: [inP, off, inQ] }
      assert.deepEqual(await readAll(), { ...expected, all: [off], r: [], withR: [off] })
      const pages: string[] = []
      for (let after: RemovalPosition | null = null; pages.length < 4; ) {
        const found: RemovedBlog[] = await store.blogs.removedSince({ ...ACME, projectIds: ['q', 'p'] }, minute(0), {
          after,
          limit: 1
        })
        if (found.length === 0) break
        pages.push(...found.map(({ slug, at }) => `${slug} ${at}`))
        after = found.at(-1)!
      }
      assert.deepEqual(pages, expected.both)
      await store.blogs.save(next(moved, { title: 'Still in r' }), 1)
      await store.blogs.delete(tombstoneOf(moved, { deletedAt: minute(9), departures }), 2)
      const gone = `in-r ${minute(9)}`
      assert.deepEqual(await readAll(), { ...expected, all: [off, gone], r: [gone], withR: [off, gone] })
    }
  },
  {
    title: 'a blog that returned to a project is not listed as removed',
    run: async ({ store }) => {
      const departure = (projectId: string) => ({ projectId, slug: 'a', at: minute(5) })
      const [blog] = await addBlogs(store, [{ slug: 'a', projectId: 'q', departures: [departure('p')] }])
      if (blog === undefined) throw new Error('not added')
      const read = async (projectId: string) =>
        (await store.blogs.removedSince({ ...ACME, projectId }, minute(0), { after: null, limit: 9 })).length
      assert.deepEqual([await read('p'), await read('q')], [1, 0])
      const back = next(blog, { projectId: 'p', departures: [departure('q')] })
      await store.blogs.save(back, 1)
      assert.deepEqual([await read('p'), await read('q')], [0, 1])
      await store.blogs.save(next(back, { departures: [] }), 2)
      assert.deepEqual([await read('p'), await read('q')], [0, 0])
    }
  },
  {
    title: 'a blog that is public again is not listed as removed',
    run: async ({ store }) => {
      const [blog] = await addBlogs(store, [{ status: 'unpublished', withdrawnAt: minute(10) }])
      if (blog === undefined) return
      assert.equal((await store.blogs.removedSince(ACME, minute(0), { after: null, limit: 100 })).length, 1)
      await store.blogs.save(next(blog, { status: 'published', withdrawnAt: null }), 1)
      assert.deepEqual(await store.blogs.removedSince(ACME, minute(0), { after: null, limit: 100 }), [])
    }
  },
  {
    title: 'removed blogs are listed within a project and the scope of the caller',
    run: async ({ store }) => {
      const [, deleted] = await addBlogs(store, [
        { slug: 'in-p', projectId: 'p', status: 'unpublished', withdrawnAt: minute(1) },
        { slug: 'in-q', projectId: 'q' }
      ])
      if (deleted !== undefined) await store.blogs.delete(tombstoneOf(deleted), 1)
      const listRemoved = async (reader: object) =>
        (await store.blogs.removedSince({ ...ACME, ...reader }, minute(0), { after: null, limit: 100 })).map(
          ({ slug }) => slug
        )
      assert.deepEqual(await listRemoved({}), ['in-p', 'in-q'])
      assert.deepEqual(await listRemoved({ projectId: 'p' }), ['in-p'])
      assert.deepEqual(await listRemoved({ projectId: 'q' }), ['in-q'])
      assert.deepEqual(await listRemoved({ projectIds: ['q'] }), ['in-q'])
      assert.deepEqual(await listRemoved({ projectIds: ['q'], projectId: 'p' }), [])
      assert.deepEqual(await listRemoved({ projectIds: [] }), [])
    }
  },
  {
    title: 'due scheduled blogs are listed for all accounts, earliest first',
    run: async ({ store }) => {
      const made = await addBlogs(
        store,
        [
          { publishAt: minute(7), accountId: 'zeta' },
          { publishAt: minute(5) },
          { publishAt: minute(6) },
          { publishAt: minute(6) },
          { publishAt: minute(8) },
          { publishAt: minute(1), status: 'draft' as const },
          { publishAt: minute(1), status: 'published' as const }
        ].map((change) => ({ status: 'scheduled' as const, publishedAt: null, ...change }))
      )
      const due = [1, 2, 3, 0]
        .map((at) => made[at])
        .map((blog) => ({ accountId: blog?.accountId, id: blog?.id, publishAt: blog?.publishAt }))
      assert.deepEqual(await sweepList((page) => store.blogs.dueToPublish(minute(7), page)), due)
      assert.deepEqual(await sweepList((page) => store.blogs.dueToPublish(minute(4), page)), [])
    }
  },
  {
    title: 'blogs with outdated renderings are listed by version and id, for all accounts and statuses',
    run: async ({ store }) => {
      await addBlogs(store, [
        { id: idOf(0x203), rulesVersion: '1' },
        { id: idOf(0x201), rulesVersion: '3', accountId: 'zeta' },
        { id: idOf(0x202), rulesVersion: '2' },
        { id: idOf(0x204), rulesVersion: '1', status: 'draft' }
      ])
      const stale = [
        { accountId: 'acme', id: idOf(0x203) },
        { accountId: 'acme', id: idOf(0x204) },
        { accountId: 'zeta', id: idOf(0x201) }
      ]
      assert.deepEqual(await sweepList((page) => store.blogs.renderedByOtherRules('2', page)), stale)
    }
  }
]
