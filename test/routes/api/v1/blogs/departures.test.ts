import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { client, person, publish, startApp } from '../../../../helper.ts'

const BLOGS = '/api/v1/blogs'
const SINCE = 'updatedSince=2020-01-01T00:00:00Z'

async function setUp(test: Test) {
  const app = await startApp(test)
  const call = await client(app)
  const move = async (id: string, change: object) => {
    const moved = await call('PATCH', `${BLOGS}/${id}`, change)
    t.equal(moved.statusCode, 200, moved.body)
  }
  const listOf = async (projectId: string, more = '') => {
    const list = (await call('GET', `${BLOGS}?${SINCE}&projectId=${projectId}${more}`)).json()
    const slugs = (blogs: { slug: string }[]) => blogs.map(({ slug }) => slug)
    return { blogs: slugs(list.blogs), deleted: slugs(list.deleted) }
  }
  return { app, call, move, listOf }
}

t.test('a blog that moves to another project is removed from the one that it leaves', async (t) => {
  const { app, call, move, listOf } = await setUp(t)
  const { id } = await publish(call, { title: 'Moved', slug: 'known' })
  await publish(call, { title: 'Stays' })
  await move(id, { projectId: 'shop', slug: 'other' })
  t.same(await listOf('site'), { blogs: ['stays'], deleted: ['known'] })
  t.same(await listOf('shop'), { blogs: ['other'], deleted: [] })
  const all = (await call('GET', `${BLOGS}?${SINCE}`)).json()
  t.same(all.deleted, [], 'a reader of both projects still sees it')
  t.same(await eventsOf(app, id), [
    ['blog.published', 'site', 'known'],
    ['blog.unpublished', 'site', 'known'],
    ['blog.published', 'shop', 'other']
  ])

  await move(id, { projectId: 'third' })
  t.same(await listOf('site'), { blogs: ['stays'], deleted: ['known'] })
  t.same(await listOf('shop'), { blogs: [], deleted: ['other'] })
  await call('DELETE', `${BLOGS}/${id}`)
  t.same((await listOf('site')).deleted, ['known'], 'also after it was deleted elsewhere')
  t.same((await listOf('third')).deleted, ['other'])
})

t.test('a blog that returns to a project is not removed from it', async (t) => {
  const { call, move, listOf } = await setUp(t)
  const { id } = await publish(call, { title: 'Moved' })
  await move(id, { projectId: 'shop' })
  await move(id, { projectId: 'site' })
  t.same(await listOf('site'), { blogs: ['moved'], deleted: [] })
  t.same(await listOf('shop'), { blogs: [], deleted: ['moved'] })
})

t.test('a blog that moves after it was unpublished is removed since then, under its public slug', async (t) => {
  const { call, move, listOf } = await setUp(t)
  const { id } = await publish(call, { title: 'Withdrawn', slug: 'known' })
  await call('POST', `${BLOGS}/${id}/unpublish`)
  const before = (await call('GET', `${BLOGS}?${SINCE}&projectId=site`)).json().deleted
  await move(id, { slug: 'never-public' })
  await move(id, { projectId: 'shop' })
  await move(id, { projectId: 'third' })
  t.same((await call('GET', `${BLOGS}?${SINCE}&projectId=site`)).json().deleted, before)
  t.same((await listOf('shop')).deleted, [], 'it was never public there')
})

t.test('a draft that moves was never in a list, and is in none as removed', async (t) => {
  const { app, call, move, listOf } = await setUp(t)
  const { id } = (await call('POST', BLOGS, { title: 'Draft', projectId: 'site', markdown: 'Words' })).json()
  await move(id, { projectId: 'shop' })
  t.same(await listOf('site'), { blogs: [], deleted: [] })
  t.same(await eventsOf(app, id), [])
})

t.test('a blog that returns as a draft and leaves again is still removed from the project that knew it', async (t) => {
  const { call, move, listOf } = await setUp(t)
  const { id } = await publish(call, { title: 'Moved', slug: 'known' })
  await move(id, { projectId: 'shop' })
  await call('POST', `${BLOGS}/${id}/unpublish`)
  const shop = (await listOf('shop')).deleted
  await move(id, { projectId: 'site' })
  await move(id, { projectId: 'third' })
  await call('POST', `${BLOGS}/${id}/publish`)
  t.same(await listOf('site'), { blogs: [], deleted: ['known'] })
  t.same(await listOf('shop'), { blogs: [], deleted: shop })
  t.same(await listOf('third'), { blogs: ['known'], deleted: [] })
})

t.test('a withdrawn blog that returns to a former slug keeps its redirects, and is removed when deleted', async (t) => {
  const { app, call, move, listOf } = await setUp(t)
  const { id } = await publish(call, { title: 'Renamed', slug: 'first' })
  await move(id, { slug: 'second' })
  await call('POST', `${BLOGS}/${id}/unpublish`)
  await move(id, { slug: 'first' })
  await move(id, { slug: 'second' })
  await call('POST', `${BLOGS}/${id}/publish`)
  const former = await call('GET', `${BLOGS}/first`)
  t.equal(former.statusCode, 308, former.body)
  t.equal(former.json().slug, 'second')
  t.same((await call('GET', `${BLOGS}/redirects`)).json(), [{ projectId: 'site', from: 'first', to: 'second' }])

  await call('POST', `${BLOGS}/${id}/unpublish`)
  await move(id, { slug: 'third' })
  await move(id, { slug: 'second' })
  await call('DELETE', `${BLOGS}/${id}`)
  t.same(await listOf('site'), { blogs: [], deleted: ['second'] })
  t.equal((await call('GET', `${BLOGS}/second`)).json().code, 'blog_gone')
  t.same((await eventsOf(app, id)).at(-1), ['blog.deleted', 'site', 'second'])
})

t.test('a blog that only ever had one slug is removed when it is deleted after it was renamed and back', async (t) => {
  const { app, call, move, listOf } = await setUp(t)
  const { id } = await publish(call, { title: 'Renamed', slug: 'only' })
  await call('POST', `${BLOGS}/${id}/unpublish`)
  await move(id, { slug: 'other' })
  await move(id, { slug: 'only' })
  await call('DELETE', `${BLOGS}/${id}`)
  t.same(await listOf('site'), { blogs: [], deleted: ['only'] })
  t.same((await eventsOf(app, id)).at(-1), ['blog.deleted', 'site', 'only'])
})

/** Type, project and slug of the events of the blog. */
async function eventsOf(app: FastifyInstance, id: string): Promise<unknown[]> {
  const { events } = (await (await person(app, 'acme'))('GET', '/api/events')).json()
  return events
    .filter(({ data }: { data: { id: string } }) => data.id === id)
    .map(({ type, data }: { type: string; data: { projectId: string; slug: string } }) => [
      type,
      data.projectId,
      data.slug
    ])
}
