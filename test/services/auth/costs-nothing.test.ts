import t from 'tap'
import { client, sessionToken, startApp, temporaryFolder } from '../../helper.ts'
import { scaled } from '../../profile.ts'

t.test('OPTIONS is free and never rate limited, even if usage exceeds a lowered limit', async (t) => {
  const app = await startApp(t)
  const call = await client(app)
  for (let time = 0; time < 3; time++) t.equal((await call('GET', '/api/v1/blogs')).statusCode, 200)
  await app.services.accounts.update(call.account, { requestsPerHour: 1 })
  t.equal((await call('GET', '/api/v1/blogs')).statusCode, 429, 'a counted request is rejected')
  // Twice: the first request loads the key, the second one uses the cache.
  for (let time = 0; time < 2; time++) {
    const answer = await call('OPTIONS', '/api/v1/blogs')
    t.equal(answer.statusCode, 204)
    t.equal(answer.headers['x-ratelimit-remaining'], '0')
  }
})

// Requires shared limits: local counts are lost at the restart with a smaller limit.
if (scaled) {
  t.test('probes are never rate limited, even if usage exceeds a lowered limit', async (t) => {
    const DATA_DIR = temporaryFolder(t)
    const before = await startApp(t, { DATA_DIR, ADDRESS_REQUESTS_PER_HOUR: '5' })
    for (let time = 0; time < 4; time++) t.equal((await before.inject('/nothing')).statusCode, 404)
    const after = await startApp(t, { DATA_DIR, ADDRESS_REQUESTS_PER_HOUR: '2' })
    t.equal((await after.inject('/nothing')).statusCode, 429, 'a counted request is rejected')
    for (const url of ['/health', '/health/live', '/health/ready']) {
      t.equal((await after.inject(url)).statusCode, 200, url)
    }
  })
}

t.test('304 responses to unchanged content count only by the setting of the account', async (t) => {
  const app = await startApp(t)
  const call = await client(app)
  const read = async (etag?: unknown, path = '/api/v1/blogs') => {
    const answer = await call('GET', path, undefined, etag === undefined ? {} : { 'if-none-match': String(etag) })
    return { ...answer, remaining: Number(answer.headers['x-ratelimit-remaining']) }
  }
  const { headers } = await read()
  const counted = await read(headers.etag)
  t.equal(counted.statusCode, 304)
  t.equal((await read(headers.etag)).remaining, counted.remaining - 1, 'they count by default')

  const admin = { authorization: `Bearer ${await sessionToken('operator', { role: 'admin' })}` }
  const path = `/api/admin/accounts/${call.account}`
  const changed = await app.inject({ method: 'PATCH', url: path, headers: admin, payload: { countNotModified: false } })
  t.equal(changed.json().countNotModified, false)
  const { remaining } = await read(headers.etag)
  for (let time = 0; time < 3; time++) {
    const answer = await read(headers.etag)
    t.same([answer.statusCode, answer.remaining], [304, remaining], 'the headers show the refunded request')
  }
  t.equal((await read()).remaining, remaining - 1, 'a response with a body counts')

  await app.limits.bumpEpoch(call.account, 'content')
  const afterChange = await read(headers.etag)
  t.same([afterChange.statusCode, afterChange.remaining], [304, remaining - 2], 'the account has changed in between')
  t.equal((await read(headers.etag)).remaining, remaining - 2)

  await app.services.accounts.update(call.account, { requestsPerHour: 1 })
  t.equal((await read(headers.etag)).statusCode, 429, 'at the limit, the next request is rejected')
})
