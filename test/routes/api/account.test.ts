import t from 'tap'
import { client, person, startApp } from '../../helper.ts'

t.test('the first session creates the account on the default plan with all features', async (t) => {
  const app = await startApp(t, { DEFAULT_PLAN: 'sage' })
  const call = await person(app, 'acme')
  const read = await call('GET', '/api/account')
  t.equal(read.statusCode, 200)
  t.match(read.json(), {
    id: 'acme',
    plan: 'sage',
    requestsPerHour: 500,
    features: ['blogs', 'images', 'products', 'visual-check', 'webhooks'],
    knownProjectsOnly: false
  })
  t.ok(!Number.isNaN(Date.parse(read.json().createdAt)))
})

t.test('a user can restrict the account to known projects, but cannot change its plan', async (t) => {
  const app = await startApp(t)
  const call = await person(app, 'acme')
  t.equal((await call('PATCH', '/api/account', { knownProjectsOnly: true })).json().knownProjectsOnly, true)
  for (const field of ['plan', 'requestsPerHour', 'features', 'id']) {
    t.match((await call('PATCH', '/api/account', { [field]: 'samurai' })).json(), {
      status: 400,
      errors: [{ pointer: `/${field}`, code: 'unknown_field' }]
    })
  }
  t.equal((await call('GET', '/api/account')).json().plan, 'starter')
})

t.test('usage has the rate limit state and the requests of each hour', async (t) => {
  const app = await startApp(t)
  const key = await client(app)
  await app.services.accounts.update('acme', { requestsPerHour: 4 })
  for (let time = 0; time < 6; time++) await key('GET', '/api/v1/blogs')
  await key('OPTIONS', '/api/v1/blogs')
  const call = await person(app, 'acme')
  const usage = await call('GET', '/api/account/usage')
  t.equal(usage.headers['cache-control'], 'no-store')
  const { limit, remaining, resetAt, hours } = usage.json()
  t.match({ limit, remaining }, { limit: 4, remaining: 0 })
  t.ok(Date.parse(resetAt) > Date.now())
  const sum = (field: string) => hours.reduce((total: number, hour: Record<string, number>) => total + hour[field]!, 0)
  t.equal(sum('requests'), 4)
  t.equal(sum('refused'), 2)
  for (const { hour } of hours) t.match(hour, /^\d{4}-\d\d-\d\dT\d\d:00:00\.000Z$/)
  const again = (await call('GET', '/api/account/usage')).json()
  t.same([again.remaining, again.hours], [0, hours], 'reading the usage is free')
})
