import t from 'tap'
import { ERRORS, type ErrorCode } from '../../errors.ts'
import { startApp } from '../helper.ts'

const app = await startApp(t, { DEMO_CONTENT: 'off' })
const codes = Object.keys(ERRORS) as ErrorCode[]

t.test('every error has a page that says what it means, what to do, and what it looks like', async (t) => {
  for (const code of codes) {
    const page = await app.inject(`/docs/errors/${code}`)
    t.equal(page.statusCode, 200, code)
    for (const text of [code, ERRORS[code].title, ERRORS[code].advice, `/docs/errors/${code}&#34;`]) {
      t.ok(page.body.includes(text.replaceAll("'", '&#39;').replaceAll('<', '&#60;')), `${code}: ${text}`)
    }
  }
})

t.test('the address that an error gives as its type is the page of that error', async (t) => {
  const refusal = await app.inject('/api/v1/blogs')
  const { type, code } = refusal.json<{ type: string; code: string }>()
  const page = await app.inject(new URL(type).pathname)
  t.equal(page.statusCode, 200)
  t.ok(page.body.includes(`<code>${code}</code>`))
})

t.test('an error that there is not has no page', async (t) => {
  for (const code of ['no_such_code', 'constructor', '__proto__', '%3Cscript%3E']) {
    const answer = await app.inject(`/docs/errors/${code}`)
    t.equal(answer.statusCode, 404, code)
    t.match(answer.headers['content-type'], /^application\/problem\+json/)
  }
})

t.test('the list of errors links to each of them', async (t) => {
  const { body } = await app.inject('/docs/errors')
  t.strictSame(
    codes.filter((code) => !body.includes(`href="/docs/errors/${code}"`)),
    []
  )
})

t.test('the page of the interface has a place for every operation and every shape', async (t) => {
  const { body, statusCode } = await app.inject('/docs')
  t.equal(statusCode, 200)
  const document = app.openApiDocument()
  const wanted = [
    ...[...Object.values(document.paths), ...Object.values(document.webhooks)]
      .flatMap((item) => Object.values(item))
      .map(({ operationId }) => operationId),
    ...Object.keys(document.components.schemas).map((name) => `shape-${name}`)
  ]
  t.strictSame(
    wanted.filter((id) => !body.includes(`id="${id}"`)),
    []
  )
  const anchors = [...body.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id!)
  t.strictSame(
    anchors.filter((id) => !body.includes(`id="${id}"`)),
    [],
    'no link leads nowhere'
  )
  const ids = [...body.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!)
  t.equal(new Set(ids).size, ids.length, 'no id is there twice')
})

t.test('pages and their style sheet carry the limit, may be kept, and let nothing in from elsewhere', async (t) => {
  for (const url of ['/docs', '/docs/style.css', '/docs/errors', '/docs/errors/busy']) {
    const { headers, body } = await app.inject(url)
    t.match(
      headers,
      {
        'x-ratelimit-limit': /^\d+$/,
        'x-ratelimit-remaining': /^\d+$/,
        'x-ratelimit-reset': /^\d+$/,
        'cache-control': 'public, max-age=300',
        etag: /^"/,
        'x-content-type-options': 'nosniff'
      },
      url
    )
    t.match(headers['content-security-policy'], /default-src 'none'; style-src 'self'/, url)
    t.notMatch(body, /<script|\son\w+=|\sstyle="|@import|url\(/, `${url}: nothing that the policy would stop`)
    t.strictSame(
      [...body.matchAll(/<(?:link|img|script|iframe)[^>]*?(?:href|src)="(?!\/docs\/|data:)([^"]*)"/g)].map(
        ([, from]) => from
      ),
      [],
      `${url}: own parts only`
    )
  }
})
