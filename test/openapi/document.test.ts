import t from 'tap'
import { ERRORS, type ErrorCode } from '../../errors.ts'
import { startApp } from '../helper.ts'
import { answersOf, exampleUrl, operationsOf, parametersOf, resolve } from './operations.ts'

const app = await startApp(t, { DEMO_CONTENT: 'off' })
const document = await app.openApiDocument()
const operations = operationsOf(document)

t.test('the document describes exactly the routes of the API', async (t) => {
  const routes: string[] = []
  const ancestors: string[] = []
  for (const line of app.printRoutes({ commonPrefix: false }).split('\n')) {
    const match = /^([│ ]*)[├└]── (.*?)(?: \((.*)\))?$/.exec(line)
    if (match === null) continue
    const depth = match[1]!.length / 4
    ancestors.length = depth
    ancestors.push(match[2]!)
    const url = ancestors.join('').replace(/(?<=.)\/$/, '')
    for (const method of (match[3] ?? '-').split(', ')) {
      if (!['-', 'HEAD', 'OPTIONS'].includes(method) && /^\/(?:api|health|metrics)(?:\/|$)/.test(url)) {
        routes.push(`${method} ${url.replace(/:[^/]+/g, '{}')}`)
      }
    }
  }
  t.ok(routes.length > 30, 'the routes were found')
  t.strictSame(operations.map(({ title }) => title.replace(/\{\w+\}/g, '{}')).sort(), [...new Set(routes)].sort())
})

t.test(
  'the document has the blog, product and key endpoints of the specification under the specified names',
  async (t) => {
    const stated = [
      'GET /api/v1/blogs',
      'GET /api/v1/blogs/{slug}',
      'GET /api/v1/blogs/{slug}/related',
      'GET /api/v1/blogs/categories',
      'GET /api/v1/blogs/images/{blogId}/{filename}',
      'POST /api/v1/products',
      'GET /api/v1/products',
      'POST /api/v1/products/batch',
      'POST /api/keys',
      'GET /api/keys',
      'POST /api/keys/{keyId}/rotate',
      'DELETE /api/keys/{keyId}'
    ]
    const titles = operations.map(({ title }) => title)
    t.strictSame(
      stated.filter((one) => !titles.includes(one)),
      []
    )
  }
)

t.test('every operation has a unique id, a summary, a description and a documented tag', async (t) => {
  const ids = operations.map(({ operation }) => operation.operationId)
  t.equal(new Set(ids).size, ids.length)
  for (const { title, operation } of operations) {
    t.match(operation.operationId, /^[a-z][A-Za-z]+$/, `${title}: name`)
    t.ok(operation.summary.length > 3 && (operation.description ?? '').length > 3, `${title}: words`)
    t.equal(operation.tags.filter((tag) => document.tags.some(({ name }) => name === tag)).length, 1, `${title}: group`)
  }
})

t.test('the document states which operations require a credential', async (t) => {
  for (const listed of operations) {
    const answer = await app.inject({ method: listed.method.toUpperCase() as 'GET', url: exampleUrl(document, listed) })
    const schemes = (listed.operation.security ?? []).flatMap((choice) => Object.keys(choice))
    if (schemes.length === 0) t.not(answer.statusCode, 401, listed.title)
    else t.equal(answer.statusCode, 401, listed.title)
    const keySchemes = ['ApiKeyHeader', 'BearerKey']
    const expected = listed.path.startsWith('/api/v1/')
      ? [...keySchemes, 'SessionToken']
      : /^\/api\/(?:audit|webhooks|events|deliveries|recoveries)/.test(listed.path)
        ? ['SessionToken', ...keySchemes]
        : ['SessionToken']
    t.strictSame(schemes, schemes.length === 0 ? [] : expected, `${listed.title}: scheme`)
    t.equal(listed.operation['x-scope'] !== undefined, schemes.includes('ApiKeyHeader'), `${listed.title}: scope`)
  }
})

t.test('error responses and their headers match the API document', async (t) => {
  // A sign-in link is part of the body, which this request does not have.
  const protectedOperations = operations.filter(({ operation }) => (operation.security ?? []).length > 0)
  for (const listed of protectedOperations.filter(({ operation }) => operation.responses['401'] !== undefined)) {
    const answer = await app.inject({ method: listed.method.toUpperCase() as 'GET', url: exampleUrl(document, listed) })
    const declared = new Map(answersOf(document, listed.operation)).get('401')!
    t.equal(answer.headers['content-type']?.toString().split(';')[0], Object.keys(declared.content!)[0], listed.title)
    t.strictSame(
      Object.keys(declared.headers!).filter((name) => answer.headers[name.toLowerCase()] === undefined),
      [],
      `${listed.title}: headers`
    )
  }
})

t.test('every response has rate limit headers and a request id', async (t) => {
  for (const { title, operation } of operations) {
    for (const [status, { headers = {} }] of answersOf(document, operation)) {
      const missing = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'X-Request-Id'].filter(
        (name) => headers[name] === undefined
      )
      t.strictSame(missing, [], `${title} ${status}`)
    }
  }
})

t.test('every operation documents its errors with an example for each code', async (t) => {
  for (const { title, path, method, operation } of operations) {
    const statuses = Object.keys(operation.responses)
    const asked = (operation.security ?? []).length > 0
    const health = path.startsWith('/health') || path === '/metrics'
    for (const status of [
      '400',
      '500',
      '503',
      ...(health ? [] : ['429']),
      ...(asked ? ['401'] : []),
      ...(path.startsWith('/api/v1/') && asked ? ['403'] : []),
      ...(asked && method === 'post' ? ['409', '422'] : [])
    ]) {
      t.ok(statuses.includes(status), `${title} ${status}`)
    }
    for (const [status, answer] of answersOf(document, operation)) {
      if (Number(status) < 400) continue
      const codes = Object.keys(answer.content!['application/problem+json']!.examples!)
      t.ok(
        codes.length > 0 && codes.every((code) => ERRORS[code as ErrorCode].status === Number(status)),
        `${title} ${status}: codes`
      )
      t.equal(
        answer.headers!['Retry-After'] !== undefined,
        ['429', '503'].includes(status) || codes.includes('request_in_progress'),
        `${title} ${status}: Retry-After`
      )
    }
  }
})

t.test('every read supports conditional requests unless it is marked no-store', async (t) => {
  for (const { title, operation } of operations.filter(({ method }) => method === 'get')) {
    const answers = new Map(answersOf(document, operation))
    const header = answers.get('200')?.headers?.['Cache-Control']
    const forbidden = header !== undefined && 'schema' in header && header.schema?.const === 'no-store'
    t.equal(answers.has('304'), !forbidden, `${title}: 304`)
    t.equal(answers.get('200')?.headers?.ETag !== undefined, !forbidden, `${title}: ETag`)
    t.equal(
      parametersOf(document, operation).some(({ name }) => name === 'If-None-Match'),
      !forbidden,
      `${title}: If-None-Match`
    )
  }
})

t.test('every authenticated POST accepts an Idempotency-Key', async (t) => {
  for (const { title, operation, method } of operations) {
    const takes = parametersOf(document, operation).some(({ name }) => name === 'Idempotency-Key')
    t.equal(takes, method === 'post' && (operation.security ?? []).length > 0, title)
  }
})

t.test('uploads and feeds declare their media types', async (t) => {
  const byId = new Map(operations.map(({ operation }) => [operation.operationId, operation]))
  t.strictSame(Object.keys(byId.get('uploadBlogImage')!.requestBody!.content), ['multipart/form-data', 'image/*'])
  const given = (id: string) => Object.keys(resolve(document, byId.get(id)!.responses['200']!).content!)
  t.strictSame(
    [
      given('getRssFeed'),
      given('getJsonFeed'),
      given('getSitemap'),
      given('showBlogPreview'),
      given('exportEverything')
    ],
    [['application/rss+xml'], ['application/feed+json'], ['application/xml'], ['text/html'], ['application/x-ndjson']]
  )
  t.equal(byId.get('publishBlog')!.requestBody!.required, false, 'the body is optional')
})

t.test('the document contains no internal annotations', async (t) => {
  const text = JSON.stringify(document)
  t.notMatch(text, /"x-(?!scope"|feature")/)
  t.notMatch(text, /def-\d|"\$id"|http-url/)
  for (const kind of ['schemas', 'responses', 'examples', 'headers', 'parameters'] as const) {
    for (const name of Object.keys(document.components[kind])) {
      t.ok(text.includes(`"#/components/${kind}/${name}"`), `${kind}/${name} is used`)
    }
  }
  for (const [ref] of text.matchAll(/(?<="\$ref":")[^"]+/g)) t.ok(resolve(document, { $ref: ref }), ref)
})
