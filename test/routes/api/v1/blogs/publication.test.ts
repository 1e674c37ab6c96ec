import { setTimeout as wait } from 'node:timers/promises'
import t from 'tap'
import { buildApp } from '../../../../../app.ts'
import { appSettings, client, publish, startApp, temporaryFolder, type Client } from '../../../../helper.ts'

const BLOGS = '/api/v1/blogs'
const ABSENT = '01890000-0000-7000-8000-000000000000'

async function draft(call: Client, title: string): Promise<{ id: string; slug: string }> {
  const answer = await call('POST', BLOGS, { projectId: 'site', title, markdown: `Words about ${title}.` })
  if (answer.statusCode !== 201) throw new Error(answer.body)
  return answer.json()
}
const act = async (call: Client, id: string, action: string, body?: object) =>
  await call('POST', `${BLOGS}/${id}/${action}`, body)

/** Polls until the blog is public or the test times out. */
async function untilPublic(call: Client, slug: string) {
  while (true) {
    const answer = await call('GET', `${BLOGS}/${slug}`)
    if (answer.statusCode === 200) return answer.json()
    await wait(20)
  }
}

t.test('publishing makes a draft public at once in all reads', async (t) => {
  const app = await startApp(t)
  const call = await client(app)
  const { id } = await draft(call, 'Ready')
  // Caches the responses, which must be invalidated.
  for (const url of ['', '/ready', '/categories']) await call('GET', BLOGS + url)
  const before = Date.now()
  const answer = await act(call, id, 'publish')
  t.equal(answer.statusCode, 200)
  t.match(answer.json(), { status: 'published', publishAt: null, version: 2 })
  t.equal(answer.headers.etag, '"v2"')
  const { publishedAt } = answer.json()
  t.ok(Date.parse(publishedAt) >= before && Date.parse(publishedAt) <= Date.now())
  t.match((await call('GET', `${BLOGS}/ready`)).json(), { id, publishedAt })
  t.same(
    (await call('GET', BLOGS)).json().blogs.map((blog: { id: string }) => blog.id),
    [id]
  )
})

t.test('publishing a published blog changes nothing', async (t) => {
  const call = await client(await startApp(t))
  const { id, publishedAt } = await publish(call, { title: 'Public' })
  t.match((await act(call, id, 'publish')).json(), { status: 'published', version: 1, publishedAt })
  t.match((await act(call, id, 'publish', { publishAt: new Date(Date.now() + 60_000).toISOString() })).json(), {
    status: 409,
    code: 'blog_state_conflict'
  })
  t.match((await act(call, id, 'publish', { publishAt: '2020-01-01T00:00:00Z' })).json(), {
    status: 'published',
    version: 1
  })
})

t.test('unpublishing hides a blog at once, and publishing it again keeps its date', async (t) => {
  const app = await startApp(t)
  const call = await client(app)
  const { id, publishedAt } = await publish(call, {
    title: 'Now and then',
    category: 'News',
    publishedAt: '2021-05-06T07:08:09Z'
  })
  await call('GET', `${BLOGS}/now-and-then`)
  const answer = await act(call, id, 'unpublish')
  t.match(answer.json(), { status: 'unpublished', publishedAt, version: 2 })
  t.match((await call('GET', `${BLOGS}/now-and-then`)).json(), { status: 404, code: 'blog_not_found' })
  t.equal((await call('GET', BLOGS)).json().totalCount, 0)
  t.same((await call('GET', `${BLOGS}/categories`)).json(), [])
  t.match(
    (await act(call, id, 'unpublish')).json(),
    { status: 'unpublished', version: 2 },
    'a repeated call changes nothing'
  )
  t.match((await act(call, id, 'publish')).json(), {
    status: 'published',
    publishedAt: '2021-05-06T07:08:09.000Z',
    version: 3
  })
  t.equal((await call('GET', `${BLOGS}/now-and-then`)).json().publishedAt, '2021-05-06T07:08:09.000Z')
})

t.test('a draft cannot be unpublished', async (t) => {
  const call = await client(await startApp(t))
  const { id } = await draft(call, 'Draft')
  t.match((await act(call, id, 'unpublish')).json(), { status: 409, code: 'blog_state_conflict' })
  for (const action of ['publish', 'unpublish']) {
    t.match((await act(call, ABSENT, action)).json(), { status: 404, code: 'blog_not_found' })
    t.match((await act(call, 'x', action)).json(), {
      status: 400,
      code: 'invalid_request',
      errors: [{ pointer: 'blogId' }]
    })
  }
})

t.test('invalid publication times are rejected, not adjusted', async (t) => {
  const call = await client(await startApp(t))
  const { id } = await draft(call, 'Timely')
  const refused = async (body: object) => {
    const answer = await act(call, id, 'publish', body)
    t.equal(answer.statusCode, 400, JSON.stringify(body))
    return answer.json().errors.map(({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`)
  }
  t.same(await refused({ publishAt: 'tomorrow' }), ['/publishAt format'])
  t.same(await refused({ publishAt: 1_900_000_000 }), ['/publishAt type'])
  t.same(await refused({ publishAt: new Date(Date.now() + 6 * 365 * 24 * 3_600_000).toISOString() }), [
    '/publishAt too_far'
  ])
  t.same(await refused({ when: '2030-01-01T00:00:00Z' }), ['/when unknown_field'])
  t.match((await call('GET', `${BLOGS}/by-id/${id}`)).json(), { status: 'draft', version: 1 })
  t.match(
    (await act(call, id, 'publish', { publishAt: '2022-01-01T00:00:00Z' })).json(),
    { status: 'published', publishedAt: '2022-01-01T00:00:00.000Z' },
    'a past time publishes at once, with that date'
  )
})

t.test('a scheduled blog is published at its time', { timeout: 30_000 }, async (t) => {
  const app = await startApp(t)
  const call = await client(app)
  const { id } = await draft(call, 'Soon')
  const publishAt = new Date(Date.now() + 1000).toISOString()
  t.match((await act(call, id, 'publish', { publishAt })).json(), { status: 'scheduled', publishAt, publishedAt: null })
  t.equal((await call('GET', `${BLOGS}/soon`)).statusCode, 404)
  t.match(await untilPublic(call, 'soon'), { id, publishedAt: publishAt })
  t.ok(Date.now() >= Date.parse(publishAt), 'not earlier')
  t.match((await call('GET', `${BLOGS}/by-id/${id}`)).json(), { status: 'published', publishAt: null, version: 3 })
})

t.test('a schedule can be moved and canceled', { timeout: 30_000 }, async (t) => {
  const app = await startApp(t)
  const call = await client(app)
  const at = (ms: number) => ({ publishAt: new Date(Date.now() + ms).toISOString() })
  const later = await draft(call, 'Moved to later')
  const back = await draft(call, 'Taken back')
  const mark = await draft(call, 'The mark')
  await act(call, later.id, 'publish', at(300))
  await act(call, later.id, 'publish', at(3_600_000))
  await act(call, back.id, 'publish', at(300))
  t.match((await act(call, back.id, 'unpublish')).json(), { status: 'draft', publishAt: null })
  await act(call, mark.id, 'publish', at(700))
  await untilPublic(call, 'the-mark')
  await app.queue.idle()
  t.equal((await call('GET', `${BLOGS}/by-id/${later.id}`)).json().status, 'scheduled')
  t.equal((await call('GET', `${BLOGS}/by-id/${back.id}`)).json().status, 'draft')
  t.match(
    (await act(call, later.id, 'publish')).json(),
    { status: 'published', publishAt: null },
    'a scheduled blog can be published at once'
  )
})

t.test('a blog that is rescheduled leaves no jobs until it is nearly due', async (t) => {
  const app = await startApp(t)
  const call = await client(app)
  const { id } = await draft(call, 'Later')
  const queued = async (): Promise<number> => (await app.queue.depth('publish-blog')).waiting
  const after = (minutes: number) => ({ publishAt: new Date(Date.now() + minutes * 60_000).toISOString() })
  for (let hour = 1; hour <= 20; hour++) {
    t.equal((await act(call, id, 'publish', after(60 * hour))).statusCode, 200)
  }
  t.equal(await queued(), 0)
  t.equal((await act(call, id, 'publish', after(5))).statusCode, 200)
  t.equal(await queued(), 1)
  await app.services.sweeper.sweep(new AbortController().signal)
  t.equal(await queued(), 1, 'a sweep does not queue it twice')
  const blog = (await app.store.blogs.find(call.account, id))!
  const moved = { ...blog, version: blog.version + 1, publishAt: after(7).publishAt }
  t.ok(await app.store.blogs.save(moved, blog.version))
  await app.services.sweeper.sweep(new AbortController().signal)
  t.equal(await queued(), 2, 'a sweep queues what is nearly due')
})

t.test('deleting a scheduled blog leaves no dead job', { timeout: 30_000 }, async (t) => {
  const app = await startApp(t)
  const call = await client(app)
  const at = (ms: number) => ({ publishAt: new Date(Date.now() + ms).toISOString() })
  const deleted = await draft(call, 'Deleted before')
  const mark = await draft(call, 'The mark after')
  await act(call, deleted.id, 'publish', at(300))
  t.equal((await call('DELETE', `${BLOGS}/${deleted.id}`)).statusCode, 204)
  // Like after a restore of the store, which lacks a blog that Redis still has.
  await app.queue.add('publish-blog', { accountId: call.account, blogId: ABSENT })
  await act(call, mark.id, 'publish', at(700))
  await untilPublic(call, 'the-mark-after')
  await app.queue.idle()
  t.strictSame(await app.queue.dead('publish-blog', 10), [])
  t.match(await app.queue.depth('publish-blog'), { waiting: 0, running: 0, failed: 0 }, 'no job is waiting for a retry')
})

t.test('canceling the schedule of a formerly published blog leaves it unpublished', async (t) => {
  const call = await client(await startApp(t))
  const { id } = await publish(call, { title: 'Twice' })
  await act(call, id, 'unpublish')
  await act(call, id, 'publish', { publishAt: new Date(Date.now() + 3_600_000).toISOString() })
  t.match((await act(call, id, 'unpublish')).json(), { status: 'unpublished', publishAt: null })
})

t.test(
  'a blog that was due while the service was down is published after the start',
  { timeout: 30_000 },
  async (t) => {
    const env = await appSettings(temporaryFolder(t))
    const first = await buildApp(env)
    const call = await client(first)
    const { id } = await draft(call, 'While away')
    const publishAt = new Date(Date.now() + 150).toISOString()
    await act(call, id, 'publish', { publishAt })
    await first.close()
    while (Date.now() <= Date.parse(publishAt)) await wait(10)
    const second = await buildApp(env)
    t.teardown(() => second.close())
    const again = await client(second)
    t.match(await untilPublic(again, 'while-away'), { id, publishedAt: publishAt })
  }
)

t.test('a scheduled blog can be changed and keeps its time', async (t) => {
  const call = await client(await startApp(t))
  const { id } = await draft(call, 'Changing')
  const publishAt = new Date(Date.now() + 3_600_000).toISOString()
  await act(call, id, 'publish', { publishAt })
  t.match((await call('PATCH', `${BLOGS}/${id}`, { title: 'Changed' })).json(), {
    title: 'Changed',
    status: 'scheduled',
    publishAt
  })
  t.same(
    (await call('GET', `${BLOGS}?status=scheduled`)).json().blogs.map((blog: { id: string }) => blog.id),
    [id]
  )
  t.equal((await call('DELETE', `${BLOGS}/${id}`)).statusCode, 204)
})
