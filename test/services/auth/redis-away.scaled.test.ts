import { randomUUID } from 'node:crypto'
import t from 'tap'
import { cannotStart as skip, ownRedis } from '../../fixtures/own-redis.ts'
import { client, startApp, type Client } from '../../helper.ts'

/** Sends one request; returns the status, the limit and the remaining requests. */
async function asked(call: Client): Promise<[number, number, number]> {
  const { statusCode, headers } = await call('GET', '/api/v1/blogs')
  return [statusCode, Number(headers['x-ratelimit-limit']), Number(headers['x-ratelimit-remaining'])]
}

t.test('a changed limit applies at once, even if Redis is down at the next request', { skip }, async (t) => {
  const redis = await ownRedis(t)
  const app = await startApp(t, { REDIS_URL: redis.url, REDIS_PREFIX: `test-${randomUUID()}` })
  const [grown, shrunk] = [await client(app, 'grown'), await client(app, 'shrunk')]
  await app.services.accounts.update('grown', { requestsPerHour: 3 })
  await app.services.accounts.update('shrunk', { requestsPerHour: 6 })
  for (const remaining of [2, 1, 0]) t.same(await asked(grown), [200, 3, remaining])
  for (const remaining of [5, 4]) t.same(await asked(shrunk), [200, 6, remaining])
  t.same(await asked(grown), [429, 3, 0])
  await app.services.accounts.update('grown', { requestsPerHour: 5 })
  await app.services.accounts.update('shrunk', { requestsPerHour: 3 })
  await redis.kill()
  t.same(await asked(grown), [200, 5, 1], 'a formerly rejected request is allowed')
  t.same(await asked(grown), [200, 5, 0])
  t.same(await asked(grown), [429, 5, 0])
  t.same(await asked(shrunk), [200, 3, 0])
  t.same(await asked(shrunk), [429, 3, 0], 'a formerly allowed request is rejected')
  await redis.start()
})
