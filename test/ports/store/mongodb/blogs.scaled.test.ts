import t, { type Test } from 'tap'
import { createBlogs } from '../../../../ports/store/mongodb/blogs/index.ts'
import { countTotal } from '../../../../ports/store/mongodb/blogs/count.ts'
import { foldChanges } from '../../../../ports/store/mongodb/blogs/totals/fold.ts'
import { createBlogResponses } from '../../../../ports/store/mongodb/blogs/responses.ts'
import type { Database } from '../../../../ports/store/mongodb/database.ts'
import { OLDEST_VERSION, schemaCollection } from '../../../../ports/store/mongodb/schema-version.ts'
import { createEvents } from '../../../../ports/store/mongodb/events/index.ts'
import { createImages } from '../../../../ports/store/mongodb/images.ts'
import type { BlogRecord, PreparedBlog, ProjectScope, Store } from '../../../../ports/store/port.ts'
import {
  ACME,
  buildBlog,
  buildImage,
  listed,
  minute,
  next,
  tombstoneOf
} from '../../../contracts/store/fixtures/content.ts'
import { buildEvent } from '../../../contracts/store/fixtures/webhooks.ts'
import { killedAfter, killedEverywhere, survived } from '../../../fixtures/mongodb/faults.ts'
import { createTestDatabase } from '../../../fixtures/mongodb/test-database.ts'
import { indexesFor, recordQueries, type Query } from '../../../fixtures/mongodb/query-plans.ts'
import { MONGODB_URL } from '../../../profile.ts'

type Part = Pick<Store, 'blogs' | 'blogResponses' | 'images' | 'events'>
const storeOf = (database: Database): Part => ({
  blogs: createBlogs(database),
  blogResponses: createBlogResponses(database),
  images: createImages(database),
  events: createEvents(database)
})
const skip = MONGODB_URL === undefined ? { skip: 'TEST_MONGODB_URL is not set' } : {}

async function setUp(t: Test) {
  const own = await createTestDatabase(t)
  const [one, other] = [await own.open(), await own.open()]
  return { ...own, one, other, store: storeOf(one), others: storeOf(other) }
}

const eventsOf = async ({ events }: Part) => (await events.list('acme', { after: 0, limit: 100 })).map(({ id }) => id)
const all = async (part: Part) => await listed(part as Store, { status: 'any' })

t.test('a crash at any point while a blog is added leaves the blog with its events, or nothing', skip, async (t) => {
  const { one, others, empty } = await setUp(t)
  const kills = await killedEverywhere(async (calls) => {
    await empty()
    const [blog, event] = [buildBlog({ slug: 'tea', tags: ['a'], body: { textTerms: ['kettle'] } }), buildEvent()]
    const ended = await survived(storeOf(killedAfter(one, calls)).blogs.add(blog, [event]))
    const there = await others.blogs.find('acme', blog.id)
    t.strictSame(there, calls === 0 ? null : blog, `killed after ${calls}`)
    t.strictSame(await eventsOf(others), there === null ? [] : [event.id])
    t.strictSame(
      await listed(others as Store, { terms: ['kettle'], tag: 'a' }),
      there === null ? { slugs: [], total: 0 } : { slugs: ['tea'], total: 1 }
    )
    return ended
  })
  // The blog and its event are one document.
  t.equal(kills, 1)
})

t.test(
  'a crash at any point while a blog is saved leaves the old blog, or the new one with its events',
  skip,
  async (t) => {
    const { one, store, others, empty } = await setUp(t)
    await killedEverywhere(async (calls) => {
      await empty()
      const [blog, event] = [buildBlog({ slug: 'tea', body: { textTerms: ['kettle'] } }), buildEvent()]
      await store.blogs.add(blog)
      const saved = next(blog, {
        slug: 'milk',
        formerSlugs: [{ slug: 'tea', leftAt: minute(3) }],
        body: { textTerms: ['jug'] }
      })
      const ended = await survived(storeOf(killedAfter(one, calls)).blogs.save(saved, 1, [event]))
      const isNew = (await others.blogs.findMetadata('acme', blog.id))?.version === 2
      t.equal(isNew, calls > 0, `killed after ${calls}`)
      t.strictSame(await others.blogs.find('acme', blog.id), isNew ? saved : blog)
      t.strictSame(await eventsOf(others), isNew ? [event.id] : [])
      t.equal((await others.blogs.resolveSlug(ACME, 'tea'))?.kind, isNew ? 'moved' : 'blog')
      t.equal((await listed(others as Store, { terms: [isNew ? 'jug' : 'kettle'] })).total, 1)
      return ended
    })
  }
)

t.test('a crash at any point while a blog is deleted leaves all of it or nothing', skip, async (t) => {
  const { one, store, others, empty } = await setUp(t)
  const kills = await killedEverywhere(async (calls) => {
    await empty()
    const [blog, event] = [buildBlog({ slug: 'tea' }), buildEvent()]
    await store.blogs.add(blog)
    await store.blogs.setRelated('acme', [{ id: blog.id, related: [{ id: 'x', score: 1 }] }])
    await store.images.insertIfAbsent(buildImage(blog.id, 'a.jpg'))
    const ended = await survived(storeOf(killedAfter(one, calls)).blogs.delete(tombstoneOf(blog), 1, [event]))
    const isGone = (await others.blogs.findTombstone('acme', blog.id)) !== null
    t.equal(isGone, calls > 0, `killed after ${calls}`)
    t.strictSame(await others.blogs.find('acme', blog.id), isGone ? null : blog)
    t.equal((await others.images.find(blog.id, 'a.jpg')) === null, isGone)
    t.equal((await others.images.list('acme', blog.id)).length, isGone ? 0 : 1)
    t.equal((await others.blogs.related('acme', blog.id)).length, isGone ? 0 : 1)
    t.strictSame(await eventsOf(others), isGone ? [event.id] : [])
    t.equal((await others.blogs.resolveSlug(ACME, 'tea'))?.kind, isGone ? 'gone' : 'blog')
    t.equal((await all(others)).total, isGone ? 0 : 1)
    if (ended) t.equal(await one.collection('images').countDocuments({}), 0)
    return ended
  })
  t.ok(kills > 3)
})

t.test('images left by a crash during a deletion are deleted with the next blog', skip, async (t) => {
  const { one, other, store, others } = await setUp(t)
  const [first, second] = [buildBlog(), buildBlog({ accountId: 'zeta' })]
  for (const blog of [first, second]) {
    await store.blogs.add(blog)
    await store.images.insertIfAbsent(buildImage(blog.id, 'a.jpg', { accountId: blog.accountId }))
  }
  t.equal(await survived(storeOf(killedAfter(one, 1)).blogs.delete(tombstoneOf(first), 1)), false)
  t.equal(await other.collection('images').countDocuments({}), 2)
  await others.blogs.delete(tombstoneOf(second), 1)
  t.equal(await other.collection('images').countDocuments({}), 0)
})

t.test('of twenty blogs that two processes add with the same slug exactly one is stored', skip, async (t) => {
  const { store, others } = await setUp(t)
  const results = await Promise.allSettled(
    Array.from({ length: 20 }, (_, at) =>
      (at % 2 === 0 ? store : others).blogs.add(buildBlog({ slug: 'tea' }), [buildEvent()])
    )
  )
  const refused = results.filter((result) => result.status === 'rejected')
  t.strictSame(
    refused.map(({ reason }) => reason.code),
    refused.map(() => 'slug_taken')
  )
  t.equal(refused.length, 19)
  t.strictSame(await all(others), { slugs: ['tea'], total: 1 })
  t.equal((await eventsOf(others)).length, 1)
})

t.test(
  'concurrent changes of a blog in two processes keep all versions, events and related entries',
  skip,
  async (t) => {
    const { store, others } = await setUp(t)
    const blog = buildBlog()
    await store.blogs.add(blog)
    const events = Array.from({ length: 20 }, () => buildEvent())
    const related = [{ id: 'x', score: 1 }]
    await Promise.all(
      events.map(async (event, at) => {
        const { blogs } = at % 2 === 0 ? store : others
        await blogs.setRelated('acme', [{ id: blog.id, related }])
        for (;;) {
          const head = await blogs.findMetadata('acme', blog.id)
          if (head !== null && (await blogs.save({ ...blog, version: head.version + 1 }, head.version, [event]))) return
        }
      })
    )
    t.equal((await store.blogs.findMetadata('acme', blog.id))?.version, 21)
    t.strictSame(new Set(await eventsOf(store)), new Set(events.map(({ id }) => id)))
    t.strictSame(await store.blogs.related('acme', blog.id), related)
  }
)

t.test('a slug that a public blog gives up and takes back always resolves', skip, async (t) => {
  const { store, others } = await setUp(t)
  const blog = buildBlog({ slug: 'tea' })
  await store.blogs.add(blog)
  const renamed = new AbortController()
  const answers: (string | undefined)[] = []
  const reading = Array.from({ length: 4 }, async () => {
    while (!renamed.signal.aborted) answers.push((await others.blogs.resolveSlug(ACME, 'tea'))?.kind)
  })
  for (let version = 1; version <= 60; version++) {
    const away = version % 2 === 1
    await store.blogs.save(
      {
        ...blog,
        version: version + 1,
        slug: away ? 'milk' : 'tea',
        formerSlugs: away ? [{ slug: 'tea', leftAt: minute(version) }] : []
      },
      version
    )
  }
  renamed.abort()
  await Promise.all(reading)
  t.notOk(answers.includes(undefined), `${answers.length} answers`)
  t.strictSame(new Set(answers), new Set(['blog', 'moved']))
})

t.test('a list leaves out a blog that is unpublished while the list is read', skip, async (t) => {
  const { one, store } = await setUp(t)
  const [stays, leaves, ...newer] = [buildBlog(), buildBlog(), buildBlog(), buildBlog()]
  for (const blog of [stays, leaves, ...newer]) await store.blogs.add(blog)
  // Unpublishes the blog between the query for ids and the query for blogs.
  const late = {
    ...one,
    collection: (name: string) =>
      new Proxy(one.collection(name), {
        get: (target, method) =>
          method !== 'aggregate'
            ? typeof Reflect.get(target, method, target) === 'function'
              ? Reflect.get(target, method, target).bind(target)
              : Reflect.get(target, method, target)
            : (stages: { $match?: { _id?: { $in?: string[] } } }[], options: object) => {
                const cursor = target.aggregate(stages, options)
                const iterate = cursor[Symbol.asyncIterator].bind(cursor)
                cursor[Symbol.asyncIterator] = async function* () {
                  if (stages[0]?.$match?._id?.$in !== undefined) {
                    await store.blogs.save(next(leaves, { status: 'unpublished', withdrawnAt: minute(9) }), 1)
                  }
                  yield* iterate()
                }
                return cursor
              }
      })
  } as unknown as Database
  const { blogs } = await createBlogs(late).list(
    { ...ACME, status: 'published' },
    { page: 2, pageSize: 2, withBody: true }
  )
  t.strictSame(blogs, [stays])
})

t.test('a blog with a million characters fits, and a blog that exceeds a document is rejected', skip, async (t) => {
  const { store } = await setUp(t)
  const words = Array.from({ length: 5000 }, (_, at) => `${at}`.padEnd(64, 'x'))
  const large = buildBlog({
    body: {
      source: { ...buildBlog().body.source, text: 'ä'.repeat(1_000_000) },
      html: '&lt;'.repeat(1_000_000),
      textTerms: words,
      vector: words.map((word) => [word, 0.5])
    }
  })
  await store.blogs.add(large)
  t.strictSame(await store.blogs.find('acme', large.id), large)
  const tooLarge = next(large, { body: { html: 'x'.repeat(15 * 2 ** 20) } })
  for (const operation of [
    store.blogs.save(tooLarge, 1),
    store.blogs.add({ ...tooLarge, id: 'another', slug: 'another' })
  ]) {
    await t.rejects(operation as Promise<void>, {
      code: 'payload_too_large',
      statusCode: 413,
      message: /^The blog with its rendered content would take 1[5-9]\d{6,7} bytes; the limit is 15728640\.$/,
      options: { members: { limit: 15_728_640 } }
    })
  }
  t.strictSame(await store.blogs.find('acme', large.id), large)
})

const PAGE = { page: 3, pageSize: 20, withBody: false }
const AFTER = { after: { value: minute(1), id: 'first' }, limit: 20, withBody: false }

function preparedOf({ accountId, id, version, updatedAt }: BlogRecord): PreparedBlog {
  return { accountId, id, version, updatedAt, basis: 'basis', item: Buffer.from('{}'), content: null }
}

const list =
  (filter: object, page = PAGE) =>
  async ({ blogs }: Part) =>
    await blogs.list({ ...ACME, status: 'published', ...filter }, page)

/** Lists count all blogs, as before the first cleanup: see `svc migrate`. */
const withoutTotals = async (database: Database) => {
  await schemaCollection(database).updateOne({ _id: 'schema' }, { $set: { version: OLDEST_VERSION } })
}

t.test('an unfiltered list and a list with one filter are read from an index in order', skip, async (t) => {
  const { one } = await setUp(t)
  await withoutTotals(one)
  const readList = async (filter: object) => {
    const queries = await recordQueries(one, async (database) => await list(filter)(storeOf(database)))
    const isPage = ({ sort }: Query) => Object.keys(sort).length > 0
    const ofBlogs = queries.filter(({ collection }) => collection === 'blogs')
    return [ofBlogs.find((query) => !isPage(query)), ofBlogs.find(isPage)]
  }
  const lists: Record<string, [object, string]> = {
    all: [{}, 'list_by_date'],
    drafts: [{ status: 'draft' }, 'list_by_date'],
    'any status': [{ status: 'any' }, 'list_any_status_by_date'],
    project: [{ projectId: 'site' }, 'list_of_project'],
    'confined to a project': [{ projectIds: ['site'] }, 'list_of_project'],
    'confined to projects': [{ projectIds: ['a', 'b'] }, 'list_by_date'],
    category: [{ category: 'Tea' }, 'list_of_category'],
    locale: [{ locale: 'en' }, 'list_of_locale'],
    author: [{ author: 'Ann' }, 'list_of_author'],
    tag: [{ tag: 'a' }, 'list_of_tag'],
    publishedAfter: [{ publishedAfter: minute(1) }, 'list_by_date'],
    updatedSince: [{ updatedSince: minute(1) }, 'list_by_date']
  }
  for (const [name, [filter, index]] of Object.entries(lists)) {
    const [count, page] = await readList(filter)
    t.ok(indexesFor({ ...count!, sort: {} }).includes(index), name)
    t.ok(indexesFor(page!).includes(index), name)
    t.strictSame(page?.sort, { 'metadata.publishedAt': -1, _id: -1 }, name)
  }
  const sorts: Record<string, [object, string]> = {
    '-updatedAt': [{ sort: '-updatedAt' }, 'list_by_update'],
    'updatedAt of any status': [{ sort: 'updatedAt', status: 'any' }, 'list_any_status_by_update'],
    title: [{ sort: 'title' }, 'list_by_title'],
    '-title of any status': [{ sort: '-title', status: 'any' }, 'list_any_status_by_title'],
    publishAt: [{ sort: 'publishAt', status: 'scheduled' }, 'list_by_schedule'],
    publishedAt: [{ sort: 'publishedAt' }, 'list_by_date']
  }
  for (const [name, [filter, index]] of Object.entries(sorts)) {
    const [, page] = await readList(filter)
    t.ok(indexesFor(page!).includes(index), name)
  }
})

t.test('a count of a list names an index that serves its filter', skip, async (t) => {
  const { one } = await setUp(t)
  await withoutTotals(one)
  const count = async (work: (store: Part) => Promise<unknown>) =>
    (await recordQueries(one, async (database) => await work(storeOf(database)))).find(({ hint }) => hint !== undefined)
  const filters: [object, string][] = [
    [{}, 'list_by_date'],
    [{ projectId: 'site' }, 'list_of_project'],
    [{ projectIds: ['a', 'b'] }, 'list_by_date'],
    [{ projectId: 'site', category: 'Tea' }, 'list_of_category'],
    [{ projectId: 'site', locale: 'en' }, 'list_of_project'],
    [{ locale: 'en' }, 'list_of_locale'],
    [{ projectId: 'site', language: 'en' }, 'list_of_project'],
    [{ category: 'Tea', author: 'Ann' }, 'list_of_author'],
    [{ category: 'Tea', tag: 'a' }, 'list_of_tag'],
    [{ publishedBefore: minute(1) }, 'list_by_date'],
    [{ projectId: 'site', updatedSince: minute(1) }, 'list_by_update'],
    [{ status: 'any' }, 'list_any_status_by_date'],
    [{ status: 'any', projectId: 'site', author: 'Ann' }, 'by_project'],
    [{ status: 'any', tag: 'a' }, 'list_of_tag'],
    [{ status: 'any', updatedSince: minute(1) }, 'list_any_status_by_update'],
    [{ status: 'draft', projectId: 'site' }, 'list_of_project']
  ]
  for (const [filter, index] of filters) {
    for (const number of [1, 2]) {
      const query = await count(list(filter, { ...PAGE, page: number }))
      t.equal(query?.hint, index, JSON.stringify(filter))
      t.ok(indexesFor({ ...query!, sort: {} }).includes(index), JSON.stringify(filter))
    }
  }
  for (const sort of [undefined, 'title'] as const) {
    const queries = await recordQueries(one, async (database) => {
      await list({ terms: ['tea'], ...(sort && { sort }) })(storeOf(database))
    })
    const hints = queries.flatMap(({ hint }) => hint ?? [])
    t.same(new Set(hints), new Set(sort === undefined ? ['by_term', 'by_title_term'] : ['by_term']), `search ${sort}`)
    for (const query of queries.filter(({ hint }) => hint !== undefined)) {
      t.ok(indexesFor({ ...query, sort: {} }).includes(query.hint as string), `search ${sort}`)
    }
  }
  const prepared = await count(
    async ({ blogResponses }) => await blogResponses.list({ ...ACME, projectId: 'site' }, PAGE)
  )
  t.equal(prepared?.hint, 'list_of_project')
})

t.test('of many blogs within a time, those of few in a language are not counted one by one', skip, async (t) => {
  const { one, store } = await setUp(t)
  const locales = Array.from({ length: 30 }, (_, at) => (at % 15 === 0 ? 'fr' : 'en'))
  await store.blogs.addMany(locales.map((locale) => ({ blog: buildBlog({ locale }), events: [] })))
  while ((await foldChanges(one, 'acme')) > 0);
  const filter = { ...ACME, status: 'published', locale: 'fr', updatedSince: '2000-01-01T00:00:00.000Z' } as const
  for (const [few, counts] of [
    [10, [{}]],
    [1000, [{}, { 'keys.locale': 'fr' }]]
  ] as const) {
    let total = 0
    const queries = await recordQueries(one, async (database) => {
      total = await countTotal(database, filter, few)
    })
    t.equal(total, 2)
    const counted = queries.filter(({ filter }) => 'metadata.updatedAt' in filter)
    t.match(
      counted.map(({ filter }) => filter),
      counts,
      `${few}`
    )
    t.equal(counted.length, counts.length)
  }
})

t.test('a page behind the end of a list reads no blogs', skip, async (t) => {
  const { one, store } = await setUp(t)
  await store.blogs.addMany(Array.from({ length: 5 }, () => ({ blog: buildBlog(), events: [] })))
  for (const page of [100, 1_000_000]) {
    const slice = { page, pageSize: 100, withBody: false }
    const read: unknown[] = []
    const queries = await recordQueries(one, async (database) => {
      const { blogs, blogResponses } = storeOf(database)
      read.push(await blogs.list({ ...ACME, status: 'published', tag: 'x', category: 'y' }, slice))
      read.push(await blogResponses.list({ ...ACME, tag: 'x', category: 'y' }, slice))
    })
    t.match(read, [
      { blogs: [], totalCount: 0 },
      { blogs: [], totalCount: 0 }
    ])
    t.strictSame(
      queries.filter(({ sort }) => Object.keys(sort).includes('metadata.publishedAt')),
      [],
      `page ${page}`
    )
  }
})

t.test('every query for blogs and images has an index', skip, async (t) => {
  const { one, store } = await setUp(t)
  const blog = buildBlog({ id: 'first', formerSlugs: [{ slug: 'old', leftAt: minute(1) }] })
  await store.blogs.add(blog)
  const operations: Record<string, (store: Part) => Promise<unknown>> = {
    search: list({ terms: ['post', 'p'] }),
    'search for one beginning': list({ terms: ['p'] }),
    'by slug': async ({ blogs }) => [await blogs.resolveSlug(ACME, 'x'), await blogs.findBySlug(ACME, 'x')],
    'prepared responses': async ({ blogResponses }) => [
      await blogResponses.find(ACME, { slug: 'x' }),
      await blogResponses.find(ACME, { id: 'first' }),
      await blogResponses.list(ACME, PAGE),
      await blogResponses.list(ACME, { after: { value: 'x', id: 'first' }, limit: 20, withBody: false }),
      await blogResponses.save([preparedOf(blog)])
    ],
    'after a position': async ({ blogs }) => {
      for (const filter of [{}, { terms: ['p'] }, { sort: 'title' as const }]) {
        await blogs.listAfter({ ...ACME, status: 'published', ...filter }, AFTER)
      }
    },
    'by id': async ({ blogs }) => [
      await blogs.find('acme', 'first'),
      await blogs.findMetadata('acme', 'first'),
      await blogs.findMetadataById('first'),
      await blogs.findTombstone('acme', 'first'),
      await blogs.findPublished(ACME, ['first'])
    ],
    translations: async ({ blogs }) => [
      await blogs.findTranslations({ accountId: 'acme', projectId: 'site' }, ['a']),
      await blogs.touchTranslations(
        { accountId: 'acme', projectId: 'site' },
        { translationKeys: ['a'], exceptId: 'first', at: minute(1) }
      )
    ],
    categories: async ({ blogs }) => [
      await blogs.countByLabel('category', ACME),
      await blogs.countByLabel('tag', ACME),
      await blogs.countByLabel('author', ACME)
    ],
    removedSince: async ({ blogs }) => [
      await blogs.removedSince(ACME, minute(1), { after: null, limit: 100 }),
      await blogs.removedSince({ ...ACME, projectIds: ['site', 'shop'] }, minute(1), { after: null, limit: 100 })
    ],
    redirects: async ({ blogs }) => await blogs.redirects(ACME),
    due: async ({ blogs }) => await blogs.dueToPublish(minute(1), { after: null, limit: 10 }),
    'stale rules': async ({ blogs }) => await blogs.renderedByOtherRules('2', { after: null, limit: 10 }),
    'any in project': async ({ blogs }) => await blogs.existsInProject('acme', 'site'),
    vectors: async ({ blogs }) => await blogs.vectors('acme', { afterId: null, limit: 10 }),
    related: async ({ blogs }) => [
      await blogs.setRelated('acme', [{ id: 'first', related: [] }]),
      await blogs.related('acme', 'first')
    ],
    images: async ({ images }) => [
      await images.insertIfAbsent(buildImage('first', 'a')),
      await images.list('acme', 'first'),
      await images.find('first', 'a'),
      await images.delete('acme', 'first', 'a')
    ],
    writes: async ({ blogs }) => [
      await blogs.save(next(blog, {}), 1, [buildEvent()]),
      await blogs.delete(tombstoneOf(blog), 2)
    ]
  }
  for (const [name, operation] of Object.entries(operations)) {
    const queries = await recordQueries(one, async (database) => await operation(storeOf(database)))
    t.ok(queries.length > 0, name)
    for (const query of queries) t.not(indexesFor(query).length, 0, `${name}: ${JSON.stringify(query)}`)
  }
})

t.test('a blog of one project is found by its key, not by a range of keys', skip, async (t) => {
  const { one, store } = await setUp(t)
  const blog = buildBlog({ status: 'published' })
  await store.blogs.add(blog)
  const { slug, projectId } = blog
  const reads: Record<string, (part: Part, scope: ProjectScope) => Promise<unknown>> = {
    findBySlug: ({ blogs }, scope) => blogs.findBySlug(scope, slug),
    resolveSlug: ({ blogs }, scope) => blogs.resolveSlug(scope, slug),
    'prepared response': ({ blogResponses }, scope) => blogResponses.find(scope, { slug })
  }
  for (const [name, read] of Object.entries(reads)) {
    const of = async (scope: ProjectScope) => {
      const [query] = await recordQueries(one, async (database) => await read(storeOf(database), scope))
      t.ok(indexesFor(query!).includes('by_slug'), name)
      t.equal(Object.keys(query!.filter)[0], 'slugKey', `${name} names the key first`)
      return typeof query!.filter.slugKey
    }
    t.equal(await of({ ...ACME, projectId }), 'string', `${name} of a project`)
    t.equal(await of({ accountId: 'acme', projectIds: [projectId] }), 'string', `${name} with a key of a project`)
    t.equal(await of(ACME), 'object', `${name} of all projects`)
  }
})

t.test('the response of a list is stored by the id of its blog, and replaces none with content', skip, async (t) => {
  const { one, store } = await setUp(t)
  const blog = buildBlog({ status: 'published' })
  await store.blogs.add(blog)
  const { projectId, slug } = blog
  const content = { etag: '"a"', body: Buffer.from('{"b":2}'), br: null, gzip: null }
  const prepared = preparedOf(blog)
  const stored = async () => (await store.blogResponses.find({ ...ACME, projectId }, { slug }))?.prepared ?? null
  const save = async (response: PreparedBlog) => {
    const [query] = await recordQueries(one, async (database) => await storeOf(database).blogResponses.save([response]))
    t.equal(Object.keys(query!.filter)[0], '_id')
    t.notOk('$nor' in query!.filter, 'beside a $nor, a server may not look for the id')
  }
  await save(prepared)
  t.same(await stored(), null, 'a response without content is not one of a blog')
  await store.blogResponses.save([{ ...prepared, content }])
  t.same((await stored())?.content, content)
  await save(prepared)
  t.same((await stored())?.content, content, 'the same state again')
  await save({ ...prepared, basis: 'another basis' })
  t.same(await stored(), null, 'after a change of the settings')
})

t.test('reads of blogs by their ids are queries of ids alone, so that no other index is tried', skip, async (t) => {
  const { one, store } = await setUp(t)
  const blogs = ['a', 'b'].map((slug) => buildBlog({ slug }))
  for (const blog of blogs) await store.blogs.add(blog)
  const ids = blogs.map(({ id }) => id)
  const queries = await recordQueries(one, async (database) => {
    const part = storeOf(database)
    await part.blogs.list({ ...ACME, status: 'any' }, { page: 2, pageSize: 1, withBody: false })
    await part.blogResponses.list(ACME, { page: 2, pageSize: 1, withBody: false })
    await part.blogs.findPublished(ACME, ids)
    await part.blogs.vectorsOf('acme', ids)
  })
  const byIds = queries.filter(({ filter }) => (filter._id as { $in?: string[] } | undefined)?.$in !== undefined)
  t.equal(byIds.length, 4)
  for (const { filter, hint } of byIds) {
    t.same(Object.keys(filter), ['_id'])
    t.equal(hint, undefined)
  }
  const other = { accountId: 'other', projectIds: null }
  t.equal((await store.blogs.findPublished(ACME, ids)).length, 2)
  t.same(await store.blogs.findPublished(other, ids), [], 'conditions are checked')
  t.same(await store.blogs.findPublished(ACME, []), [])
  t.same(await store.blogs.vectorsOf('acme', []), [])
})

t.test('searches name the index of their terms', skip, async (t) => {
  const { one, store } = await setUp(t)
  await store.blogs.add(buildBlog({ slug: 'a', body: { titleTerms: ['tea'], textTerms: ['kettle'] } }))
  const readHints = async (filter: object) => {
    const queries = await recordQueries(one, async (database) => {
      await storeOf(database).blogs.list(
        { ...ACME, status: 'any', terms: ['tea'], ...filter },
        { page: 1, pageSize: 2, withBody: false }
      )
    })
    return queries.filter(({ collection }) => collection === 'blogs').map(({ hint }) => hint)
  }
  t.same((await readHints({})).sort(), ['by_term', 'by_term', 'by_title_term', 'by_title_term', undefined])
  t.same((await readHints({ sort: 'title' })).sort(), ['by_term', 'by_term', undefined])
})
