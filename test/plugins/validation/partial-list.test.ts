import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { metricsWith } from '../../fixtures/metrics.ts'
import { client, person, publish, startApp, type Client } from '../../helper.ts'

/** A time that earlier versions stored, and that does not match the response schemas. */
const INVALID = '-000001-12-31T00:01:00.000Z'
const BLOGS = '/api/v1/blogs'

/** Changes a stored blog to one that cannot be serialized. */
async function invalidate(app: FastifyInstance, call: Client, id: string): Promise<void> {
  const blog = await app.store.blogs.find(call.account, id)
  const saved = await app.store.blogs.save(
    { ...blog!, publishedAt: INVALID, version: blog!.version + 1 },
    blog!.version
  )
  if (!saved) throw new Error('The blog was changed meanwhile.')
}

t.test('a record that cannot be serialized is left out of lists, counted and logged', async (t) => {
  const app = await startApp(t)
  const call = await client(app)
  const { id } = await publish(call, { title: 'Invalid' })
  const { slug } = await publish(call, { title: 'Valid' })
  await invalidate(app, call, id)
  for (const url of [BLOGS, `${BLOGS}?pageSize=5`, BLOGS]) {
    const response = await call('GET', url)
    t.equal(response.statusCode, 200, url)
    t.equal(response.headers['x-omitted-records'], '1')
    t.match(response.headers['content-type'], /^application\/json/)
    const { blogs, totalCount } = response.json()
    t.match(blogs, [{ title: 'Valid' }])
    t.equal(blogs.length, 1)
    t.equal(totalCount, 2, 'the count of stored records does not change')
  }
  t.ok(await metricsWith(app, { svc_omitted_records_total: 3 }), 'partial responses are not cached')

  const withContent = await call('GET', `${BLOGS}?include=content`)
  t.match(withContent.json().blogs, [{ title: 'Valid' }], 'with content, too')
  t.equal(withContent.headers['x-omitted-records'], '1')
  const related = await call('GET', `${BLOGS}/${slug}/related`)
  t.equal(related.statusCode, 200)
  t.equal((await call('GET', `${BLOGS}/by-id/${id}`)).statusCode, 500, 'a single record is not a list')
  t.equal((await call('DELETE', `${BLOGS}/${id}`)).statusCode, 204)
  const complete = await call('GET', BLOGS)
  t.notOk('x-omitted-records' in complete.headers, 'a complete list has no such header')
  t.equal(complete.json().blogs.length, 1)
})

t.test('an API key that cannot be serialized does not hide the other keys', async (t) => {
  const app = await startApp(t)
  const call = await client(app)
  const [key] = await app.store.apiKeys.list(call.account)
  await app.store.apiKeys.add(
    {
      ...key!,
      id: '01990000-0000-7000-8000-00000000000f',
      hash: 'f'.repeat(64),
      expiresAt: '+010000-01-01T00:00:00.000Z'
    },
    50
  )
  const response = await (await person(app, call.account))('GET', '/api/keys')
  t.equal(response.statusCode, 200)
  t.equal(response.headers['x-omitted-records'], '1')
  t.equal(response.headers['cache-control'], 'no-store')
  t.match(response.json(), { keys: [{ id: call.keyId }] })
})

t.test('times outside the years 0001 to 9999 are rejected at every boundary', async (t) => {
  const app = await startApp(t)
  const call = await client(app)
  const user = await person(app, call.account)
  const { id } = await publish(call, { title: 'Hello' })
  const hook = await user('POST', '/api/webhooks', { url: 'https://hooks.example/x', events: ['blog.published'] })
  const early = '0000-01-01T00:00:00+23:59'
  const late = '9999-12-31T23:59:59-23:59'
  for (const time of [early, late]) {
    const query = encodeURIComponent(time)
    const responses = {
      publishedAt: call('POST', BLOGS, { projectId: 'site', title: 'X', markdown: 'x', publishedAt: time }),
      patched: call('PATCH', `${BLOGS}/${id}`, { publishedAt: time }),
      publishAt: call('POST', `${BLOGS}/${id}/publish`, { publishAt: time }),
      updatedSince: call('GET', `${BLOGS}?updatedSince=${query}`),
      publishedAfter: call('GET', `${BLOGS}?publishedAfter=${query}`),
      products: call('GET', `/api/v1/products?updatedSince=${query}`),
      expiresAt: user('POST', '/api/keys', { name: 'X', expiresAt: time }),
      newExpiresAt: user('PATCH', `/api/keys/${call.keyId}`, { expiresAt: time }),
      deliveries: user('GET', `/api/webhooks/${hook.json().id}/deliveries?since=${query}`),
      recover: user('POST', `/api/webhooks/${hook.json().id}/recover`, { since: time })
    }
    for (const [name, response] of Object.entries(responses)) {
      const { statusCode, body } = await response
      t.equal(statusCode, 400, name)
      t.match(body, /years 0001 to 9999/, name)
    }
  }
})
