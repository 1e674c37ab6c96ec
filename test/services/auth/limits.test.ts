import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { client, person, startApp } from '../../helper.ts'

const rates = ({ headers }: { headers: Record<string, unknown> }) =>
  ['limit', 'remaining', 'reset'].map((name) => Number(headers[`x-ratelimit-${name}`])) as [number, number, number]

async function starter(t: Test, env: Record<string, string> = {}) {
  const app = await startApp(t, env)
  const call = await client(app)
  await app.services.accounts.update('acme', { plan: 'starter' })
  return { app, call }
}

t.test('the starter plan allows 100 requests, and the next one receives 429 with Retry-After', async (t) => {
  const { app, call } = await starter(t)
  for (let count = 1; count <= 100; count++) {
    const answer = await call('GET', count % 2 === 0 ? '/api/v1/blogs' : '/api/v1/blogs/none')
    const [limit, remaining] = rates(answer)
    if (answer.statusCode === 429 || limit !== 100 || remaining !== 100 - count) {
      t.fail(`request ${count} was answered ${answer.statusCode}, ${remaining} of ${limit}`)
    }
  }
  const refused = await call('GET', '/api/v1/blogs')
  t.equal(refused.statusCode, 429)
  t.equal(refused.json().code, 'rate_limited')
  const [limit, remaining, reset] = rates(refused)
  t.same([limit, remaining], [100, 0])
  const wait = Number(refused.headers['retry-after'])
  t.ok(wait > 3500 && wait <= 3600, `it waits ${wait} s for the first one to leave the hour`)
  t.ok(Math.abs(reset - Date.now() / 1000 - wait) <= 2)
  t.match(refused.headers['ratelimit-policy'], '"starter";q=100;w=3600')
  t.match(refused.headers.ratelimit, /^"starter";r=0;t=3[56]\d\d$/)
  const other = await app.services.apiKeys.create('acme', { name: 'Other' })
  t.equal(
    (await app.inject({ url: '/api/v1/blogs', headers: { 'x-api-key': other.key } })).statusCode,
    429,
    "another key of the account shares the account's limit"
  )
  const otherAccount = await client(app, 'otherAccount')
  t.equal((await otherAccount('GET', '/api/v1/blogs')).statusCode, 200, 'another account is not limited')
  const session = await person(app, 'acme')
  t.same(rates(await session('GET', '/api/account')).slice(0, 2), [100, 99], "a person's requests are counted apart")
  await app.services.accounts.update('acme', { plan: 'sage' })
  t.same(
    rates(await call('GET', '/api/v1/blogs')).slice(0, 2),
    [500, 399],
    'a larger plan applies at once and keeps the usage'
  )
  await app.services.accounts.update('acme', { requestsPerHour: 102 })
  t.same(rates(await call('GET', '/api/v1/blogs')).slice(0, 2), [102, 0], "the account's own number too")
  t.equal((await call('GET', '/api/v1/blogs')).statusCode, 429)
  await app.services.accounts.update('acme', { requestsPerHour: null, plan: 'starter' })
  const smaller = await call('GET', '/api/v1/blogs')
  t.same([smaller.statusCode, ...rates(smaller).slice(0, 2)], [429, 100, 0], 'a smaller plan applies at once')
})

t.test('of many concurrent requests exactly the remaining number is allowed', async (t) => {
  const { call } = await starter(t)
  const answers = await Promise.all(Array.from({ length: 150 }, async () => await call('GET', '/api/v1/blogs')))
  t.equal(answers.filter(({ statusCode }) => statusCode === 200).length, 100)
  t.equal(answers.filter(({ statusCode }) => statusCode === 429).length, 50)
})

t.test('errors with a valid key count, but OPTIONS and rate limited requests do not', async (t) => {
  const { app, call } = await starter(t)
  await app.services.accounts.update('acme', { requestsPerHour: 5 })
  t.equal(rates(await call('POST', '/api/v1/blogs', { broken: true }))[1], 4, '400')
  t.equal(rates(await call('GET', '/api/v1/nothing'))[1], 3, '404 for an unknown path')
  t.equal(rates(await call('PUT', '/api/v1/blogs'))[1], 2, '405')
  t.equal(rates(await call('OPTIONS', '/api/v1/blogs'))[1], 2, 'OPTIONS')
  await app.services.accounts.update('acme', { features: [] })
  t.equal(rates(await call('GET', '/api/v1/blogs'))[1], 1, '403')
  t.equal(rates(await call('GET', '/api/v1/blogs'))[1], 0)
  const first = rates(await call('GET', '/api/v1/blogs'))[2]
  for (let time = 0; time < 10; time++) await call('GET', '/api/v1/blogs')
  t.equal(rates(await call('GET', '/api/v1/blogs'))[2], first, 'further requests do not extend the wait')
  t.equal((await call('OPTIONS', '/api/v1/blogs')).statusCode, 204, 'OPTIONS is still answered')
})

t.test('each user has the rate limit of the plan', async (t) => {
  const app = await startApp(t)
  const [ann, bob] = [await person(app, 'acme', { name: 'Ann' }), await person(app, 'acme')]
  for (let count = 0; count < 100; count++) await bob('GET', '/api/account')
  t.equal((await bob('GET', '/api/account')).statusCode, 429)
  t.equal((await bob('POST', '/api/keys', { name: 'X' })).statusCode, 429)
  t.equal((await ann('GET', '/api/account')).statusCode, 429, 'the subject decides, not a name in the claims')
  const other = await person(app, 'other')
  t.equal((await other('GET', '/api/account')).statusCode, 200)
})

const from =
  (app: FastifyInstance, remoteAddress: string) =>
  async (url: string, headers: Record<string, string> = {}) =>
    await app.inject({ url, headers, remoteAddress })

t.test('requests without a valid credential are counted by address', async (t) => {
  const { app, call } = await starter(t, { ADDRESS_REQUESTS_PER_HOUR: '4' })
  const ask = from(app, '203.0.113.9')
  t.same(rates(await ask('/api/v1/blogs')), [4, 3, rates(await ask('/nothing'))[2]])
  t.equal((await ask('/api/v1/blogs/images/x/y.png')).statusCode, 404, 'public images do not count')
  t.equal((await ask('/docs')).statusCode < 400, true, 'public pages do')
  t.same(rates(await ask('/api/keys')).slice(0, 2), [4, 0])
  t.equal((await ask('/api/v1/blogs')).statusCode, 429)
  t.equal((await from(app, '::ffff:203.0.113.9')('/api/v1/blogs')).statusCode, 429, 'the same address in IPv6')
  t.equal((await from(app, '203.0.113.10')('/api/v1/blogs')).statusCode, 401, 'another address')
  t.equal(
    (await ask('/api/v1/blogs', { 'x-api-key': call.key })).statusCode,
    200,
    'a valid key is not limited by its address'
  )
  const v6 = from(app, '2001:db8::1')
  for (let count = 0; count < 4; count++) await v6('/nothing')
  t.equal((await from(app, '2001:db8::ffff:2')('/nothing')).statusCode, 429, 'another address in the /64')
  t.equal((await from(app, '2001:db8:0:1::1')('/nothing')).statusCode, 404, 'another network')
})

t.test('after 300 invalid credentials an address receives 429, but its other requests succeed', async (t) => {
  const { app, call } = await starter(t)
  const ask = from(app, '203.0.113.9')
  const wrong: Record<string, string>[] = [
    { 'x-api-key': 'svc_pk_wrong' },
    { authorization: 'Bearer wrong' },
    { 'x-api-key': `${call.key.slice(0, -1)}_` }
  ]
  for (let count = 0; count < 300; count++) {
    const { statusCode } = await ask(
      count % 5 === 0 ? '/api/keys' : '/api/v1/blogs',
      wrong[count % 5 === 0 ? 1 : count % 3]
    )
    if (statusCode !== 401) t.fail(`wrong credential ${count} was answered ${statusCode}`)
  }
  const refused = await ask('/api/v1/blogs', wrong[0])
  t.equal(refused.statusCode, 429)
  t.ok(Number(refused.headers['retry-after']) >= 1)
  t.equal((await ask('/api/keys', wrong[1])).statusCode, 429, 'sessions and keys together')
  t.equal((await ask('/api/v1/blogs')).statusCode, 401, 'without a credential')
  t.equal((await ask('/api/v1/blogs', { 'x-api-key': call.key })).statusCode, 200, 'with a valid one')
  t.equal((await from(app, '203.0.113.10')('/api/v1/blogs', wrong[0])).statusCode, 401, 'from another address')
  const before = rates(await ask('/nothing'))[1]
  for (let count = 0; count < 10; count++) await ask('/api/v1/blogs', wrong[0])
  t.equal(rates(await ask('/nothing'))[1], before - 1, 'rejected requests do not use up the limit of the address')
})

t.test('TRUST_PROXY decides which forwarded addresses are trusted', async (t) => {
  const limit = { ADDRESS_REQUESTS_PER_HOUR: '10' }
  const remaining = async (app: FastifyInstance, forwarded: string, peer = '10.0.0.1') =>
    rates(await from(app, peer)('/nothing', { 'x-forwarded-for': forwarded }))[1]
  const off = await startApp(t, limit)
  t.equal(await remaining(off, '1.1.1.1'), 9)
  t.equal(await remaining(off, '2.2.2.2'), 8, 'off: the address of the connection')
  const on = await startApp(t, { ...limit, TRUST_PROXY: 'on' })
  t.equal(await remaining(on, '1.1.1.1, 9.9.9.9'), 9)
  t.equal(await remaining(on, '2.2.2.2, 9.9.9.9'), 9, 'on: the first address of the header')
  t.equal(await remaining(on, '1.1.1.1'), 8)
  t.equal(await remaining(on, '1.1.1.1:4711'), 7, 'with the port that some proxies add')
  const hops = await startApp(t, { ...limit, TRUST_PROXY: '1' })
  t.equal(await remaining(hops, 'forged, 1.1.1.1'), 9)
  t.equal(await remaining(hops, 'other, 1.1.1.1'), 8, 'one hop: the address from the last proxy, whatever precedes it')
  const two = await startApp(t, { ...limit, TRUST_PROXY: '2' })
  t.equal(await remaining(two, 'forged, 1.1.1.1, 10.0.0.2'), 9)
  t.equal(await remaining(two, 'other, 1.1.1.1, 10.0.0.3'), 8, 'two hops')
  const listed = await startApp(t, { ...limit, TRUST_PROXY: '10.0.0.0/8, 192.168.1.1' })
  t.equal(await remaining(listed, '1.1.1.1, 192.168.1.1'), 9)
  t.equal(await remaining(listed, '1.1.1.1', '11.0.0.1'), 9, 'the header of an unlisted peer is ignored')
  t.equal(await remaining(listed, '2.2.2.2', '11.0.0.1'), 8)
})

t.test('cached responses are shared only by callers with the same access', async (t) => {
  const { app } = await starter(t)
  const spaced = await client(app, 'acme site')
  const confined = await client(app, 'acme', { projectIds: ['site'] })
  await spaced('POST', '/api/v1/blogs', { projectId: 'site', title: 'Private', markdown: 'x', status: 'published' })
  t.equal((await spaced('GET', '/api/v1/blogs')).json().totalCount, 1)
  t.equal((await confined('GET', '/api/v1/blogs')).json().totalCount, 0)
  t.equal((await spaced('GET', '/api/v1/blogs')).json().totalCount, 1)
  const caller = async (key: string) => {
    const context = await app.services.auth.authenticate({ kind: 'key', credential: key, address: '', cost: 0 })
    return (context.caller as { cacheKey: string }).cacheKey
  }
  t.not(await caller(spaced.key), await caller(confined.key))
})
