import t from 'tap'
import { client, person, publish, startApp, type Client } from '../../../../helper.ts'

const BLOGS = '/api/v1/blogs'
const rename = async (call: Client, id: string, slug: string) => {
  const answer = await call('PATCH', `${BLOGS}/${id}`, { slug })
  if (answer.statusCode !== 200) throw new Error(answer.body)
}
const redirects = async (call: Client, query = '') => (await call('GET', `${BLOGS}/redirects${query}`)).json()

t.test('a former slug redirects to the current one with 308', async (t) => {
  const call = await client(await startApp(t))
  const { id } = await publish(call, { title: 'First name' })
  await rename(call, id, 'second-name')
  const answer = await call('GET', `${BLOGS}/first-name`)
  t.equal(answer.statusCode, 308)
  t.equal(answer.headers.location, `${BLOGS}/second-name`)
  t.same(answer.json(), { code: 'slug_moved', slug: 'second-name' })
  t.equal((await call('GET', String(answer.headers.location))).json().id, id)
  t.same(await redirects(call), [{ from: 'first-name', to: 'second-name' }])
})

t.test('every former slug redirects in one hop, however often a blog was renamed', async (t) => {
  const call = await client(await startApp(t))
  const { id } = await publish(call, { title: 'Name 0', slug: 'name-0' })
  for (let n = 1; n <= 5; n++) await rename(call, id, `name-${n}`)
  for (let n = 0; n < 5; n++) t.equal((await call('GET', `${BLOGS}/name-${n}`)).headers.location, `${BLOGS}/name-5`)
  t.same(
    await redirects(call),
    [0, 1, 2, 3, 4].map((n) => ({ from: `name-${n}`, to: 'name-5' }))
  )
  await rename(call, id, 'name-2')
  t.equal((await call('GET', `${BLOGS}/name-2`)).statusCode, 200, 'a blog can reclaim its former slug')
  for (const n of [0, 1, 3, 4, 5]) {
    t.equal((await call('GET', `${BLOGS}/name-${n}`)).headers.location, `${BLOGS}/name-2`)
  }
})

t.test('related blogs of a former slug redirect to the current slug', async (t) => {
  const call = await client(await startApp(t))
  const { id } = await publish(call, { title: 'Was' })
  await publish(call, { title: 'Another' })
  await rename(call, id, 'is')
  const answer = await call('GET', `${BLOGS}/was/related?limit=2`)
  t.equal(answer.statusCode, 308)
  t.equal(answer.headers.location, `${BLOGS}/is/related?limit=2`)
  t.same(answer.json(), { code: 'slug_moved', slug: 'is' })
  t.equal((await call('GET', String(answer.headers.location))).json()[0].slug, 'another')
})

t.test('a former slug that another published blog takes no longer redirects', async (t) => {
  const call = await client(await startApp(t))
  const old = await publish(call, { title: 'Popular' })
  await rename(call, old.id, 'renamed')
  const fresh = await publish(call, { title: 'Popular' })
  t.equal(fresh.slug, 'popular')
  t.equal((await call('GET', `${BLOGS}/popular`)).json().id, fresh.id)
  t.same(await redirects(call), [])
  await rename(call, fresh.id, 'elsewhere')
  t.equal(
    (await call('GET', `${BLOGS}/popular`)).headers.location,
    `${BLOGS}/elsewhere`,
    'the last owner of the slug wins'
  )
  t.same(await redirects(call), [{ from: 'popular', to: 'elsewhere' }])
})

t.test('a draft that takes a former slug does not break its redirect', async (t) => {
  const call = await client(await startApp(t))
  const old = await publish(call, { title: 'Linked' })
  await rename(call, old.id, 'moved')
  const draft = await call('POST', BLOGS, { projectId: 'site', title: 'Linked', markdown: 'x' })
  t.equal(draft.json().slug, 'linked')
  t.equal((await call('GET', `${BLOGS}/linked`)).headers.location, `${BLOGS}/moved`)
  await call('POST', `${BLOGS}/${draft.json().id}/publish`)
  t.equal((await call('GET', `${BLOGS}/linked`)).json().id, draft.json().id)
})

t.test('slugs that were never public leave no redirects', async (t) => {
  const call = await client(await startApp(t))
  const draft = (await call('POST', BLOGS, { projectId: 'site', title: 'Working title', markdown: 'x' })).json()
  await rename(call, draft.id, 'final-title')
  await call('POST', `${BLOGS}/${draft.id}/publish`)
  t.match((await call('GET', `${BLOGS}/working-title`)).json(), { status: 404, code: 'blog_not_found' })
  t.same(await redirects(call), [])
})

t.test('redirects of an unpublished blog are inactive until it is published again', async (t) => {
  const call = await client(await startApp(t))
  const { id } = await publish(call, { title: 'Old' })
  await rename(call, id, 'new')
  await call('POST', `${BLOGS}/${id}/unpublish`)
  for (const slug of ['old', 'new']) {
    t.match((await call('GET', `${BLOGS}/${slug}`)).json(), { status: 404, code: 'blog_not_found' }, slug)
  }
  t.same(await redirects(call), [])
  await call('POST', `${BLOGS}/${id}/publish`)
  t.equal((await call('GET', `${BLOGS}/old`)).headers.location, `${BLOGS}/new`)
})

t.test('a deleted blog is gone under all its public slugs', async (t) => {
  const call = await client(await startApp(t))
  const { id } = await publish(call, { title: 'One' })
  await rename(call, id, 'two')
  await call('DELETE', `${BLOGS}/${id}`)
  for (const slug of ['one', 'two']) {
    t.match((await call('GET', `${BLOGS}/${slug}`)).json(), { status: 404, code: 'blog_gone', id }, slug)
  }
  t.same(await redirects(call), [])
})

t.test("deleting a blog renamed while unpublished does not affect another blog's slug", async (t) => {
  const call = await client(await startApp(t))
  const first = await publish(call, { title: 'Wanted' })
  await rename(call, first.id, 'settled')
  const second = await publish(call, { title: 'Second' })
  await call('POST', `${BLOGS}/${second.id}/unpublish`)
  await rename(call, second.id, 'wanted')
  await call('DELETE', `${BLOGS}/${second.id}`)
  t.equal((await call('GET', `${BLOGS}/wanted`)).headers.location, `${BLOGS}/settled`, 'the slug was never public')
  t.match((await call('GET', `${BLOGS}/second`)).json(), { status: 404, code: 'blog_gone', id: second.id })
})

t.test('a blog renamed while unpublished does not reclaim a slug that another blog took', async (t) => {
  const call = await client(await startApp(t))
  const first = await publish(call, { title: 'Shared' })
  await call('POST', `${BLOGS}/${first.id}/unpublish`)
  await rename(call, first.id, 'hidden')
  const second = await publish(call, { title: 'Shared' })
  await rename(call, second.id, 'own')
  await call('DELETE', `${BLOGS}/${first.id}`)
  t.equal((await call('GET', `${BLOGS}/shared`)).headers.location, `${BLOGS}/own`)
})

t.test('redirects can be listed by project', async (t) => {
  const app = await startApp(t)
  const call = await client(app)
  for (const projectId of ['a', 'b']) {
    const { id } = await publish(call, { title: `Old ${projectId}`, projectId })
    await rename(call, id, `new-${projectId}`)
  }
  t.same(await redirects(call, '?projectId=b'), [{ from: 'old-b', to: 'new-b' }])
  t.same(await redirects(await client(app, 'acme', { projectIds: ['a'] })), [{ from: 'old-a', to: 'new-a' }])
  t.same(await redirects(call, '?projectId=none'), [])
  t.equal(
    (await (await person(app, 'acme'))('GET', `${BLOGS}/redirects`)).statusCode,
    401,
    'session tokens are rejected on key endpoints'
  )
})

t.test('a cached response is invalidated when the slug changes', async (t) => {
  const call = await client(await startApp(t))
  const { id } = await publish(call, { title: 'Kept' })
  for (let round = 0; round < 2; round++) t.equal((await call('GET', `${BLOGS}/kept`)).statusCode, 200)
  await rename(call, id, 'renewed')
  t.equal((await call('GET', `${BLOGS}/kept`)).statusCode, 308)
  t.equal((await call('GET', `${BLOGS}/kept`)).statusCode, 308)
  await rename(call, id, 'kept')
  t.equal((await call('GET', `${BLOGS}/kept`)).statusCode, 200)
  t.equal((await call('GET', `${BLOGS}/renewed`)).statusCode, 308)
})
