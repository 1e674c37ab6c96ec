import { randomUUID } from 'node:crypto'
import type { OutgoingHttpHeaders } from 'node:http'
import t from 'tap'
import { newId } from '../../../../../services/ids.ts'
import { buildVisualCheck, buildEndedCheck } from '../../../../contracts/store/fixtures/visual-checks.ts'
import { metricsWith } from '../../../../fixtures/metrics.ts'
import { addCheck, daysAgo, startWithoutBrowser } from '../../../../fixtures/visual-check/service.ts'
import { client, person, publish, type Client } from '../../../../helper.ts'

const PAGE = 'https://shop.example/journal/tea'
const ASYNC = { prefer: 'respond-async' }
const ask = async (call: Client, address: string, input: object = {}, headers: Record<string, string> = ASYNC) =>
  await call('POST', address, { url: PAGE, ...input }, headers)

// Starts before the other tests, because the check is repeated after ten seconds.
const failing = await startWithoutBrowser(t)
const waiting = ask(failing.call, failing.check, {}, {})

t.test(
  'respond-async returns the URL of the check at once, and the check is found there and in the list',
  async (t) => {
    const { call, blog, check, checks } = await startWithoutBrowser(t)
    const answer = await ask(call, check, { viewports: ['desktop'], environment: 'staging', screenshots: 'none' })
    t.equal(answer.statusCode, 202, answer.body)
    const { id, status, createdAt } = answer.json()
    t.equal(answer.headers.location, `${checks}/${id}`)
    t.equal(answer.headers['preference-applied'], 'respond-async')
    t.match(answer.headers['retry-after'], /^[1-9]\d*$/)
    t.ok(['queued', 'running'].includes(status), status)
    t.match(answer.json(), {
      blogId: blog.id,
      url: PAGE,
      environment: 'staging',
      overallScore: null,
      reason: null,
      categories: null,
      findings: [],
      screenshots: [],
      finishedAt: null
    })
    const found = await call('GET', String(answer.headers.location))
    t.equal(found.statusCode, 200)
    t.match(found.json(), { id, createdAt, blogId: blog.id })
    const list = await call('GET', `${checks}?pageSize=1`)
    t.match(list.json(), { visualChecks: [{ id }], totalCount: 1, page: 1, totalPages: 1 })
    t.notOk('findings' in list.json().visualChecks[0], 'a list has no findings')
  }
)

t.test('checks are listed newest first, with pages', async (t) => {
  const { app, call, blog, checks } = await startWithoutBrowser(t)
  const ids: string[] = []
  for (const days of [3, 2, 1]) {
    ids.unshift((await addCheck(app, blog.id, buildEndedCheck(daysAgo(days), { createdAt: daysAgo(days) }))).id)
  }
  const first = await call('GET', `${checks}?pageSize=2`)
  t.strictSame(
    first.json().visualChecks.map(({ id }: { id: string }) => id),
    ids.slice(0, 2)
  )
  t.match(first.json(), { totalCount: 3, page: 1, totalPages: 2 })
  t.match(first.headers.link, /page=2>; rel="next"/)
  t.strictSame(
    (await call('GET', `${checks}?pageSize=2&page=2`)).json().visualChecks.map(({ id }: { id: string }) => id),
    ids.slice(2)
  )
  const other = await addCheck(app, blog.id, buildEndedCheck(daysAgo(1), { url: 'https://shop.example/other' }))
  const ofPage = (await call('GET', `${checks}?url=https%3A%2F%2Fshop.example%2Fother`)).json()
  t.match(ofPage, { visualChecks: [{ id: other.id, overallScore: 70, trigger: 'request' }], totalCount: 1 })
})

t.test('only published blogs are checked', async (t) => {
  const { call } = await startWithoutBrowser(t)
  const made = (await call('POST', '/api/v1/blogs', { projectId: 'site', title: 'Draft', markdown: 'Words.' })).json()
  const gone = await publish(call, { title: 'Gone' })
  await call('DELETE', `/api/v1/blogs/${gone.id}`)
  const outcome = async (id: string) => (await ask(call, `/api/v1/blogs/${id}/visual-check`)).json().code
  t.equal(await outcome(made.id), 'blog_not_found')
  t.equal(await outcome(newId()), 'blog_not_found')
  t.equal(await outcome(gone.id), 'blog_gone')
  t.equal((await call('GET', `/api/v1/blogs/${gone.id}/visual-checks`)).json().code, 'blog_gone')
})

t.test('a URL that is not public is rejected with the same message, and a malformed one with the reason', async (t) => {
  const { call, check, checks } = await startWithoutBrowser(t)
  const refused = [
    'http://127.0.0.1/',
    'http://localhost/',
    'https://10.0.0.8/',
    'https://[::1]/',
    'https://[::ffff:10.0.0.1]/',
    'http://169.254.169.254/latest/meta-data/',
    'https://intranet/',
    'https://db.internal/',
    'https://shop.example:8443/',
    'http://shop.example:8080/',
    'https://shop.example:22/',
    'http://0x7f000001/',
    'http://2130706433/'
  ]
  const bodies = new Set<string>()
  for (const url of refused) {
    const answer = await ask(call, check, { url })
    t.equal(answer.statusCode, 400, url)
    const { code, detail, errors } = answer.json()
    // The hint depends on the text of the URL alone.
    bodies.add(JSON.stringify({ code, detail: detail.replace(/ For a page .*/, ''), errors }))
  }
  t.equal(bodies.size, 1, 'the message reveals nothing about the internal network')
  t.match(JSON.parse([...bodies][0]!), {
    code: 'url_not_allowed',
    errors: [{ pointer: '/url', code: 'not_allowed' }]
  })
  const malformed = {
    format: [
      'ftp://shop.example/',
      'file:///etc/passwd',
      'javascript:alert(1)',
      'data:text/html,x',
      'shop.example',
      '//shop.example'
    ],
    credentials: ['https://person:secret@shop.example/', 'https://person@shop.example/', 'http://a:b@127.0.0.1/']
  }
  for (const [code, urls] of Object.entries(malformed)) {
    for (const url of urls) {
      const answer = await ask(call, check, { url })
      t.match(
        [answer.statusCode, answer.json()],
        [400, { code: 'url_not_allowed', errors: [{ pointer: '/url', code }] }]
      )
    }
  }
  t.equal((await call('GET', checks)).json().totalCount, 0, 'no check is stored')
  for (const url of ['', `https://shop.example/${'a'.repeat(2000)}`]) {
    t.match((await ask(call, check, { url })).json(), { code: 'invalid_request', errors: [{ pointer: '/url' }] }, url)
  }
  for (const url of ['http://shop.example/', 'https://shop.example:443/a?b#c', 'https://shop.example:80/']) {
    t.equal((await ask(call, check, { url })).statusCode, 202, url)
  }
})

t.test('the error of a page on this machine ends with the setting that allows it', async (t) => {
  const { call, check } = await startWithoutBrowser(t)
  const detail = (await ask(call, check, { url: 'http://127.0.0.1:7701/tea' })).json().detail
  t.match(
    detail,
    /public internet\. For a page on your machine, start the service with OUTBOUND_ALLOW=127\.0\.0\.1:7701\.$/
  )
  t.equal((await ask(call, check, { url: 'https://shop.example:8443/' })).json().detail.includes('OUTBOUND'), false)
})

t.test('the operator can allow hosts and ports of a staging network', async (t) => {
  const { call, check } = await startWithoutBrowser(t, { OUTBOUND_ALLOW: 'staging.internal:8080,10.1.0.0/16' })
  const status = async (url: string) => (await ask(call, check, { url })).statusCode
  t.strictSame([await status('http://staging.internal:8080/tea'), await status('http://10.1.2.3:3000/tea')], [202, 202])
  t.strictSame(
    [
      await status('http://staging.internal/tea'),
      await status('https://staging.internal:8443/'),
      await status('http://10.2.0.1/')
    ],
    [400, 400, 400]
  )
})

t.test('invalid parameters are rejected by name', async (t) => {
  const { call, check } = await startWithoutBrowser(t)
  for (const [input, pointer] of [
    [{ viewports: [] }, '/viewports'],
    [{ viewports: ['tv'] }, '/viewports/0'],
    [{ environment: 'test' }, '/environment'],
    [{ screenshots: 'all' }, '/screenshots'],
    [{ more: 1 }, '/more']
  ] as const) {
    const answer = await ask(call, check, input)
    t.equal(answer.statusCode, 400, pointer)
    t.equal(answer.json().errors[0].pointer, pointer)
  }
})

t.test('the response names a missing scope or feature, and other accounts receive 404', async (t) => {
  const { app, call, blog, check, checks } = await startWithoutBrowser(t)
  const { id } = (await ask(call, check)).json()
  const writer = await client(app, 'acme', { scopes: ['blogs:write'] })
  t.match((await ask(writer, check)).json(), { status: 403, code: 'scope_missing', scope: 'blogs:read' })
  const unknown = { status: 404, code: 'blog_not_found' }
  for (const otherAccount of [await client(app, 'zeta'), await client(app, 'acme', { projectIds: ['other'] })]) {
    t.match((await ask(otherAccount, check)).json(), unknown)
    for (const address of [checks, `${checks}/${id}`, `${checks}/${id}/screenshots/a.webp`]) {
      t.match((await otherAccount('GET', address)).json(), unknown, address)
    }
  }
  const other = await publish(call, { title: 'Other' })
  t.match(
    (await call('GET', `/api/v1/blogs/${other.id}/visual-checks/${id}`)).json(),
    { status: 404, code: 'visual_check_not_found' },
    'a check is found under its own blog'
  )
  t.match((await call('GET', `${checks}/${newId()}`)).json(), { status: 404, code: 'visual_check_not_found' })
  const { features } = (await app.services.accounts.getRecord('acme'))!
  await app.services.accounts.update('acme', { features: features.filter((feature) => feature !== 'visual-check') })
  t.match((await ask(call, `/api/v1/blogs/${blog.id}/visual-check`)).json(), {
    status: 403,
    code: 'feature_not_in_plan',
    feature: 'visual-check'
  })
})

/** The rate limit headers of a rejected check, all of which must name the time of `Retry-After`. */
function limitsOf({ headers }: { headers: OutgoingHttpHeaders }) {
  const seconds = Number(headers['retry-after'])
  const resetInSeconds = Number(headers['x-ratelimit-reset']) - Date.now() / 1000
  t.ok(seconds >= 1 && Math.abs(resetInSeconds - seconds) < 5, `${seconds} and ${resetInSeconds} seconds`)
  t.match(headers.ratelimit, new RegExp(`;r=0;t=${seconds}$`))
  return {
    limit: Number(headers['x-ratelimit-limit']),
    remaining: Number(headers['x-ratelimit-remaining']),
    policy: headers['ratelimit-policy']
  }
}

t.test('an account may run four checks at a time, and does not delay other accounts', async (t) => {
  const { app, call, blog, check } = await startWithoutBrowser(t, { VISUAL_CHECKS_PER_HOUR: '1' })
  const first = await addCheck(app, blog.id, buildVisualCheck())
  for (let at = 1; at < 4; at++) await addCheck(app, blog.id, buildVisualCheck())
  const answer = await ask(call, check)
  t.match(answer.json(), { status: 429, code: 'too_many_unfinished_visual_checks', limit: 4 })
  t.match(limitsOf(answer), { limit: 4, remaining: 0, policy: '"unfinished-visual-checks";q=4' })
  await app.store.visualChecks.delete('acme', first.id)
  t.equal((await ask(call, check)).statusCode, 202, 'rejected checks do not count')
  const zeta = await client(app, 'zeta')
  const theirs = await publish(zeta, { title: 'Theirs' })
  t.equal((await ask(zeta, `/api/v1/blogs/${theirs.id}/visual-check`)).statusCode, 202)
})

t.test('the hourly limit of checks counts each account separately', async (t) => {
  const { app, call, check, checks } = await startWithoutBrowser(t, { VISUAL_CHECKS_PER_HOUR: '2' })
  for (let at = 0; at < 2; at++) t.equal((await ask(call, check)).statusCode, 202)
  const answer = await ask(call, check)
  t.match(answer.json(), { status: 429, code: 'too_many_visual_checks', limit: 2 })
  t.match(limitsOf(answer), { limit: 2, remaining: 0, policy: '"visual-checks";q=2;w=3600' })
  t.ok(Number(answer.headers['retry-after']) > 3500, 'the first check leaves the hour')
  t.equal((await call('GET', checks)).json().totalCount, 2, 'a rejected check is not stored')
  const zeta = await client(app, 'zeta')
  t.equal(
    (await ask(zeta, `/api/v1/blogs/${(await publish(zeta, { title: 'Theirs' })).id}/visual-check`)).statusCode,
    202
  )
})

t.test('without an hourly limit of checks only the plan limit applies', async (t) => {
  const { call, check } = await startWithoutBrowser(t, { VISUAL_CHECKS_PER_HOUR: '0' })
  for (let at = 0; at < 4; at++) t.equal((await ask(call, check)).statusCode, 202)
})

t.test('a repeated request with one Idempotency-Key creates one check', async (t) => {
  const { call, check, checks } = await startWithoutBrowser(t)
  const headers = { ...ASYNC, 'idempotency-key': randomUUID() }
  const [first, second] = [await ask(call, check, {}, headers), await ask(call, check, {}, headers)]
  t.equal(second.statusCode, 202)
  t.equal(second.headers['idempotent-replayed'], 'true')
  t.equal(second.headers.location, first.headers.location)
  t.equal(second.json().id, first.json().id)
  t.equal((await call('GET', checks)).json().totalCount, 1)
})

t.test(
  'without a browser a waiting request receives 503, and the check has failed and sends an event',
  { timeout: 40_000 },
  async (t) => {
    const { app, call, blog, checks } = failing
    const answer = await waiting
    t.equal(answer.statusCode, 503, answer.body)
    const { code, checkId: id, detail: reason } = answer.json()
    t.equal(code, 'visual_check_failed')
    t.match(reason, /browser/)
    t.match(answer.headers['retry-after'], /^[1-9]\d*$/)
    t.equal(answer.headers.location, undefined)
    const found = (await call('GET', `${checks}/${id}`)).json()
    const { finishedAt } = found
    t.match(found, { id, status: 'failed', overallScore: null, reason, finishedAt: String, findings: [] })
    const asPerson = await person(app, 'acme')
    const { events } = (await asPerson('GET', '/api/events?type=visual_check.completed')).json()
    t.match(events, [
      {
        type: 'visual_check.completed',
        timestamp: finishedAt,
        data: {
          checkId: id,
          projectId: 'site',
          blogId: blog.id,
          url: PAGE,
          status: 'failed',
          overallScore: null,
          reason,
          findings: [],
          since: null
        }
      }
    ])
    t.ok(await metricsWith(app, { 'svc_visual_checks_total{status="failed"}': 1 }))
  }
)
