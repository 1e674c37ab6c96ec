import t, { type Test } from 'tap'
import type { BlogDraft } from '../../../../../schemas/blog.ts'
import type { BlogRevisionDetail, BlogRevisionList } from '../../../../../schemas/blog-revision.ts'
import { createSeededRandom } from '../../../../fixtures/seeded-random.ts'
import { client, person, publish, startApp, type Client } from '../../../../helper.ts'

const BLOGS = '/api/v1/blogs'
const ABSENT = '01890000-0000-7000-8000-000000000000'

async function create(call: Client, blog: Record<string, unknown> = {}): Promise<BlogDraft> {
  const made = await call('POST', BLOGS, { projectId: 'site', title: 'Tea', markdown: 'One.', ...blog })
  if (made.statusCode !== 201) throw new Error(made.body)
  return made.json<BlogDraft>()
}

async function patch(call: Client, id: string, change: Record<string, unknown>): Promise<BlogDraft> {
  const made = await call('PATCH', `${BLOGS}/${id}`, change)
  if (made.statusCode !== 200) throw new Error(made.body)
  return made.json<BlogDraft>()
}

async function list(call: Client, id: string, query = ''): Promise<BlogRevisionList> {
  const response = await call('GET', `${BLOGS}/${id}/revisions${query}`)
  if (response.statusCode !== 200) throw new Error(response.body)
  return response.json<BlogRevisionList>()
}

const numbers = async (call: Client, id: string, query = '') =>
  (await list(call, id, query)).revisions.map(({ revision }) => revision)
const read = async (call: Client, id: string, revision: number | string) =>
  await call('GET', `${BLOGS}/${id}/revisions/${revision}`)
const restore = async (call: Client, id: string, revision: number, headers: Record<string, string> = {}) =>
  await call('POST', `${BLOGS}/${id}/revisions/${revision}/restore`, undefined, headers)

/** Sends requests with a key of the same account. */
async function otherKey(t: Test, { account }: Client, app: Awaited<ReturnType<typeof startApp>>, input: object) {
  const key = await client(app, account, input)
  t.not(key.keyId, undefined)
  return key
}

t.test('each change of the source is a revision, with its author and the changed fields', async (t) => {
  const app = await startApp(t)
  const call = await client(app, 'acme', { name: 'Back office' })
  const user = await person(app, 'acme', { sub: 'ann' })
  const before = new Date().toISOString()
  const { id } = await create(call, { title: 'Tea', markdown: 'One.', tags: ['green'] })
  await call('POST', `${BLOGS}/${id}/publish`, {})
  await patch(call, id, { title: 'Black tea', markdown: 'Two.', tags: ['green'] })
  t.equal((await user('PATCH', `${BLOGS}/${id}`, { html: '<p>Three.</p>', css: 'p{color:red}' })).statusCode, 200)
  await call('POST', `${BLOGS}/${id}/unpublish`)

  const { revisions, ...totals } = await list(call, id)
  t.same(totals, { totalCount: 3, page: 1, totalPages: 1 })
  const key = { type: 'key', id: call.keyId, name: 'Back office' }
  t.match(revisions, [
    {
      revision: 3,
      isCurrent: true,
      version: 4,
      title: 'Black tea',
      status: 'unpublished',
      savedBy: { type: 'user', id: 'ann', name: null },
      changedFields: ['format', 'text', 'css'],
      restoredFrom: null
    },
    {
      revision: 2,
      isCurrent: false,
      version: 3,
      title: 'Black tea',
      status: 'published',
      savedBy: key,
      changedFields: ['title', 'text']
    },
    { revision: 1, isCurrent: false, version: 1, title: 'Tea', status: 'published', savedBy: key, changedFields: [] }
  ])
  t.strictSame(
    revisions.map(({ savedAt }) => savedAt),
    revisions
      .map(({ savedAt }) => savedAt)
      .toSorted()
      .reverse(),
    'newest first'
  )
  t.ok(revisions.every(({ savedAt }) => savedAt >= before))
  t.notMatch(JSON.stringify(revisions), /One\.|Two\.|Three\./, 'a list has no content')
})

t.test('a revision has the source of its time, whatever its format, and gives it back', async (t) => {
  const call = await client(await startApp(t))
  const source = {
    css: 'p { color: red }',
    metaTitle: 'Meta',
    metaDescription: 'Description',
    excerpt: 'Excerpt',
    cover: { url: 'https://pictures.example/a.png', alt: 'A' },
    ogImageUrl: 'https://pictures.example/og.png',
    canonicalUrl: 'https://elsewhere.example/a'
  }
  const fields = {
    title: 'Tee 😀',
    locale: 'de',
    category: 'Küche',
    tags: ['grün'],
    authors: [{ name: 'Ann', url: 'https://ann.example' }],
    translationKey: 'tea'
  }
  const text = `<p>${'Tee, heiß. '.repeat(20_000)}</p>`
  const { id } = await create(call, { ...fields, ...source, html: text, markdown: undefined })
  const cleared = { category: null, tags: [], authors: [], translationKey: null, locale: 'en', title: 'Tea' }
  const omitted = Object.fromEntries(Object.keys(source).map((name) => [name, null]))
  const changed = await patch(call, id, { ...cleared, ...omitted, markdown: '# Tea\n' })

  const first = (await read(call, id, 1)).json<BlogRevisionDetail>()
  t.match(first, { revision: 1, isCurrent: false, ...fields })
  t.same(first.source, { format: 'html', text, ...source })
  const current = (await read(call, id, 2)).json<BlogRevisionDetail>()
  t.match(current, { isCurrent: true, ...cleared, changedFields: (await list(call, id)).revisions[0]!.changedFields })
  t.same(current.source, changed.source)
  t.equal(current.changedFields.length, 15, 'every field has changed')

  const restored = (await restore(call, id, 1)).json<BlogDraft>()
  t.match(restored, fields)
  t.same(restored.source, first.source)
  const { revision, version, savedAt, changedFields, restoredFrom, isCurrent, ...content } = first
  t.match((await read(call, id, 3)).json(), { ...content, restoredFrom: 1, changedFields: current.changedFields })
})

t.test('what does not change the source creates no revision', async (t) => {
  const call = await client(await startApp(t))
  const { id, slug } = await create(call, { status: 'published', publishedAt: '2020-01-01T00:00:00Z' })
  await patch(call, id, { title: ' Tea ', markdown: 'One.', css: null, cover: null, authors: [] })
  await patch(call, id, { slug: 'black-tea', publishedAt: '2021-01-01T00:00:00Z' })
  await patch(call, id, { projectId: 'shop' })
  await call('POST', `${BLOGS}/${id}/unpublish`)
  t.strictSame(await numbers(call, id), [1])
  const restored = await restore(call, id, 1)
  t.equal(restored.statusCode, 200)
  t.match(restored.json(), { slug: 'black-tea', projectId: 'shop' })
  t.strictSame(await numbers(call, id), [1], 'the current revision is not restored again')
  t.not(slug, 'black-tea')
})

t.test('a restored revision is a new change that readers see, and keeps slug, state and date', async (t) => {
  const app = await startApp(t)
  const call = await client(app)
  const { id } = await publish(call, { title: 'Tea', markdown: 'One.', excerpt: 'First', tags: ['a'] })
  const changed = await patch(call, id, { title: 'Coffee', markdown: 'Two.', excerpt: null, tags: [], slug: 'coffee' })
  t.match((await call('GET', `${BLOGS}/coffee`)).json(), { title: 'Coffee' })

  const restored = await restore(call, id, 1)
  t.equal(restored.statusCode, 200)
  t.equal(restored.headers.etag, '"v3"')
  const blog = restored.json<BlogDraft>()
  t.match(blog, { title: 'Tea', tags: ['a'], slug: 'coffee', status: 'published', version: 3 })
  t.match(blog.source, { text: 'One.', excerpt: 'First' })
  t.equal(blog.publishedAt, changed.publishedAt)
  t.match((await call('GET', `${BLOGS}/coffee`)).json(), { title: 'Tea', htmlContent: /One\./ })
  t.match((await list(call, id)).revisions, [
    { revision: 3, restoredFrom: 1, changedFields: ['title', 'text', 'excerpt', 'tags'], isCurrent: true },
    { revision: 2, restoredFrom: null },
    { revision: 1 }
  ])
  const events = await (await person(app, 'acme'))('GET', '/api/events')
  t.strictSame(
    events.json<{ events: { type: string }[] }>().events.map(({ type }) => type),
    ['blog.published', 'blog.updated', 'blog.updated']
  )
})

t.test('a restoration honors If-Match, and is repeated safely', async (t) => {
  const call = await client(await startApp(t))
  const { id } = await create(call)
  await patch(call, id, { markdown: 'Two.' })
  const conflict = await restore(call, id, 1, { 'if-match': '"v1"' })
  t.equal(conflict.statusCode, 412)
  t.equal(conflict.json().code, 'precondition_failed')
  t.strictSame(await numbers(call, id), [2, 1], 'nothing was restored')

  const key = { 'idempotency-key': 'restore-the-first-one', 'if-match': '"v2"' }
  const [first, again] = [await restore(call, id, 1, key), await restore(call, id, 1, key)]
  t.equal(first.statusCode, 200)
  t.equal(again.headers['idempotent-replayed'], 'true')
  t.same(again.json(), first.json())
  t.equal((await restore(call, id, 2, key)).json().code, 'idempotency_key_reused')
  t.equal((await restore(call, id, 1)).json<BlogDraft>().version, 3, 'a repetition without a key changes nothing')
  t.strictSame(await numbers(call, id), [3, 2, 1])
})

t.test('revisions are for authors who may access the blog', async (t) => {
  const app = await startApp(t)
  const call = await client(app)
  const { id } = await create(call, { status: 'published' })
  await patch(call, id, { markdown: 'Two.' })
  const attempts = async (caller: Client) => [
    await caller('GET', `${BLOGS}/${id}/revisions`),
    await read(caller, id, 1),
    await restore(caller, id, 1)
  ]
  for (const response of await attempts(await otherKey(t, call, app, { scopes: ['blogs:read'] }))) {
    t.equal(response.statusCode, 403)
    t.match(response.json(), { code: 'scope_missing', scope: 'blogs:write' })
  }
  for (const response of [
    ...(await attempts(await client(app, 'zeta'))),
    ...(await attempts(await otherKey(t, call, app, { projectIds: ['shop'] })))
  ]) {
    t.equal(response.statusCode, 404)
    t.equal(response.json().code, 'blog_not_found')
  }
  t.equal((await read(await otherKey(t, call, app, { projectIds: ['site'] }), id, 1)).statusCode, 200)
  t.strictSame(await numbers(call, id), [2, 1])
})

t.test('revisions and blogs that do not exist are reported', async (t) => {
  const call = await client(await startApp(t))
  const { id } = await create(call)
  for (const response of [await read(call, id, 2), await restore(call, id, 2), await read(call, id, 1_000_000_000)]) {
    t.equal(response.statusCode, 404)
    t.equal(response.json().code, 'revision_not_found')
  }
  for (const number of ['0', 'first', '1.5']) {
    const response = await read(call, id, number)
    t.equal(response.statusCode, 400, number)
    t.match(response.json().errors, [{ pointer: 'revision' }])
  }
  t.equal((await call('GET', `${BLOGS}/${ABSENT}/revisions`)).json().code, 'blog_not_found')
  t.equal((await call('GET', `${BLOGS}/${id}/revisions?pageSize=101`)).statusCode, 400)
  await patch(call, id, { markdown: 'Two.' })
  await call('DELETE', `${BLOGS}/${id}`)
  for (const response of [
    await call('GET', `${BLOGS}/${id}/revisions`),
    await read(call, id, 1),
    await restore(call, id, 1)
  ]) {
    t.equal(response.json().code, 'blog_gone')
  }
})

t.test('the oldest revisions are deleted, and the list has pages', async (t) => {
  const call = await client(await startApp(t, { BLOG_REVISIONS: '3' }))
  const { id } = await create(call)
  for (let n = 2; n <= 6; n++) await patch(call, id, { markdown: `Text ${n}.` })
  t.strictSame(await numbers(call, id), [6, 5, 4, 3])
  t.equal((await read(call, id, 2)).json().code, 'revision_not_found')
  t.equal((await restore(call, id, 2)).json().code, 'revision_not_found')
  t.match((await read(call, id, 3)).json<BlogRevisionDetail>().source.text, 'Text 3.')
  const response = await call('GET', `${BLOGS}/${id}/revisions?page=2&pageSize=3`)
  t.match(response.json(), { revisions: [{ revision: 3 }], totalCount: 4, page: 2, totalPages: 2 })
  t.match(response.headers.link, /page=1/)
  t.strictSame(await numbers(call, id, '?page=3&pageSize=3'), [])
})

t.test('BLOG_REVISIONS=0 stores none', async (t) => {
  const call = await client(await startApp(t, { BLOG_REVISIONS: '0' }))
  const { id } = await create(call)
  await patch(call, id, { markdown: 'Two.' })
  t.match((await list(call, id)).revisions, [{ revision: 2, isCurrent: true, changedFields: ['text'] }])
  t.equal((await read(call, id, 1)).json().code, 'revision_not_found')
})

t.test('revisions count as storage of the account until their blog is deleted', async (t) => {
  const app = await startApp(t)
  const call = await client(app)
  const { id } = await create(call, { markdown: 'One.' })
  const bytes = async () => (await app.store.storage.measure('acme')).bytes
  const random = createSeededRandom(1)
  const words = Array.from({ length: 10_000 }, () => random().toString(36).slice(2)).join(' ')
  await patch(call, id, { markdown: words })
  const large = await bytes()
  await patch(call, id, { markdown: 'One.' })
  const small = await bytes()
  t.ok(small < large, 'the text is smaller')
  t.ok(small > 50_000, 'the compressed revision counts')
  await call('DELETE', `${BLOGS}/${id}`)
  t.equal(await bytes(), 0)

  const again = await create(call, { markdown: 'One.' })
  await app.services.accounts.update('acme', { storage: { bytes: (await bytes()) + 1_000 } })
  await patch(call, again.id, { markdown: 'Two.' })
  const response = await call('PATCH', `${BLOGS}/${again.id}`, { markdown: 'Six.' })
  t.equal(response.statusCode, 403)
  t.match(response.json(), { code: 'storage_quota_exceeded', resource: 'bytes' })
  t.strictSame(await numbers(call, again.id), [2, 1])
})

t.test('a change that fails leaves no revision behind that anybody sees', async (t) => {
  const call = await client(await startApp(t))
  const { id } = await create(call, { title: 'Tea' })
  await create(call, { title: 'Coffee', translationKey: 'drink' })
  const failed = await call('PATCH', `${BLOGS}/${id}`, { markdown: 'Two.', translationKey: 'drink' })
  t.equal(failed.json().code, 'translation_exists')
  t.strictSame(await numbers(call, id), [1])
  await call('POST', `${BLOGS}/${id}/publish`, {})
  await patch(call, id, { markdown: 'Three.' })
  t.match((await list(call, id)).revisions, [{ revision: 2 }, { revision: 1, status: 'published' }])
})

t.test('translations that are taken meanwhile are not restored', async (t) => {
  const call = await client(await startApp(t))
  const { id } = await create(call, { translationKey: 'tea' })
  await patch(call, id, { translationKey: null })
  await create(call, { title: 'Other', translationKey: 'tea' })
  const response = await restore(call, id, 1)
  t.equal(response.statusCode, 409)
  t.equal(response.json().code, 'translation_exists')
  t.strictSame(await numbers(call, id), [2, 1])
})

t.test('a blog of an earlier version of the service has its first revision', async (t) => {
  const app = await startApp(t)
  const call = await client(app)
  const { id } = await create(call)
  const { revision, ...old } = (await app.store.blogs.find('acme', id))!
  t.equal(revision?.number, 1)
  t.equal(await app.store.blogs.save({ ...old, version: 2 }, 1), true)
  t.match((await list(call, id)).revisions, [{ revision: 1, version: 2, savedBy: null, savedAt: old.updatedAt }])
  await patch(call, id, { markdown: 'Two.' })
  t.match((await list(call, id)).revisions, [
    { revision: 2, version: 3 },
    { revision: 1, version: 2, savedBy: null }
  ])
  t.match((await read(call, id, 1)).json<BlogRevisionDetail>().source.text, 'One.')
})

t.test('imported blogs have revisions by the administrator', async (t) => {
  const app = await startApp(t)
  const call = await client(app)
  const admin = await person(app, 'acme', { sub: 'root', role: 'admin' })
  const importBlogs = async (markdown: string) =>
    await admin('POST', '/api/admin/accounts/acme/blogs/import', {
      projectId: 'site',
      blogs: [
        { title: 'Tea', slug: 'tea', markdown },
        { title: 'Milk', slug: 'milk', markdown }
      ]
    })
  for (const text of ['One.', 'One.', 'Two.']) t.equal((await importBlogs(text)).statusCode, 200)
  const [found] = await app.store.blogs.findBySlug({ accountId: 'acme', projectIds: null }, 'tea')
  const savedBy = { type: 'user', id: 'root', name: null }
  t.match((await list(call, found!.id)).revisions, [
    { revision: 2, savedBy, changedFields: ['text'] },
    { revision: 1, savedBy }
  ])
})
