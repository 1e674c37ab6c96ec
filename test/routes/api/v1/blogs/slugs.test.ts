import t from 'tap'
import { client, person, publish, startApp, type Client } from '../../../../helper.ts'
import { testEmbedded } from '../../../../profile.ts'

const BLOGS = '/api/v1/blogs'
const PUBLIC_URL = 'https://content.example/delivery'
/** The URL of a redirect: below the public URL, with its path. */
const at = (path: string) => `${PUBLIC_URL}${BLOGS}/${path}`
/** Requests what a redirect refers to, as a proxy does that serves the public URL. */
const follow = async (call: Client, { headers }: { headers: Record<string, unknown> }) =>
  await call('GET', String(headers.location).replace(PUBLIC_URL, ''))
const rename = async (call: Client, id: string, slug: string) => {
  const answer = await call('PATCH', `${BLOGS}/${id}`, { slug })
  if (answer.statusCode !== 200) throw new Error(answer.body)
}
const redirects = async (call: Client, query = '') => (await call('GET', `${BLOGS}/redirects${query}`)).json()

t.test('a former slug redirects to the current one with 308', async (t) => {
  const call = await client(await startApp(t, { PUBLIC_URL }))
  const { id } = await publish(call, { title: 'First name' })
  await rename(call, id, 'second-name')
  const answer = await call('GET', `${BLOGS}/first-name`)
  t.equal(answer.statusCode, 308)
  t.equal(answer.headers.location, at('second-name'))
  t.same(answer.json(), { code: 'slug_moved', slug: 'second-name' })
  t.equal((await follow(call, answer)).json().id, id)
  t.same(await redirects(call), [{ projectId: 'site', from: 'first-name', to: 'second-name' }])
})

testEmbedded('a blog has at most its last 100 former slugs', async (t) => {
  const call = await client(await startApp(t, { PUBLIC_URL }))
  const { id } = await publish(call, { title: 'Name 0', slug: 'name-0' })
  for (let n = 1; n <= 102; n++) await rename(call, id, `name-${n}`)
  const from = (await redirects(call)).map((redirect: { from: string }) => redirect.from)
  t.same(from.toSorted(), Array.from({ length: 100 }, (_, n) => `name-${n + 2}`).toSorted())
  t.equal((await call('GET', `${BLOGS}/name-1`)).statusCode, 404)
  t.equal((await call('GET', `${BLOGS}/name-2`)).statusCode, 308)
})

t.test('every former slug redirects in one hop, however often a blog was renamed', async (t) => {
  const call = await client(await startApp(t, { PUBLIC_URL }))
  const { id } = await publish(call, { title: 'Name 0', slug: 'name-0' })
  for (let n = 1; n <= 5; n++) await rename(call, id, `name-${n}`)
  for (let n = 0; n < 5; n++) t.equal((await call('GET', `${BLOGS}/name-${n}`)).headers.location, at('name-5'))
  t.same(
    await redirects(call),
    [0, 1, 2, 3, 4].map((n) => ({ projectId: 'site', from: `name-${n}`, to: 'name-5' }))
  )
  await rename(call, id, 'name-2')
  t.equal((await call('GET', `${BLOGS}/name-2`)).statusCode, 200, 'a blog can reclaim its former slug')
  for (const n of [0, 1, 3, 4, 5]) {
    t.equal((await call('GET', `${BLOGS}/name-${n}`)).headers.location, at('name-2'))
  }
})

t.test('related blogs of a former slug redirect to the current slug', async (t) => {
  const call = await client(await startApp(t, { PUBLIC_URL }))
  const { id } = await publish(call, { title: 'Was' })
  await publish(call, { title: 'Another' })
  await rename(call, id, 'is')
  const answer = await call('GET', `${BLOGS}/was/related?limit=2`)
  t.equal(answer.statusCode, 308)
  t.equal(answer.headers.location, at('is/related?limit=2'))
  t.same(answer.json(), { code: 'slug_moved', slug: 'is' })
  t.equal((await follow(call, answer)).json()[0].slug, 'another')
})

t.test('a former slug that another published blog takes no longer redirects', async (t) => {
  const call = await client(await startApp(t, { PUBLIC_URL }))
  const old = await publish(call, { title: 'Popular' })
  await rename(call, old.id, 'renamed')
  const fresh = await publish(call, { title: 'Popular' })
  t.equal(fresh.slug, 'popular')
  t.equal((await call('GET', `${BLOGS}/popular`)).json().id, fresh.id)
  t.same(await redirects(call), [])
  await rename(call, fresh.id, 'elsewhere')
  t.equal((await call('GET', `${BLOGS}/popular`)).headers.location, at('elsewhere'), 'the last owner of the slug wins')
  t.same(await redirects(call), [{ projectId: 'site', from: 'popular', to: 'elsewhere' }])
})

t.test('any number of blogs with the same title get slugs of their own', async (t) => {
  const call = await client(await startApp(t, { PUBLIC_URL }))
  const slugs = new Set<string>()
  for (let n = 1; n <= 220; n++) {
    const made = await call('POST', BLOGS, { projectId: 'site', title: 'Daily notes', markdown: 'x' })
    if (made.statusCode !== 201) return t.fail(`blog ${n}: ${made.body}`)
    slugs.add(made.json().slug)
  }
  t.equal(slugs.size, 220)
  t.ok(slugs.has('daily-notes') && slugs.has('daily-notes-20'))
  t.ok([...slugs].every((slug) => /^daily-notes(-\d+)?$/.test(slug)))
})

t.test('a draft that takes a former slug does not break its redirect', async (t) => {
  const call = await client(await startApp(t, { PUBLIC_URL }))
  const old = await publish(call, { title: 'Linked' })
  await rename(call, old.id, 'moved')
  const draft = await call('POST', BLOGS, { projectId: 'site', title: 'Linked', markdown: 'x' })
  t.equal(draft.json().slug, 'linked')
  t.equal((await call('GET', `${BLOGS}/linked`)).headers.location, at('moved'))
  await call('POST', `${BLOGS}/${draft.json().id}/publish`)
  t.equal((await call('GET', `${BLOGS}/linked`)).json().id, draft.json().id)
})

t.test('slugs that were never public leave no redirects', async (t) => {
  const call = await client(await startApp(t, { PUBLIC_URL }))
  const draft = (await call('POST', BLOGS, { projectId: 'site', title: 'Working title', markdown: 'x' })).json()
  await rename(call, draft.id, 'final-title')
  await call('POST', `${BLOGS}/${draft.id}/publish`)
  t.match((await call('GET', `${BLOGS}/working-title`)).json(), { status: 404, code: 'blog_not_found' })
  t.same(await redirects(call), [])
})

t.test('redirects of an unpublished blog are inactive until it is published again', async (t) => {
  const call = await client(await startApp(t, { PUBLIC_URL }))
  const { id } = await publish(call, { title: 'Old' })
  await rename(call, id, 'new')
  await call('POST', `${BLOGS}/${id}/unpublish`)
  for (const slug of ['old', 'new']) {
    t.match((await call('GET', `${BLOGS}/${slug}`)).json(), { status: 404, code: 'blog_not_found' }, slug)
  }
  t.same(await redirects(call), [])
  await call('POST', `${BLOGS}/${id}/publish`)
  t.equal((await call('GET', `${BLOGS}/old`)).headers.location, at('new'))
})

t.test('a deleted blog is gone under all its public slugs', async (t) => {
  const call = await client(await startApp(t, { PUBLIC_URL }))
  const { id } = await publish(call, { title: 'One' })
  await rename(call, id, 'two')
  await call('DELETE', `${BLOGS}/${id}`)
  for (const slug of ['one', 'two']) {
    t.match((await call('GET', `${BLOGS}/${slug}`)).json(), { status: 404, code: 'blog_gone', id }, slug)
  }
  t.same(await redirects(call), [])
})

t.test("deleting a blog renamed while unpublished does not affect another blog's slug", async (t) => {
  const call = await client(await startApp(t, { PUBLIC_URL }))
  const first = await publish(call, { title: 'Wanted' })
  await rename(call, first.id, 'settled')
  const second = await publish(call, { title: 'Second' })
  await call('POST', `${BLOGS}/${second.id}/unpublish`)
  await rename(call, second.id, 'wanted')
  await call('DELETE', `${BLOGS}/${second.id}`)
  t.equal((await call('GET', `${BLOGS}/wanted`)).headers.location, at('settled'), 'the slug was never public')
  t.match((await call('GET', `${BLOGS}/second`)).json(), { status: 404, code: 'blog_gone', id: second.id })
})

t.test('a blog renamed while unpublished does not reclaim a slug that another blog took', async (t) => {
  const call = await client(await startApp(t, { PUBLIC_URL }))
  const first = await publish(call, { title: 'Shared' })
  await call('POST', `${BLOGS}/${first.id}/unpublish`)
  await rename(call, first.id, 'hidden')
  const second = await publish(call, { title: 'Shared' })
  await rename(call, second.id, 'own')
  await call('DELETE', `${BLOGS}/${first.id}`)
  t.equal((await call('GET', `${BLOGS}/shared`)).headers.location, at('own'))
})

t.test('redirects can be listed by project', async (t) => {
  const app = await startApp(t, { PUBLIC_URL })
  const call = await client(app)
  for (const projectId of ['a', 'b']) {
    const { id } = await publish(call, { title: `Old ${projectId}`, projectId })
    await rename(call, id, `new-${projectId}`)
  }
  t.same(await redirects(call, '?projectId=b'), [{ projectId: 'b', from: 'old-b', to: 'new-b' }])
  t.same(await redirects(await client(app, 'acme', { projectIds: ['a'] })), [
    { projectId: 'a', from: 'old-a', to: 'new-a' }
  ])
  t.same(await redirects(call, '?projectId=none'), [])
  t.equal(
    (await (await person(app, 'acme'))('GET', `${BLOGS}/redirects`)).statusCode,
    200,
    'session tokens are accepted, too'
  )
})

t.test('a cached response is invalidated when the slug changes', async (t) => {
  const call = await client(await startApp(t, { PUBLIC_URL }))
  const { id } = await publish(call, { title: 'Kept' })
  for (let round = 0; round < 2; round++) t.equal((await call('GET', `${BLOGS}/kept`)).statusCode, 200)
  await rename(call, id, 'renewed')
  t.equal((await call('GET', `${BLOGS}/kept`)).statusCode, 308)
  t.equal((await call('GET', `${BLOGS}/kept`)).statusCode, 308)
  await rename(call, id, 'kept')
  t.equal((await call('GET', `${BLOGS}/kept`)).statusCode, 200)
  t.equal((await call('GET', `${BLOGS}/renewed`)).statusCode, 308)
})

t.test('two projects may have blogs with the same slug', async (t) => {
  const app = await startApp(t, { PUBLIC_URL })
  const call = await client(app)
  const shop = await publish(call, { title: 'Welcome', projectId: 'shop', publishedAt: '2026-01-02T00:00:00Z' })
  const docs = await publish(call, { title: 'Welcome', projectId: 'docs', publishedAt: '2026-01-01T00:00:00Z' })
  t.same([shop.slug, docs.slug], ['welcome', 'welcome'])
  t.equal((await publish(call, { title: 'Welcome', projectId: 'shop' })).slug, 'welcome-2')
  t.match((await call('PATCH', `${BLOGS}/${shop.id}`, { projectId: 'docs' })).json(), { code: 'slug_taken' })

  // Twice, because the second response comes from the response cache.
  for (const source of ['store', 'cache']) {
    const newest = await call('GET', `${BLOGS}/welcome`)
    t.equal(newest.json().id, shop.id, source)
    t.equal(newest.headers['slug-also-in'], 'docs', source)
  }
  const chosen = await call('GET', `${BLOGS}/welcome?projectId=docs`)
  t.equal(chosen.json().id, docs.id)
  t.notOk('slug-also-in' in chosen.headers)
  const confined = await client(app, 'acme', { projectIds: ['docs'] })
  const own = await confined('GET', `${BLOGS}/welcome`)
  t.equal(own.json().id, docs.id, 'a key of one project uses that project')
  t.notOk('slug-also-in' in own.headers, 'a project that the key may not access is not named')
  t.match((await confined('GET', `${BLOGS}/welcome?projectId=shop`)).json(), {
    status: 403,
    code: 'project_not_allowed'
  })
  t.match((await call('GET', `${BLOGS}/welcome?projectId=none`)).json(), { status: 404, code: 'blog_not_found' })

  await publish(call, { title: 'In the docs', projectId: 'docs' })
  const related = await call('GET', `${BLOGS}/welcome/related?projectId=docs`)
  t.same(
    related.json().map(({ slug }: { slug: string }) => slug),
    ['in-the-docs']
  )
  await rename(call, docs.id, 'hello')
  t.equal((await call('GET', `${BLOGS}/welcome`)).json().id, shop.id)
  const moved = await call('GET', `${BLOGS}/welcome?projectId=docs`)
  t.equal(moved.headers.location, at('hello?projectId=docs'), 'a redirect keeps the query')
  t.equal((await follow(call, moved)).json().id, docs.id)
  await call('DELETE', `${BLOGS}/${shop.id}`)
  t.equal(
    (await call('GET', `${BLOGS}/welcome`)).statusCode,
    308,
    'a redirect wins over the deleted blog of another project'
  )
  t.match((await call('GET', `${BLOGS}/welcome?projectId=shop`)).json(), {
    status: 404,
    code: 'blog_gone',
    id: shop.id
  })
})

t.test('a blog is read, updated and deleted by its slug or its id', async (t) => {
  const app = await startApp(t)
  const call = await client(app)
  const shop = await publish(call, { title: 'Welcome', projectId: 'shop' })
  const draft = (await call('POST', BLOGS, { projectId: 'docs', title: 'Draft', markdown: 'x' })).json()
  for (const address of ['welcome', shop.id, `${shop.id}?projectId=shop`, 'welcome?projectId=shop']) {
    t.equal((await call('GET', `${BLOGS}/${address}`)).json().id, shop.id, address)
    t.equal((await call('PATCH', `${BLOGS}/${address}`, { category: address })).json().category, address)
  }
  t.match((await call('GET', `${BLOGS}/${draft.id}`)).json(), { status: 404, code: 'blog_not_found' })
  t.match((await call('GET', `${BLOGS}/${shop.id}?projectId=docs`)).json(), { status: 404, code: 'blog_not_found' })
  t.equal((await call('PATCH', `${BLOGS}/draft`, { slug: 'welcome' })).json().slug, 'welcome', 'also a draft')
  for (const method of ['PATCH', 'DELETE'] as const) {
    const body = method === 'PATCH' ? { category: 'News' } : undefined
    t.match((await call(method, `${BLOGS}/welcome`, body)).json(), {
      status: 409,
      code: 'slug_ambiguous',
      projectIds: ['docs', 'shop']
    })
    t.match((await call(method, `${BLOGS}/unknown`, body)).json(), { status: 404, code: 'blog_not_found' })
  }
  t.match((await call('DELETE', `${BLOGS}/${shop.id}?projectId=docs`)).json(), { code: 'blog_not_found' })
  const confined = await client(app, 'acme', { projectIds: ['docs'] })
  t.equal((await confined('PATCH', `${BLOGS}/welcome`, { category: 'Docs' })).json().id, draft.id)
  t.match((await confined('PATCH', `${BLOGS}/${shop.id}`, { category: 'x' })).json(), { code: 'blog_not_found' })
  t.equal((await call('DELETE', `${BLOGS}/welcome?projectId=shop`)).statusCode, 204)
  t.match((await call('GET', `${BLOGS}/${shop.id}`)).json(), { status: 404, code: 'blog_gone' })
  t.equal((await call('DELETE', `${BLOGS}/welcome`)).statusCode, 204)
  t.same((await call('GET', `${BLOGS}?status=any`)).json().totalCount, 0)
})
