import t from 'tap'
import { client, person, publish, startApp } from '../../../helper.ts'

t.test('only administrators manage accounts', async (t) => {
  const app = await startApp(t)
  const key = await client(app)
  for (const claims of [{}, { role: 'user' }, { role: ['admin'] }, { admin: true }]) {
    const call = await person(app, 'acme', claims)
    for (const [method, url] of [
      ['GET', '/api/admin/accounts/acme'],
      ['PATCH', '/api/admin/accounts/acme'],
      ['GET', '/api/admin/export']
    ] as const) {
      t.match(
        (await call(method, url, method === 'PATCH' ? { plan: 'samurai' } : undefined)).json(),
        { status: 403, code: 'admin_only' },
        `${method} ${url} as ${JSON.stringify(claims)}`
      )
    }
  }
  t.equal((await key('GET', '/api/admin/accounts/acme')).statusCode, 401)
  t.equal((await app.inject('/api/admin/export')).statusCode, 401)
})

t.test('administrators read and change any account, and changes apply to the next request', async (t) => {
  const app = await startApp(t)
  const key = await client(app)
  const admin = await person(app, 'operator', { role: 'admin' })
  t.match((await admin('GET', '/api/admin/accounts/acme')).json(), {
    id: 'acme',
    plan: 'samurai',
    requestsPerHour: 2000
  })
  t.match((await admin('GET', '/api/admin/accounts/none')).json(), { status: 404, code: 'account_not_found' })
  t.match((await admin('PATCH', '/api/admin/accounts/none', { plan: 'sage' })).json(), {
    status: 404,
    code: 'account_not_found'
  })
  const limit = async () => (await key('GET', '/api/v1/blogs')).headers['x-ratelimit-limit']
  t.equal(await limit(), '2000')
  t.match((await admin('PATCH', '/api/admin/accounts/acme', { plan: 'sage' })).json(), {
    plan: 'sage',
    requestsPerHour: 500
  })
  t.equal(await limit(), '500')
  t.match((await admin('PATCH', '/api/admin/accounts/acme', { requestsPerHour: 7777 })).json(), {
    plan: 'sage',
    requestsPerHour: 7777
  })
  t.equal(await limit(), '7777')
  await admin('PATCH', '/api/admin/accounts/acme', { requestsPerHour: null })
  t.equal(await limit(), '500', "back to the plan's")
  for (const body of [
    {},
    { plan: 'gold' },
    { requestsPerHour: 0 },
    { requestsPerHour: 1.5 },
    { features: ['flying'] },
    { features: ['blogs', 'blogs'] },
    { id: 'x' }
  ]) {
    t.equal((await admin('PATCH', '/api/admin/accounts/acme', body)).statusCode, 400, JSON.stringify(body))
  }
})

t.test('a disabled feature is rejected by name and works again when it is enabled', async (t) => {
  const app = await startApp(t)
  const key = await client(app)
  const admin = await person(app, 'operator', { role: 'admin' })
  const blog = await publish(key, { title: 'First' })
  const features = ['products', 'visual-check', 'webhooks']
  t.equal((await key('GET', '/api/v1/blogs/first')).statusCode, 200, 'the response is cached')
  await admin('PATCH', '/api/admin/accounts/acme', { features })
  for (const [url, feature] of [
    ['/api/v1/blogs', 'blogs'],
    ['/api/v1/blogs/first', 'blogs'],
    [`/api/v1/blogs/${blog.id}/images`, 'images']
  ] as const) {
    t.match((await key('GET', url)).json(), { status: 403, code: 'feature_not_in_plan', feature }, url)
  }
  await admin('PATCH', '/api/admin/accounts/acme', { features: ['blogs', ...features] })
  t.equal((await key('GET', '/api/v1/blogs/first')).statusCode, 200)
})

t.test('the export has all data but no API key values or secrets', async (t) => {
  const app = await startApp(t)
  const key = await client(app)
  await publish(key, { title: 'First' })
  await key('POST', '/api/v1/products', { projectId: 'shop', externalId: 'a', title: 'A chair' })
  const { secret } = (
    await (
      await person(app, 'acme')
    )('POST', '/api/webhooks', { url: 'https://example.com/hook' })
  ).json()
  const admin = await person(app, 'operator', { role: 'admin' })
  const answer = await admin('GET', '/api/admin/export')
  t.equal(answer.statusCode, 200)
  t.match(answer.headers['content-type'], /^application\/x-ndjson/)
  const lines = answer.body
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  const kinds = new Set(lines.map(({ kind }) => kind))
  for (const kind of ['export', 'account', 'project', 'apiKey', 'blog', 'product', 'event', 'webhook', 'end']) {
    t.ok(kinds.has(kind), kind)
  }
  t.notMatch(answer.body, secret.slice(6, 30))
  t.notMatch(answer.body, key.key.slice(11, 50))
})

t.test('administrators have their own rate limit, independent of the plan', async (t) => {
  const app = await startApp(t)
  const admin = await person(app, 'acme', { role: 'admin' })
  const owner = await person(app, 'acme')
  t.equal((await admin('GET', '/api/account')).headers['x-ratelimit-limit'], '20000')
  t.equal((await owner('GET', '/api/account')).headers['x-ratelimit-limit'], '100')
  t.match((await admin('GET', '/api/account')).headers['ratelimit-policy'], /^"admin";q=20000/)
})
