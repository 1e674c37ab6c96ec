import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import { openBrowser } from '../browser.ts'
import { eventually } from '../fixtures/webhooks/receiver.ts'
import { person, sessionToken, startApp } from '../helper.ts'
import { REDIS_URL } from '../profile.ts'
import { createSvc } from '../processes.ts'
import { addDyingJob, REASON } from '../fixtures/dead-job.ts'

const skip = REDIS_URL === undefined ? 'needs TEST_REDIS_URL' : false
const ADMIN = { role: 'admin' }
const start = async (t: Test, env: Record<string, string> = {}) =>
  await startApp(t, { REDIS_URL: REDIS_URL!, REDIS_PREFIX: `test-${randomUUID()}`, ...env })

/** Posts the form of the sign-in page. */
const signIn = async (app: Awaited<ReturnType<typeof start>>, token: string) =>
  await app.inject({
    method: 'POST',
    url: '/admin/queues-sign-in',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ token }).toString()
  })

/** The cookie that a browser sends after an administrator has signed in. */
async function cookieOf(app: Awaited<ReturnType<typeof start>>): Promise<string> {
  const entered = await signIn(app, await sessionToken('operator', ADMIN))
  return String(entered.headers['set-cookie']).split(';')[0]!
}

t.test('an administrator signs in to the queue dashboard with a token', { skip }, async (t) => {
  const app = await start(t)
  const token = await sessionToken('operator', ADMIN)
  const form = await app.inject({ url: '/admin/queues', headers: { accept: 'text/html,*/*;q=0.8' } })
  t.equal(form.statusCode, 401)
  t.match(form.body, '<form method="post" action="/admin/queues-sign-in">')
  const expired = await app.inject({
    url: '/admin/queues',
    headers: { accept: 'text/html', cookie: 'queue_pages=a.b.c' }
  })
  t.match([expired.statusCode, expired.body], [401, '<form method="post"'], 'a session that has ended')
  t.match(form.headers, { 'content-type': /^text\/html/, 'content-security-policy': /form-action 'self'/ })
  const entered = await signIn(app, token)
  t.equal(entered.statusCode, 303)
  t.equal(entered.headers.location, '/admin/queues')
  t.equal(entered.headers['set-cookie'], `queue_pages=${token}; Path=/admin/queues; HttpOnly; SameSite=Strict`)
  const cookie = `a=b; queue_pages=${token}`
  const page = await app.inject({ url: '/admin/queues', headers: { cookie } })
  t.equal(page.statusCode, 200)
  t.match(page.headers, {
    'content-type': /^text\/html/,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'content-security-policy': /default-src 'self'/
  })
  t.match(page.body, /<base href="\/admin\/queues\/"/)
  const scripts = [...page.body.matchAll(/(?:src|href)="(static\/[^"]+)"/g)].map(([, file]) => file!)
  t.ok(scripts.length > 2)
  for (const file of scripts) {
    t.equal((await app.inject({ url: `/admin/queues/${file}`, headers: { cookie } })).statusCode, 200, file)
  }
})

t.test('the dashboard shows jobs and can retry dead ones', { skip }, async (t) => {
  const app = await start(t)
  const cookie = await cookieOf(app)
  await addDyingJob(app)
  const queues = async () =>
    (
      await app.inject({
        url: '/admin/queues/api/queues?activeQueue=publish-blog&status=failed&page=1',
        headers: { cookie }
      })
    ).json().queues
  const failed = async () => (await queues()).find(({ name }: { name: string }) => name === 'publish-blog')
  await eventually(async () => (await failed()).counts.failed === 1, 'the job is listed as failed')
  t.equal((await queues()).length, 11)
  const [job] = (await failed()).jobs
  t.match(job, { failedReason: REASON })
  const retried = await app.inject({
    method: 'PUT',
    url: `/admin/queues/api/queues/publish-blog/${job.id}/retry`,
    headers: { cookie }
  })
  t.equal(retried.statusCode, 204, retried.body)
  await eventually(
    async () => (await failed()).jobs[0]?.finishedOn > job.finishedOn,
    'the job was retried and failed again'
  )
})

t.test('the dashboard works in a browser and loads no foreign resources', { skip }, async (t) => {
  const app = await start(t)
  await app.listen({ host: '127.0.0.1', port: 0 })
  const page = await (await openBrowser(t)).newPage()
  const answered: string[] = []
  page.on('response', (response) => {
    answered.push(response.url())
  })
  await page.goto(`${app.publicUrl}/admin/queues`)
  await page.getByLabel('Session token').fill(await sessionToken('operator', ADMIN))
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('deliver-webhooks').first().waitFor()
  t.equal(page.url(), `${app.publicUrl}/admin/queues`)
  t.ok(answered.length > 5)
  t.strictSame(
    answered.filter((url) => !url.startsWith(`${app.publicUrl}/admin/queues`)),
    []
  )
  t.equal(await page.evaluate('document.cookie'), '', 'no script can read the cookie')
})

t.test('the dashboard rejects everybody but administrators', { skip }, async (t) => {
  const app = await start(t)
  const somebody = await sessionToken('acme')
  const expired = await sessionToken('operator', ADMIN, 'another secret that is long enough, too')
  const ways: [string, number, { url: string; method?: 'PUT'; headers?: Record<string, string> }][] = [
    ['without a token', 401, { url: '/admin/queues' }],
    ['data without a cookie', 401, { url: '/admin/queues/api/queues' }],
    ['a script without a cookie', 401, { url: '/admin/queues/static/favicon-32x32.png' }],
    ['a change without a cookie', 401, { url: '/admin/queues/api/queues/sweep/pause', method: 'PUT' }],
    ['a token without the role admin', 403, { url: '/admin/queues', headers: { authorization: `Bearer ${somebody}` } }],
    ['a cookie without the role admin', 403, { url: '/admin/queues', headers: { cookie: `queue_pages=${somebody}` } }],
    ['a token with another signature', 401, { url: '/admin/queues', headers: { authorization: `Bearer ${expired}` } }],
    ['an invalid cookie', 401, { url: '/admin/queues', headers: { cookie: 'queue_pages=a.b.c' } }],
    ['a page with the token in the URL', 401, { url: `/admin/queues?token=${await sessionToken('operator', ADMIN)}` }],
    [
      'a change with the token in the URL',
      401,
      { url: `/admin/queues/api/queues/sweep/pause?token=${await sessionToken('operator', ADMIN)}`, method: 'PUT' }
    ]
  ]
  for (const [who, status, request] of ways) {
    const answer = await app.inject(request)
    t.equal(answer.statusCode, status, who)
    t.match(answer.headers['content-type'], /^application\/problem\+json/, who)
    t.ok(answer.headers['x-ratelimit-limit'], who)
    t.equal(answer.headers['set-cookie'], undefined, who)
  }
  for (const [token, status] of [
    [somebody, 403],
    [expired, 401],
    ['', 401],
    ['a; Domain=example', 401]
  ] as const) {
    const answer = await signIn(app, token)
    t.equal(answer.statusCode, status, `sign in with ${token}`)
    t.equal(answer.headers['set-cookie'], undefined)
  }
  const large = await signIn(app, 'x'.repeat(20_000))
  t.equal(large.statusCode, 413)
})

t.test('the cookie is marked Secure if the public URL is https', { skip }, async (t) => {
  const app = await start(t, { PUBLIC_URL: 'https://content.example' })
  const entered = await signIn(app, await sessionToken('operator', ADMIN))
  t.match(entered.headers['set-cookie'], /; Secure$/)
})

t.test('the command line prints the URL of the dashboard and a token to sign in with', { skip }, async (t) => {
  const app = await start(t)
  const svc = createSvc(app.config.DATA_DIR, { REDIS_URL: REDIS_URL!, PUBLIC_URL: 'https://content.example/' })
  const { out, code, err } = await svc('queues', '--open')
  t.equal(code, 0, err)
  const [, address, token] = /^Open +(\S+)\nSession token +(\S+)\n$/.exec(out) ?? []
  t.equal(address, 'https://content.example/admin/queues')
  t.equal((await signIn(app, token!)).statusCode, 303)
})

t.test('there is no dashboard for the in-process queue', async (t) => {
  const app = await startApp(t, { REDIS_URL: '', MONGODB_URL: '' })
  t.equal((await app.inject('/admin/queues')).statusCode, 404)
  t.equal(
    (await (await person(app, 'operator', ADMIN))('GET', '/api/admin/queues')).statusCode,
    200,
    'the API still reports the queues'
  )
})
