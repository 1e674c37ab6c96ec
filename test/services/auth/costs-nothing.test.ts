import t from 'tap'
import { client, startApp, temporaryFolder } from '../../helper.ts'
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
