import assert from 'node:assert/strict'
import type { BlogFilter, BlogPosition } from '../../../../ports/store/port.ts'
import { BLOG_SORTS } from '../../../../schemas/blog.ts'
import type { StoreCase } from '../case.ts'
import { ACME, addBlogs, withoutBody, idOf, listed, minute, type BlogChange } from '../fixtures/content.ts'

/** One blog has all of what is filtered by, every other lacks one thing. */
const WANTED: BlogChange = {
  slug: 'wanted',
  projectId: 'shop',
  category: 'Tea',
  tags: ['x', 'green'],
  locale: 'de',
  authors: [{ name: 'Ann' }, { name: 'Zoë' }],
  publishedAt: minute(50),
  updatedAt: minute(60),
  body: { textTerms: ['kettle'] }
}
const LACKING: BlogChange[] = [
  { projectId: 'site' },
  { category: 'Teas' },
  { category: null },
  { tags: ['greens'] },
  { tags: [] },
  { locale: 'de-AT' },
  { authors: [] },
  { authors: [{ name: 'Zoe' }] },
  { publishedAt: minute(40) },
  { publishedAt: minute(55) },
  { updatedAt: minute(59) },
  { status: 'draft' },
  { accountId: 'zeta' },
  { body: { textTerms: ['kettles'] } }
]
const FILTER: Partial<BlogFilter> = {
  projectId: 'shop',
  category: 'Tea',
  tag: 'green',
  locale: 'de',
  author: 'Zoë',
  publishedAfter: minute(40),
  publishedBefore: minute(55),
  updatedSince: minute(60),
  terms: ['kettle', 'post']
}

export const blogListCases: StoreCase[] = [
  {
    title: 'blogs are listed by publication date, latest first, then by id descending; those without a date come last',
    run: async ({ store }) => {
      const of = (slug: string, id: number, publishedAt: string | null): BlogChange => ({
        slug,
        id: idOf(id),
        publishedAt
      })
      await addBlogs(store, [
        of('c', 0x103, minute(5)),
        of('e', 0x109, null),
        of('a', 0x101, minute(9)),
        of('f', 0x108, null),
        of('b', 0x105, minute(5)),
        of('d', 0x102, minute(5))
      ])
      for (const status of ['published', 'any'] as const) {
        assert.deepEqual(await listed(store, { status }), { slugs: ['a', 'b', 'c', 'd', 'e', 'f'], total: 6 })
      }
    }
  },
  {
    title: 'the pages of a list contain every blog once, and a page past the end is empty with the correct total',
    run: async ({ store }) => {
      const made = await addBlogs(
        store,
        Array.from({ length: 11 }, (_, at) => ({ publishedAt: minute(Math.floor(at / 3)) }))
      )
      const pages = await Promise.all([1, 2, 3, 4, 1000].map((page) => listed(store, {}, { page, pageSize: 4 })))
      assert.deepEqual(
        pages.map(({ slugs }) => slugs.length),
        [4, 4, 3, 0, 0]
      )
      assert.deepEqual(
        pages.map(({ total }) => total),
        [11, 11, 11, 11, 11]
      )
      assert.deepEqual(
        pages.flatMap(({ slugs }) => slugs),
        (await listed(store)).slugs
      )
      assert.deepEqual(new Set(pages.flatMap(({ slugs }) => slugs)), new Set(made.map(({ slug }) => slug)))
    }
  },
  {
    title: 'a list of one status contains only that status, and a list of any status contains all blogs',
    run: async ({ store }) => {
      const states = ['draft', 'scheduled', 'published', 'unpublished'] as const
      await addBlogs(
        store,
        states.map((status) => ({ status, slug: status }))
      )
      for (const status of states) assert.deepEqual(await listed(store, { status }), { slugs: [status], total: 1 })
      assert.equal((await listed(store, { status: 'any' })).total, 4)
    }
  },
  ...Object.keys(FILTER).map(
    (name): StoreCase => ({
      title: `a list is narrowed by ${name}, and its total with it`,
      run: async ({ store }) => {
        const made = await addBlogs(store, [
          WANTED,
          ...LACKING.map((lack, at) => ({ ...WANTED, slug: `lacks-${at}`, ...lack }))
        ])
        const value = FILTER[name as keyof BlogFilter]
        const { slugs, total } = await listed(store, { status: 'published', [name]: value })
        const keeps =
          {
            projectId: made.filter((blog) => blog.projectId === 'shop'),
            category: made.filter((blog) => blog.category === 'Tea'),
            tag: made.filter((blog) => blog.tags.includes('green')),
            locale: made.filter((blog) => blog.locale === 'de'),
            author: made.filter((blog) => blog.authors.some(({ name }) => name === 'Zoë')),
            publishedAfter: made.filter((blog) => blog.publishedAt !== minute(40)),
            publishedBefore: made.filter((blog) => blog.publishedAt !== minute(55)),
            updatedSince: made.filter((blog) => blog.updatedAt !== minute(59)),
            terms: made.filter((blog) => !blog.body.textTerms.includes('kettles'))
          }[name] ?? []
        assert.deepEqual(
          new Set(slugs),
          new Set(
            keeps.filter((blog) => blog.status === 'published' && blog.accountId === 'acme').map(({ slug }) => slug)
          )
        )
        assert.equal(total, slugs.length)
      }
    })
  ),
  ...BLOG_SORTS.map(
    (sort): StoreCase => ({
      title: `blogs are listed in the order ${sort}, then by id in the same direction, page by page`,
      run: async ({ store }) => {
        // The values of the three orders differ, so that each order differs from the others.
        const values = [5, 2, 9, 2, 7, 2, 5]
        await addBlogs(
          store,
          values.map((value, at) => ({
            slug: `${value}-${at}`,
            id: idOf(0x300 + ((at * 3) % values.length)),
            status: 'scheduled' as const,
            title: ['b', 'É', 'f', 'É', 'a', 'é', 'B'][at]!,
            publishedAt: minute(value),
            updatedAt: minute(40 - value),
            publishAt: minute((value * 7) % 10)
          }))
        )
        const { blogs } = await store.blogs.list(
          { ...ACME, status: 'scheduled' },
          { page: 1, pageSize: 100, withBody: false }
        )
        const field = sort.replace('-', '') as 'title' | 'publishedAt' | 'updatedAt' | 'publishAt'
        const valueOf = (blog: (typeof blogs)[number]) =>
          `${field === 'title' ? blog.title.toLowerCase().replace('é', 'e') : blog[field]} ${blog.id}`
        const ascending = blogs.toSorted((a, b) => (valueOf(a) < valueOf(b) ? -1 : 1)).map(({ slug }) => slug)
        const expected = sort.startsWith('-') ? ascending.reverse() : ascending
        const statuses = sort === 'publishAt' ? (['scheduled'] as const) : (['scheduled', 'any'] as const)
        for (const status of statuses) {
          assert.deepEqual((await listed(store, { status, sort })).slugs, expected)
          assert.deepEqual((await listed(store, { status, sort, projectId: 'site' })).slugs, expected)
          assert.deepEqual((await listed(store, { status, sort, terms: ['hi'] })).slugs, expected)
          const pages = await Promise.all(
            [1, 2, 3].map((page) => listed(store, { status, sort }, { page, pageSize: 3 }))
          )
          assert.deepEqual(
            pages.flatMap(({ slugs }) => slugs),
            expected
          )
        }
      }
    })
  ),
  {
    title: 'a list is narrowed by language and by locale, whatever their case',
    run: async ({ store }) => {
      const locales = ['de', 'de-AT', 'DE-at', 'den', 'en']
      await addBlogs(
        store,
        locales.map((locale, at) => ({ slug: `${at}`, locale }))
      )
      const slugsOf = async (filter: Partial<BlogFilter>) => (await listed(store, filter)).slugs.toSorted()
      assert.deepEqual(await slugsOf({ language: 'de' }), ['0', '1', '2'])
      assert.deepEqual(await slugsOf({ locale: 'De-aT' }), ['1', '2'])
      assert.deepEqual(await slugsOf({ locale: 'DE' }), ['0'])
    }
  },
  {
    title: 'all filters are combined',
    run: async ({ store }) => {
      await addBlogs(store, [WANTED, ...LACKING.map((lack, at) => ({ ...WANTED, slug: `lacks-${at}`, ...lack }))])
      assert.deepEqual(await listed(store, FILTER), { slugs: ['wanted'], total: 1 })
      assert.equal((await listed(store, { ...FILTER, status: 'any', projectIds: ['shop'] })).total, 2)
    }
  },
  {
    title: 'a scope that is restricted to projects returns only blogs of those projects',
    run: async ({ store }) => {
      await addBlogs(
        store,
        ['a', 'b', 'c', 'b'].map((projectId, at) => ({
          projectId,
          slug: `${projectId}-${at}`,
          publishedAt: minute(at)
        }))
      )
      assert.deepEqual(await listed(store, { projectIds: ['b'] }), { slugs: ['b-3', 'b-1'], total: 2 })
      assert.deepEqual(await listed(store, { projectIds: ['c', 'a', 'nothing'] }), { slugs: ['c-2', 'a-0'], total: 2 })
      assert.deepEqual(await listed(store, { projectIds: [] }), { slugs: [], total: 0 })
      assert.deepEqual(await listed(store, { projectIds: ['a'], projectId: 'b' }), { slugs: [], total: 0 })
      assert.deepEqual(await listed(store, { projectIds: ['a', 'b'], projectId: 'b' }), {
        slugs: ['b-3', 'b-1'],
        total: 2
      })
      assert.deepEqual(await listed(store, { projectIds: ['a', 'b'], terms: ['hi'] }, { page: 2, pageSize: 2 }), {
        slugs: ['a-0'],
        total: 3
      })
    }
  },
  {
    title: 'a list contains bodies only when they are requested',
    run: async ({ store }) => {
      const [blog] = await addBlogs(store, [{ tags: ['a'] }])
      const filter: BlogFilter = { ...ACME, status: 'published' }
      assert.deepEqual(await store.blogs.list(filter, { page: 1, pageSize: 5, withBody: true }), {
        blogs: [blog],
        totalCount: 1
      })
      assert.deepEqual(await store.blogs.list(filter, { page: 1, pageSize: 5, withBody: false }), {
        blogs: [withoutBody(blog as Exclude<typeof blog, undefined>)],
        totalCount: 1
      })
    }
  },
  {
    title: 'a list includes every change that has been acknowledged',
    run: async ({ store }) => {
      for (let count = 1; count <= 5; count++) {
        await addBlogs(store, [{}])
        assert.equal((await listed(store)).total, count)
      }
    }
  },
  {
    title: 'a list continues after a position, whose blog need not exist any more',
    run: async ({ store }) => {
      const tea = { titleTerms: ['tea'], textTerms: [] }
      const text = { titleTerms: [], textTerms: ['tea'] }
      const blogs = await addBlogs(store, [
        { slug: 't2', title: 'É', publishedAt: minute(2), body: tea },
        { slug: 't1', title: 'e', publishedAt: minute(2), body: tea },
        { slug: 'x4', title: 'A', publishedAt: minute(4), body: text },
        { slug: 'x0', title: 'b', publishedAt: null, status: 'draft', body: text },
        { slug: 'x1', title: 'c', publishedAt: null, status: 'draft', body: text }
      ])
      const [t2, t1, x4, x0, x1] = blogs.map(({ id }) => id)
      const after = async (change: Partial<BlogFilter>, position: BlogPosition) => {
        const filter: BlogFilter = { ...ACME, status: 'any', ...change }
        const found = await store.blogs.listAfter(filter, { after: position, limit: 3, withBody: false })
        return found.map(({ slug }) => slug)
      }
      const at = (value: string | null, id = '', inTitle?: boolean): BlogPosition => ({
        value,
        id,
        ...(inTitle === undefined ? {} : { inTitle })
      })
      assert.deepEqual(await after({}, at(minute(4), x4)), ['t1', 't2', 'x1'])
      assert.deepEqual(await after({}, at(minute(2), t1)), ['t2', 'x1', 'x0'])
      assert.deepEqual(await after({}, at(null, x1)), ['x0'])
      assert.deepEqual(await after({}, at(null, x0)), [])
      assert.deepEqual(await after({ sort: 'publishedAt' }, at(null, x0)), ['x1', 't2', 't1'])
      assert.deepEqual(await after({ sort: 'publishedAt' }, at(minute(2), t2)), ['t1', 'x4'])
      assert.deepEqual(await after({ sort: 'title' }, at('b', x0)), ['x1', 't2', 't1'])
      assert.deepEqual(await after({ sort: '-title' }, at('e', t1)), ['t2', 'x1', 'x0'])
      assert.deepEqual(await after({ sort: '-title' }, at('bb')), ['x0', 'x4'])
      assert.deepEqual(await after({ status: 'published', publishedAfter: minute(1) }, at(minute(3))), ['t1', 't2'])
      const terms = ['te']
      assert.deepEqual(await after({ terms }, at(minute(2), t1, true)), ['t2', 'x4', 'x1'])
      assert.deepEqual(await after({ terms }, at(minute(2), t2, true)), ['x4', 'x1', 'x0'])
      assert.deepEqual(await after({ terms }, at(minute(4), x4, false)), ['x1', 'x0'])
      assert.deepEqual(await after({ terms, sort: 'publishedAt' }, at(minute(2), t1)), ['x4'])
      const [listed] = await store.blogs.listAfter(
        { ...ACME, status: 'any' },
        { after: at(minute(4), x4), limit: 1, withBody: true }
      )
      assert.deepEqual(listed, blogs[1])
    }
  }
]
