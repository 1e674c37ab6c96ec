import t from 'tap'
import { ERRORS, type ErrorCode } from '../../errors.ts'
import { GUIDES } from '../../routes/docs/pages/guide-list.ts'
import { startApp } from '../helper.ts'

const app = await startApp(t, { DEMO_CONTENT: 'off' })
const codes = Object.keys(ERRORS) as ErrorCode[]

t.test('every error has a page with its meaning, advice and an example', async (t) => {
  for (const code of codes) {
    const page = await app.inject(`/docs/errors/${code}`)
    t.equal(page.statusCode, 200, code)
    for (const text of [code, ERRORS[code].title, ERRORS[code].advice, `/docs/errors/${code}&quot;`]) {
      t.ok(page.body.includes(text.replaceAll("'", '&#39;').replaceAll('<', '&lt;')), `${code}: ${text}`)
    }
  }
})

t.test('the type of an error is the URL of its page', async (t) => {
  const response = await app.inject('/api/v1/blogs')
  const { type, code } = response.json<{ type: string; code: string }>()
  const page = await app.inject(new URL(type).pathname)
  t.equal(page.statusCode, 200)
  t.ok(page.body.includes(`<code>${code}</code>`))
})

t.test('no page leaves out a level of headings, or has style attributes', async (t) => {
  const urls = ['/', '/docs', '/docs/api/plain', '/docs/errors', '/docs/errors/not_found']
  for (const url of [...urls, ...GUIDES.map(({ name }) => `/docs/${name}`)]) {
    const { body } = await app.inject(url)
    t.notMatch(body, /<[^>]+ style=/, `${url}: the Content Security Policy forbids style attributes`)
    let last = 0
    for (const [heading, level] of body.matchAll(/<h([1-6])\b[^>]*>[^<]*/g)) {
      t.ok(Number(level) <= last + 1, `${url}: ${heading}`)
      last = Number(level)
    }
    t.ok(last > 0, url)
  }
})

t.test('an unknown error code has no page', async (t) => {
  for (const code of ['no_such_code', 'constructor', '__proto__', '%3Cscript%3E']) {
    const answer = await app.inject(`/docs/errors/${code}`)
    t.equal(answer.statusCode, 404, code)
    t.match(answer.headers['content-type'], /^application\/problem\+json/)
  }
})

t.test('the list of errors links to every error', async (t) => {
  const { body } = await app.inject('/docs/errors')
  t.strictSame(
    codes.filter((code) => !body.includes(`href="/docs/errors/${code}"`)),
    []
  )
})

t.test(
  'the plain API page has a section for every operation and every schema, and no regular expressions',
  async (t) => {
    const { body, statusCode } = await app.inject('/docs/api/plain')
    t.equal(statusCode, 200)
    const document = await app.openApiDocument()
    const expectedIds = [
      ...[...Object.values(document.paths), ...Object.values(document.webhooks)]
        .flatMap((item) => Object.values(item))
        .map(({ operationId }) => operationId),
      ...Object.keys(document.components.schemas).map((name) => `schema-${name}`)
    ]
    t.strictSame(
      expectedIds.filter((id) => !body.includes(`id="${id}"`)),
      []
    )
    const anchors = [...body.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id!)
    t.strictSame(
      anchors.filter((id) => !body.includes(`id="${id}"`)),
      [],
      'every link has a target'
    )
    const ids = [...body.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!)
    t.equal(new Set(ids).size, ids.length, 'ids are unique')
    t.notMatch(body, /\[[a-zA-Z]-[a-zA-Z]\S*\]|\\S|\(\?:/)
  }
)

t.test('pages and style sheet have rate limit and caching headers and load no foreign resources', async (t) => {
  for (const url of [
    '/docs',
    '/docs/webhooks',
    '/docs/api/plain',
    '/docs/style.css',
    '/docs/errors',
    '/docs/errors/busy'
  ]) {
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
    t.notMatch(
      body,
      /<script|\son\w+=|\sstyle="|@import|url\(/,
      `${url}: nothing that the content security policy blocks`
    )
    t.strictSame(
      [...body.matchAll(/<(?:link|img|script|iframe)[^>]*?(?:href|src)="(?!\/docs\/|data:)([^"]*)"/g)].map(
        ([, from]) => from
      ),
      [],
      `${url}: own resources only`
    )
  }
})
