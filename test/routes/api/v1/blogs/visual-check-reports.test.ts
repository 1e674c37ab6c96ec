import t from 'tap'
import { newId } from '../../../../../services/ids.ts'
import { buildEndedCheck, buildVisualCheck, RESULT } from '../../../../contracts/store/fixtures/visual-checks.ts'
import { addCheck, daysAgo, PICTURE, startWithoutBrowser } from '../../../../fixtures/visual-check/service.ts'
import { client } from '../../../../helper.ts'

t.test('screenshots of a check are served only to its account, with an ETag', async (t) => {
  const { app, call, blog, checks } = await startWithoutBrowser(t)
  const { id } = await addCheck(app, blog.id, buildEndedCheck(daysAgo(1)))
  const [screenshot] = (await call('GET', `${checks}/${id}`)).json().screenshots
  t.match(screenshot, { name: 'k3.webp', kind: 'thumb', viewport: 'mobile', finding: null, width: 320, height: 693 })
  const { pathname } = new URL(screenshot.url)
  t.equal(pathname, `${checks}/${id}/screenshots/k3.webp`)
  const picture = await call('GET', pathname, undefined, { accept: 'image/webp' })
  t.equal(picture.statusCode, 200, picture.body)
  t.equal(picture.headers['content-type'], 'image/webp')
  t.match(picture.headers['cache-control'], /^private\b/)
  t.strictSame(picture.rawPayload, PICTURE)
  t.equal((await call('GET', pathname, undefined, { 'if-none-match': String(picture.headers.etag) })).statusCode, 304)
  t.equal((await call('HEAD', pathname)).statusCode, 200)
  t.equal((await app.inject(pathname)).statusCode, 401)
  await app.files.put(`visual-checks/${id}/secret.webp`, PICTURE)
  for (const name of ['secret.webp', 'k4.webp', '..%2Fk3.webp', '%2e%2e%2f%2e%2e%2fimages']) {
    t.match((await call('GET', `${checks}/${id}/screenshots/${name}`)).statusCode, 404, name)
  }
})

t.test('the report is one HTML file with the screenshots and the history, served to the account only', async (t) => {
  const { app, call, blog, checks } = await startWithoutBrowser(t)
  const url = 'https://shop.example/<script>alert(1)</script>'
  const before = await addCheck(
    app,
    blog.id,
    buildEndedCheck(daysAgo(2), { url, overallScore: 0, createdAt: daysAgo(2) })
  )
  const { id } = await addCheck(app, blog.id, {
    ...buildEndedCheck(daysAgo(1), { url, createdAt: daysAgo(1) }),
    result: { ...RESULT, since: { checkId: before.id, overallScore: 0, appeared: [], gone: [] } }
  })
  const report = await call('GET', `${checks}/${id}/report`, undefined, { accept: 'text/html' })
  t.equal(report.statusCode, 200, report.body)
  t.match(report.headers, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'private, no-cache',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY'
  })
  const policy = String(report.headers['content-security-policy'])
  t.match(policy, "default-src 'none'")
  t.match(policy, "frame-ancestors 'none'")
  t.match(policy, 'sandbox')
  t.notMatch(policy, 'unsafe')
  t.match(report.body, 'Scores of the last 2 checks, the latest at the end: 0, 70')
  t.equal(
    report.body.split(`data:image/webp;base64,${PICTURE.toString('base64')}`).length - 1,
    3,
    'with the previous check'
  )
  t.notMatch(report.body, '<script>alert')
  t.notMatch(report.body, / style=/)
  t.notMatch(report.body, /(?:src|href)="(?!data:|https:\/\/shop\.example)/)
  t.equal((await app.inject(`${checks}/${id}/report`)).statusCode, 401)
  const zeta = await client(app, 'zeta')
  t.equal((await zeta('GET', `${checks}/${id}/report`)).statusCode, 404)
  t.match((await call('GET', `${checks}/${newId()}/report`)).json(), { code: 'visual_check_not_found' })
  const waiting = await addCheck(
    app,
    blog.id,
    buildVisualCheck({ status: 'running', startedAt: daysAgo(0), attempts: 1 })
  )
  t.match((await call('GET', `${checks}/${waiting.id}/report`)).body, 'The check is running.')
})

t.test('checks and their screenshots are stored for 30 days', async (t) => {
  const { app, call, blog, checks } = await startWithoutBrowser(t)
  const [old, recent] = [
    await addCheck(app, blog.id, buildEndedCheck(daysAgo(30.1))),
    await addCheck(app, blog.id, buildEndedCheck(daysAgo(29.9)))
  ]
  await app.services.sweeper.sweep(new AbortController().signal)
  t.strictSame(
    (await call('GET', checks)).json().visualChecks.map(({ id }: { id: string }) => id),
    [recent.id]
  )
  t.equal((await call('GET', `${checks}/${old.id}/screenshots/k3.webp`)).statusCode, 404)
  t.equal((await call('GET', `${checks}/${recent.id}/screenshots/k3.webp`)).statusCode, 200)
  t.strictSame(
    (await app.files.list({ prefix: 'visual-checks', afterKey: null, limit: 10 })).map(({ key }) => key),
    [`visual-checks/${recent.id}/k3.webp`]
  )
})
