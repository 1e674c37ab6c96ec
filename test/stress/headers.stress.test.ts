import { once } from 'node:events'
import sharp from 'sharp'
import t, { type Test } from 'tap'
import { buildApp } from '../../app.ts'
import { appSettings, client, publish, sessionToken, startApp, temporaryFolder } from '../helper.ts'
import { assertAnswer } from '../fixtures/http/assert-answer.ts'
import { portOf, startDeployment, type Deployment } from '../fixtures/http/deployment.ts'
import { listen } from '../fixtures/http/listen.ts'
import { openRaw, rawExchange, rawRequest } from '../fixtures/http/raw-connection.ts'
import { scaled } from '../profile.ts'

const MANY = { ADDRESS_REQUESTS_PER_HOUR: '100000' }

/**
 * Several processes take seconds to start: the tests share them, and each has an account of its
 * own.
 */
let shared: Promise<Deployment> | undefined
let accounts = 0

/**
 * The service, an account's client, and requests on connections of their own; where several
 * processes answer, each request asks another one than that before.
 */
async function served(test: Test, env?: Record<string, string>) {
  const deployment = await (scaled && env === undefined
    ? (shared ??= startDeployment(t, MANY))
    : startDeployment(test, { ...MANY, ...env }))
  const { app, ports } = deployment
  const call = await client(app, `account-${accounts++}`)
  let next = accounts
  const nextPort = () => ports[next++ % ports.length]!
  const exchange = (bytes: string | Buffer, method?: string) => rawExchange(nextPort(), bytes, method)
  const ask = (method: string, target: string, headers: Record<string, string> = {}, body?: string) =>
    exchange(rawRequest(method, target, { headers: { 'x-api-key': call.key, ...headers }, body }), method)
  return { ...deployment, call, port: nextPort(), exchange, ask }
}

const json = { 'content-type': 'application/json' }
const sent = (body: unknown) => JSON.stringify(body)

t.test('every response to a reader has the three limit headers and a request id', async (t) => {
  const { app, call, ask } = await served(t)
  const blog = await publish(call, { title: 'First', slug: 'first', markdown: 'word '.repeat(2000) })
  await call('PATCH', `/api/v1/blogs/${blog.id}`, { slug: 'second' })
  await app.services.projects.update(call.account, 'site', { siteUrl: 'https://example.com' })
  assertAnswer(t, await ask('GET', '/api/v1/blogs/second'), { status: 200, name: 'a blog' })
  assertAnswer(t, await ask('GET', '/api/v1/blogs/second'), { status: 200, name: 'a blog from memory' })
  for (const path of ['/api/v1/blogs/second', '/api/v1/blogs/second', '/api/v1/blogs?page=1']) {
    const tag = (await ask('HEAD', path)).headers.etag![0]!
    assertAnswer(t, await ask('HEAD', path, { 'if-none-match': tag }), {
      status: 304,
      name: 'HEAD of what is unchanged',
      toHead: true
    })
    await call('PATCH', `/api/v1/blogs/${blog.id}`, { excerpt: tag })
  }
  assertAnswer(t, await ask('HEAD', '/api/v1/blogs/second'), { status: 200, name: 'HEAD', toHead: true })
  const ok = await ask('GET', '/api/v1/blogs/second')
  assertAnswer(t, await ask('GET', '/api/v1/blogs/second', { 'if-none-match': ok.headers.etag![0]! }), {
    status: 304,
    name: 'unchanged'
  })
  assertAnswer(t, await ask('GET', '/api/v1/blogs/first'), { status: 308, name: 'an old slug' })
  const packed = await ask('GET', '/api/v1/blogs/second', { 'accept-encoding': 'gzip' })
  t.equal(packed.headers['content-encoding']?.[0], 'gzip')
  assertAnswer(t, packed, { status: 200, name: 'compressed' })
  for (const path of [
    '/api/v1/blogs?include=content',
    '/api/v1/blogs/categories',
    '/api/v1/blogs/second/related',
    '/api/v1/blogs/feed.xml',
    '/api/v1/blogs/sitemap.xml'
  ]) {
    assertAnswer(t, await ask('GET', path, { 'accept-encoding': 'br' }), { status: 200, name: path })
  }
  assertAnswer(t, await ask('GET', '/api/v1/blogs/none'), {
    status: 404,
    code: 'blog_not_found',
    name: 'an unknown blog'
  })
  assertAnswer(t, await ask('GET', '/api/v1/nothing'), { status: 404, code: 'not_found', name: 'an unknown address' })
  assertAnswer(t, await ask('GET', '/nothing'), { status: 404, code: 'not_found', name: 'an unknown address outside' })
  assertAnswer(t, await ask('HEAD', '/api/v1/blogs/none'), {
    status: 404,
    name: 'HEAD of an unknown blog',
    toHead: true
  })
  assertAnswer(t, await ask('GET', '/api/v1/blogs?page=0'), {
    status: 400,
    code: 'invalid_request',
    name: 'a number out of range'
  })
})

t.test('every response to an author has the three limit headers and a request id', async (t) => {
  const { app, call, ask } = await served(t)
  const body = sent({ projectId: 'site', title: 'Hello', markdown: 'x' })
  const made = await ask('POST', '/api/v1/blogs', { ...json, 'idempotency-key': 'a-key-of-sixteen' }, body)
  assertAnswer(t, made, { status: 201, name: 'made' })
  const replayed = await ask('POST', '/api/v1/blogs', { ...json, 'idempotency-key': 'a-key-of-sixteen' }, body)
  t.same(replayed.headers['idempotent-replayed'], ['true'])
  assertAnswer(t, replayed, { status: 201, name: 'replayed' })
  assertAnswer(
    t,
    await ask(
      'POST',
      '/api/v1/blogs',
      { ...json, 'idempotency-key': 'a-key-of-sixteen' },
      sent({ projectId: 'site', title: 'Other', markdown: 'x' })
    ),
    { status: 422, code: 'idempotency_key_reused', name: 'a reused key' }
  )
  assertAnswer(t, await ask('POST', '/api/v1/blogs', { ...json, 'idempotency-key': 'short' }, body), {
    status: 400,
    code: 'invalid_idempotency_key',
    name: 'a bad idempotency key'
  })
  assertAnswer(t, await ask('POST', '/api/v1/blogs', json, sent({ title: 7 })), {
    status: 400,
    code: 'invalid_request',
    name: 'validation'
  })
  assertAnswer(t, await ask('POST', '/api/v1/blogs', json, '{"title": '), {
    status: 400,
    code: 'malformed_json',
    name: 'bad JSON'
  })
  assertAnswer(t, await ask('POST', '/api/v1/blogs', json, ''), {
    status: 400,
    code: 'invalid_request',
    name: 'an empty body'
  })
  assertAnswer(t, await ask('POST', '/api/v1/blogs', { 'content-type': 'application/xml' }, 'hello'), {
    status: 415,
    code: 'unsupported_media_type',
    name: 'another media type'
  })
  const { id } = JSON.parse(made.body.toString()) as { id: string }
  assertAnswer(t, await ask('PATCH', `/api/v1/blogs/${id}`, { ...json, 'if-match': '"v99"' }, sent({ title: 'New' })), {
    status: 412,
    code: 'precondition_failed',
    name: 'another version'
  })
  assertAnswer(
    t,
    await ask('POST', '/api/v1/blogs', json, sent({ projectId: 'site', title: 'Hello', slug: 'hello', markdown: 'x' })),
    { status: 409, code: 'slug_taken', name: 'a taken slug' }
  )
  assertAnswer(t, await ask('DELETE', `/api/v1/blogs/${id}`), { status: 204, name: 'deleted' })
  const reader = await app.services.apiKeys.create(call.account, { name: 'Reader', scopes: ['blogs:read'] })
  assertAnswer(t, await ask('POST', '/api/v1/blogs', { ...json, 'x-api-key': reader.key }, body), {
    status: 403,
    code: 'scope_missing',
    name: 'without the scope'
  })
  await app.services.accounts.update(call.account, { features: ['images'] })
  assertAnswer(t, await ask('GET', '/api/v1/blogs'), {
    status: 403,
    code: 'feature_not_in_plan',
    name: 'without the feature'
  })
})

t.test('every response without valid credentials has the three limit headers and a request id', async (t) => {
  const { exchange, call } = await served(t)
  const credentials: Record<string, string>[] = [
    {},
    { 'x-api-key': '' },
    { 'x-api-key': 'svc_pk_nonsense' },
    { authorization: 'Basic YTpi' },
    { authorization: `Bearer ${call.key}x` },
    { authorization: 'Bearer a.b.c' },
    { 'x-api-key': call.key, authorization: 'Bearer other' }
  ]
  for (const headers of credentials) {
    assertAnswer(t, await exchange(rawRequest('GET', '/api/v1/blogs', { headers })), {
      status: 401,
      code: 'unauthenticated',
      name: `an API key of ${JSON.stringify(headers).slice(0, 20)}`
    })
    assertAnswer(t, await exchange(rawRequest('GET', '/api/keys', { headers })), {
      status: 401,
      code: 'unauthenticated',
      name: `a session of ${JSON.stringify(headers).slice(0, 20)}`
    })
  }
  assertAnswer(t, await exchange(rawRequest('GET', `/api/v1/blogs?key=${call.key}`)), {
    status: 400,
    code: 'credential_in_query',
    name: 'a key in the address'
  })
  assertAnswer(
    t,
    await exchange(
      rawRequest('GET', '/api/admin/accounts/acme', {
        headers: { authorization: `Bearer ${await sessionToken(call.account)}` }
      })
    ),
    { status: 403, code: 'admin_only', name: 'not an administrator' }
  )
})

t.test('public images have the three limit headers: 200, 206, 304, 404 and 416', async (t) => {
  const { call, exchange } = await served(t)
  const blog = await publish(call, { title: 'Pictures' })
  const picture = await sharp({ create: { width: 64, height: 48, channels: 3, background: '#c0ffee' } })
    .png()
    .toBuffer()
  const uploaded = await call('POST', `/api/v1/blogs/${blog.id}/images?filename=a.png&alt=A`, picture, {
    'content-type': 'image/png'
  })
  t.equal(uploaded.statusCode, 201, uploaded.body)
  const path = new URL((uploaded.json() as { url: string }).url).pathname
  const whole = await exchange(rawRequest('GET', path))
  assertAnswer(t, whole, { status: 200, name: 'whole' })
  assertAnswer(t, await exchange(rawRequest('HEAD', path)), { status: 200, name: 'HEAD', toHead: true })
  assertAnswer(t, await exchange(rawRequest('GET', `${path}?w=320&format=webp`)), { status: 200, name: 'a variant' })
  assertAnswer(t, await exchange(rawRequest('GET', path, { headers: { range: 'bytes=0-9' } })), {
    status: 206,
    name: 'in part'
  })
  assertAnswer(t, await exchange(rawRequest('GET', path, { headers: { 'if-none-match': whole.headers.etag![0]! } })), {
    status: 304,
    name: 'unchanged'
  })
  assertAnswer(t, await exchange(rawRequest('GET', path, { headers: { range: 'bytes=999999-' } })), {
    status: 416,
    code: 'range_not_satisfiable',
    name: 'out of range'
  })
  assertAnswer(t, await exchange(rawRequest('GET', `${path}x`)), {
    status: 404,
    code: 'image_not_found',
    name: 'missing'
  })
  for (const [type, body] of [
    ['multipart/form-data', '{}'],
    ['multipart/form-data; boundary=""', '{}'],
    [`multipart/form-data; boundary=${'x'.repeat(300)}`, '{}'],
    [
      'multipart/form-data; boundary=x',
      '--x\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\ncut off'
    ]
  ] as const) {
    assertAnswer(
      t,
      await exchange(
        rawRequest('POST', `/api/v1/blogs/${blog.id}/images`, {
          headers: { 'x-api-key': call.key, 'content-type': type },
          body
        })
      ),
      { status: 400, code: 'invalid_request', name: `a form that cannot be read, ${type.slice(0, 40)}` }
    )
  }
  assertAnswer(t, await exchange(rawRequest('GET', `${path}?w=7`)), {
    status: 400,
    code: 'unknown_image_variant',
    name: 'a width that is not offered'
  })
})

t.test('an unsupported method gets 405 with Allow, and OPTIONS is not counted', async (t) => {
  const { ask } = await served(t)
  for (const target of [
    '/api/v1/blogs',
    '/api/v1/blogs/',
    '/api/v1/blogs/categories',
    '/api/v1/blogs/categories/',
    '/api/keys',
    '/health/live',
    '/api/v1/blogs/some-slug?a=b'
  ]) {
    const wrong = await ask('PUT', target)
    assertAnswer(t, wrong, { status: 405, code: 'method_not_allowed', name: `PUT ${target}` })
    t.match(wrong.headers.allow![0], /GET, HEAD, OPTIONS/)
  }
  for (const method of ['PUT', 'POST']) {
    assertAnswer(t, await ask(method, '/nothing', json, '{"bad'), {
      status: 404,
      code: 'not_found',
      name: 'a broken body for nobody'
    })
  }
  for (const method of ['TRACE', 'PROPFIND', 'QUERY', 'PURGE']) {
    assertAnswer(t, await ask(method, '/api/v1/blogs'), { status: 405, code: 'method_not_allowed', name: method })
  }
  const before = await ask('GET', '/api/v1/blogs')
  for (const target of ['/api/v1/blogs', '*']) {
    const options = await ask('OPTIONS', target)
    assertAnswer(t, options, { status: 204, name: `OPTIONS ${target}` })
    t.match(options.headers.allow?.[0], /GET, HEAD, OPTIONS/)
  }
  assertAnswer(t, await ask('OPTIONS', '/nothing'), { status: 404, code: 'not_found', name: 'OPTIONS of nothing' })
  const after = await ask('GET', '/api/v1/blogs')
  t.equal(
    Number(after.headers['x-ratelimit-remaining']![0]),
    Number(before.headers['x-ratelimit-remaining']![0]) - 1,
    'OPTIONS costs nothing'
  )
})

t.test('probes and pages have the limit headers, and probes are not counted', async (t) => {
  const { exchange } = await served(t, { ADDRESS_REQUESTS_PER_HOUR: '3' })
  for (let time = 0; time < 5; time++) {
    for (const path of ['/health', '/health/live', '/health/ready']) {
      const probe = await exchange(rawRequest('GET', path))
      assertAnswer(t, probe, { status: 200, name: path })
      t.same(probe.headers['x-ratelimit-remaining'], ['3'])
    }
  }
  const pages = (await served(t)).exchange
  for (const path of ['/docs', '/openapi.json', '/docs/errors/rate_limited']) {
    assertAnswer(t, await pages(rawRequest('GET', path)), { status: 200, name: path })
  }
  assertAnswer(t, await exchange(rawRequest('GET', '/nothing')), { status: 404, name: 'the first' })
  assertAnswer(t, await exchange('no HTTP\r\n\r\n'), { status: 400, name: 'the second, which is no HTTP' })
  assertAnswer(t, await exchange(rawRequest('GET', '/%E0%A4%A')), {
    status: 400,
    code: 'malformed_url',
    name: 'the third'
  })
  assertAnswer(t, await exchange(rawRequest('GET', '/nothing')), {
    status: 429,
    code: 'rate_limited',
    name: 'an address that is used up'
  })
  assertAnswer(t, await exchange(rawRequest('GET', '/%E0%A4%A')), {
    status: 429,
    code: 'rate_limited',
    name: 'a bad address when it is used up'
  })
  assertAnswer(t, await exchange('no HTTP\r\n\r\n'), {
    status: 429,
    code: 'rate_limited',
    name: 'no HTTP when it is used up'
  })
  assertAnswer(t, await exchange(rawRequest('GET', '/health')), { status: 200, name: 'a probe when it is used up' })
})

t.test('every API route responds 429 with Retry-After after the limit is used up', async (t) => {
  const { app, call, ask } = await served(t)
  await app.services.accounts.update(call.account, { requestsPerHour: 1 })
  assertAnswer(t, await ask('GET', '/api/v1/blogs'), { status: 200, name: 'the only one' })
  for (const [method, target] of [
    ['GET', '/api/v1/blogs'],
    ['HEAD', '/api/v1/blogs'],
    ['POST', '/api/v1/blogs'],
    ['GET', '/api/v1/nothing'],
    ['PUT', '/api/v1/blogs']
  ] as const) {
    const refused = await ask(method, target)
    assertAnswer(t, refused, { status: 429, name: `${method} ${target}`, toHead: method === 'HEAD' })
    t.same(refused.headers['x-ratelimit-remaining'], ['0'])
    const wait = Number(refused.headers['x-ratelimit-reset']![0]) - Date.now() / 1000
    t.ok(Math.abs(wait - Number(refused.headers['retry-after']![0])) <= 2, 'Retry-After and Reset name the same moment')
  }
})

t.test('a body that is too large gets 413, with or without Content-Length', async (t) => {
  const { port, call } = await served(t)
  const head = (lines: string) =>
    `POST /api/v1/blogs HTTP/1.1\r\nhost: x\r\nx-api-key: ${call.key}\r\n` +
    `content-type: application/json\r\n${lines}\r\n\r\n`
  assertAnswer(t, await rawExchange(port, head('content-length: 5000000')), {
    status: 413,
    code: 'payload_too_large',
    name: 'declared'
  })
  assertAnswer(t, await rawExchange(port, head('content-length: 99999999999999')), {
    status: 413,
    code: 'payload_too_large',
    name: 'declared as enormous'
  })
  for (const lines of ['content-length: 12000000', 'transfer-encoding: chunked']) {
    const connection = openRaw(port)
    connection.send(head(lines))
    const chunk = 'x'.repeat(100_000)
    for (let count = 0; count < 120; count++) {
      connection.send(lines.includes('chunked') ? `${chunk.length.toString(16)}\r\n${chunk}\r\n` : chunk)
    }
    assertAnswer(t, await connection.answer(), {
      status: 413,
      code: 'payload_too_large',
      name: `sent to its end, ${lines}`
    })
    connection.destroy()
  }
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/blogs`, {
    method: 'POST',
    headers: { 'x-api-key': call.key, ...json },
    body: 'x'.repeat(12_000_000)
  })
  t.equal(response.status, 413, 'also for a client that sends all before it listens')
  await response.body?.cancel()
})

t.test('responses to malformed HTTP have the common headers', async (t) => {
  const { port, exchange, call } = await served(t)
  const get = (lines: string) => `GET /api/v1/blogs HTTP/1.1\r\nhost: x\r\nx-api-key: ${call.key}\r\n${lines}\r\n\r\n`
  const post = (lines: string, body: string) =>
    `POST /api/v1/blogs HTTP/1.1\r\nhost: x\r\nx-api-key: ${call.key}\r\n` +
    `content-type: application/json\r\n${lines}\r\n\r\n${body}`
  const broken: Record<string, string | Buffer> = {
    garbage: 'garbage\r\n\r\n',
    'random bytes': Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03, 0x03, 0x0a]),
    'an unknown method': 'FETCH / HTTP/1.1\r\nhost: x\r\n\r\n',
    'another protocol': 'GET / HTTPS/1.1\r\nhost: x\r\n\r\n',
    'another version': 'GET / HTTP/3.0\r\nhost: x\r\n\r\n',
    'the preface of HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'a raw NUL in the address': 'GET /\0 HTTP/1.1\r\nhost: x\r\n\r\n',
    'a header without a name': get(': empty'),
    'a header with a space in its name': get('bad name: x'),
    'a NUL in a header': get('x-a: a\0b'),
    'a folded first header': 'GET / HTTP/1.1\r\n folded: x\r\nhost: x\r\n\r\n',
    'a length that is no number': post('content-length: ten', ''),
    'a negative length': post('content-length: -1', ''),
    'two lengths': post('content-length: 2\r\ncontent-length: 3', '{}'),
    'length and coding': post('content-length: 2\r\ntransfer-encoding: chunked', '2\r\n{}\r\n0\r\n\r\n'),
    'a chunk that is none': post('transfer-encoding: chunked', 'zz\r\n{}\r\n0\r\n\r\n'),
    'an unknown transfer coding': post('transfer-encoding: weird', '{}')
  }
  for (const [name, bytes] of Object.entries(broken)) {
    assertAnswer(t, await exchange(bytes), { status: 400, code: 'malformed_http', name })
  }
  assertAnswer(t, await exchange('GET / HTTP/1.1\r\n\r\n'), {
    status: 400,
    code: 'malformed_http',
    name: 'without Host'
  })
  assertAnswer(t, await exchange('GET /nothing HTTP/1.1\r\nx: y\r\n\r\n'), {
    status: 400,
    code: 'malformed_http',
    name: 'without Host, elsewhere'
  })
  assertAnswer(t, await exchange('GET /health HTTP/1.0\r\n\r\n'), { status: 200, name: 'HTTP/1.0 needs no Host' })
  assertAnswer(t, await exchange(get(`x-a: ${'a'.repeat(20_000)}`)), {
    status: 431,
    code: 'headers_too_large',
    name: 'a large header'
  })
  assertAnswer(t, await exchange(`GET /${'a'.repeat(20_000)} HTTP/1.1\r\nhost: x\r\n\r\n`), {
    status: 431,
    code: 'headers_too_large',
    name: 'a very long address'
  })
  assertAnswer(
    t,
    await exchange(rawRequest('GET', `/api/v1/blogs/${'a'.repeat(3000)}`, { headers: { 'x-api-key': call.key } })),
    { status: 404, name: 'a slug that is longer than any' }
  )
  for (const target of ['/%E0%A4%A', '/api/v1/blogs/%FF', '/api/v1/blogs/%zz', '/%']) {
    assertAnswer(t, await exchange(rawRequest('GET', target)), { status: 400, code: 'malformed_url', name: target })
  }
  assertAnswer(t, await exchange(rawRequest('GET', '/api/v1/blogs/a%00b', { headers: { 'x-api-key': call.key } })), {
    status: 404,
    name: 'an encoded NUL'
  })

  const slow = openRaw(port)
  slow.send('garbage\r\n\r\n')
  assertAnswer(t, await slow.answer(), { status: 400, name: 'the first part of garbage' })
  slow.send('more of it')
  t.equal((await slow.closed).length, 0, 'and nothing more, but the end')
})

t.test('a request that does not arrive in time gets 408', async (t) => {
  const app = await startApp(t, MANY)
  Object.assign(app.server, { headersTimeout: 60, requestTimeout: 120, connectionsCheckingInterval: 20 })
  const port = await listen(app)
  assertAnswer(t, await rawExchange(port, 'GET / HTTP/1.1\r\nhost: x\r\n'), {
    status: 408,
    code: 'request_timeout',
    name: 'half a head'
  })
  assertAnswer(
    t,
    await rawExchange(
      port,
      'POST /api/keys HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 10\r\n' +
        'authorization: Bearer ' +
        (await sessionToken('acme')) +
        '\r\n\r\n{'
    ),
    { status: 408, code: 'request_timeout', name: 'half a body' }
  )
})

t.test('Expect, Upgrade, CONNECT and absolute-form targets follow HTTP', async (t) => {
  const { ask, port, exchange, call } = await served(t)
  assertAnswer(t, await ask('POST', '/api/v1/blogs', { ...json, expect: 'a miracle' }, '{}'), {
    status: 417,
    code: 'expectation_failed',
    name: 'an expectation'
  })
  const continued = openRaw(port)
  const body = sent({ projectId: 'site', title: 'Hello', markdown: 'x' })
  continued.send(
    `POST /api/v1/blogs HTTP/1.1\r\nhost: x\r\nx-api-key: ${call.key}\r\n` +
      `content-type: application/json\r\nexpect: 100-continue\r\ncontent-length: ${body.length}\r\n\r\n`
  )
  await once(continued.socket, 'data')
  continued.send(body)
  const made = await continued.answer()
  t.same(made.interim, [100])
  assertAnswer(t, made, { status: 201, name: 'after 100 Continue' })
  continued.destroy()
  assertAnswer(t, await ask('GET', '/api/v1/blogs', { connection: 'Upgrade', upgrade: 'websocket' }), {
    status: 200,
    name: 'an upgrade that is not offered'
  })
  assertAnswer(t, await exchange('CONNECT example.com:443 HTTP/1.1\r\nhost: example.com:443\r\n\r\n'), {
    status: 405,
    code: 'method_not_allowed',
    name: 'CONNECT'
  })
  assertAnswer(t, await ask('GET', 'http://localhost/api/v1/blogs/hello'), {
    status: 404,
    code: 'blog_not_found',
    name: 'an absolute address'
  })
  assertAnswer(t, await ask('PUT', 'http://localhost/api/v1/blogs'), {
    status: 405,
    name: 'a wrong method of an absolute address'
  })
  assertAnswer(t, await exchange(rawRequest('GET', 'http://localhost/api/v1/blogs')), {
    status: 401,
    name: 'an absolute address without a credential'
  })
  for (const target of ['http://localhost', '/?', '/#', '//']) {
    assertAnswer(t, await exchange(rawRequest('GET', target)), { status: 200, name: `the target ${target}` })
  }
  for (const target of ['//api/v1/blogs', 'http://localhost/nothing']) {
    assertAnswer(t, await exchange(rawRequest('GET', target)), { status: 404, name: `the target ${target}` })
  }
  for (const target of ['http://', 'x', '?a=b']) {
    assertAnswer(t, await exchange(rawRequest('GET', target)), { status: 400, name: `the target ${target}` })
  }
})

t.test('pipelined requests get their own responses in order, and a malformed one is last', async (t) => {
  const { port, call } = await served(t)
  const connection = openRaw(port)
  const headers = { 'x-api-key': call.key }
  connection.send(
    rawRequest('GET', '/api/v1/blogs', { headers }) +
      rawRequest('HEAD', '/api/v1/blogs', { headers }) +
      rawRequest('GET', '/nothing') +
      rawRequest('POST', '/api/v1/blogs', {
        headers: { ...headers, ...json },
        body: sent({ projectId: 'site', title: 'Ahead', markdown: 'x' })
      }) +
      'garbage\r\n\r\n'
  )
  assertAnswer(t, await connection.answer(), { status: 200, name: 'the first' })
  assertAnswer(t, await connection.answer('HEAD'), { status: 200, name: 'the second' })
  assertAnswer(t, await connection.answer(), { status: 404, name: 'the third' })
  assertAnswer(t, await connection.answer(), { status: 201, name: 'the fourth' })
  assertAnswer(t, await connection.answer(), { status: 400, code: 'malformed_http', name: 'the broken one' })
  t.equal((await connection.closed).length, 0)

  const waiting = openRaw(port)
  const expecting = { ...headers, ...json, expect: '100-continue' }
  waiting.send(
    rawRequest('GET', '/api/v1/blogs/none', { headers }) +
      rawRequest('POST', '/api/v1/blogs', {
        headers: expecting,
        body: sent({ projectId: 'site', title: 'Continued', markdown: 'x' })
      }) +
      rawRequest('OPTIONS', '/nothing', { headers: expecting })
  )
  assertAnswer(t, await waiting.answer(), {
    status: 404,
    code: 'blog_not_found',
    name: 'before one that waits for 100 Continue'
  })
  assertAnswer(t, await waiting.answer(), { status: 201, name: 'one that waits for 100 Continue' })
  assertAnswer(t, await waiting.answer(), {
    status: 404,
    code: 'not_found',
    name: 'one that waits for it and is refused'
  })
  waiting.destroy()
})

t.test('a streamed export has the limit headers', async (t) => {
  const { exchange } = await served(t)
  const authorization = `Bearer ${await sessionToken('operator', { role: 'admin' })}`
  const answer = await exchange(rawRequest('GET', '/api/admin/export', { headers: { authorization } }))
  assertAnswer(t, answer, { status: 200, name: 'streamed' })
  t.same(answer.headers['transfer-encoding'], ['chunked'])
})

t.test('a request during shutdown gets 503 with the limit headers', async (t) => {
  const { app, call, startApi, ...one } = await served(t)
  // In the scaled profile, an additional process is started and stopped.
  const another = await startApi?.()
  const port = another === undefined ? one.port : portOf(another)
  const connection = openRaw(port)
  connection.send(rawRequest('GET', '/api/v1/blogs', { headers: { 'x-api-key': call.key } }))
  assertAnswer(t, await connection.answer(), { status: 200, name: 'before' })
  connection.send('GET /api/v1/blogs HTTP/1.1\r\nhost: x\r\n')
  // The server must have begun to read the request, else the connection is idle and is closed as it
  // should be.
  await rawExchange(port, rawRequest('GET', '/health'))
  const closed: Promise<unknown> = another === undefined ? app.close() : another.end('SIGTERM')
  // It has received the signal when it accepts no new connection.
  while (
    await fetch(`http://127.0.0.1:${port}/health/live`, { headers: { connection: 'close' } }).then(
      () => true,
      () => false
    )
  );
  connection.send(`x-api-key: ${call.key}\r\n\r\n`)
  const answer = await connection.answer()
  assertAnswer(t, answer, { status: 503, code: 'unavailable', name: 'while it stops' })
  t.same(answer.headers.connection, ['close'])
  await closed
})

t.test('an internal error has the limit headers and reveals no details', async (t) => {
  const app = await buildApp(await appSettings(temporaryFolder(t)))
  const call = await client(app)
  const unused = await client(app, 'unused')
  const port = await listen(app)
  const exchange = (method: string, target: string, headers: Record<string, string>) =>
    rawExchange(port, rawRequest(method, target, { headers }))
  assertAnswer(t, await exchange('GET', '/api/v1/blogs', { 'x-api-key': call.key }), { status: 200, name: 'before' })
  await app.store.close()
  const broken = {
    'a read of a known key': await exchange('GET', '/api/v1/blogs/categories', { 'x-api-key': call.key }),
    'a read of a key that is looked up': await exchange('GET', '/api/v1/blogs', { 'x-api-key': unused.key }),
    'a session': await exchange('GET', '/api/keys', { authorization: `Bearer ${await sessionToken('acme')}` }),
    'a probe': await exchange('GET', '/health', {})
  }
  for (const [name, answer] of Object.entries(broken)) {
    assertAnswer(t, answer, { status: 503, code: 'unavailable', name })
    t.notMatch(answer.body.toString(), /sqlite|database|\.ts|node:/i)
  }
  Object.assign(app.services.health, {
    ready: async () => {
      throw new TypeError('a bug in database.ts')
    }
  })
  const bug = await exchange('GET', '/health/ready', {})
  assertAnswer(t, bug, { status: 500, code: 'internal', name: 'a bug' })
  t.notMatch(bug.body.toString(), /TypeError|database/)
  await t.rejects(app.close(), 'data that could not be written is reported')
})
