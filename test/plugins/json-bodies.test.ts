import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import { client, person, sessionToken, startApp } from '../helper.ts'

const json = { 'content-type': 'application/json' }

t.test('a Content-Type without a body is accepted', async (t) => {
  const app = await startApp(t)
  const owner = await person(app, 'acme')
  const { id } = (await owner('POST', '/api/keys', { name: 'Site' })).json()
  t.equal((await owner('POST', `/api/keys/${id}/rotate`, undefined, json)).statusCode, 200)
  t.equal((await owner('DELETE', `/api/keys/${id}`, undefined, json)).statusCode, 204)
  t.match(
    (await owner('POST', '/api/keys', undefined, json)).json(),
    { status: 400, code: 'invalid_request' },
    'a required body is still required'
  )
})

t.test('invalid UTF-8 and invalid JSON are rejected, and nothing is written', async (t) => {
  const app = await startApp(t)
  const call = await client(app)
  const text = '{"projectId":"site","title":"Grün","markdown":"x"}'
  for (const url of ['/api/v1/blogs', '/api/v1/products']) {
    const answer = async (payload: Buffer | string, headers = {}) =>
      (await call('POST', url, payload, { ...json, ...headers })).json()
    t.match(await answer(Buffer.from(text, 'latin1')), { status: 400, code: 'malformed_json' }, url)
    t.match(
      await answer(gzipSync(text), { 'content-encoding': 'gzip' }),
      { status: 415, code: 'unsupported_media_type' },
      url
    )
    t.match(await answer('{"projectId":"site",'), { status: 400, code: 'malformed_json' }, url)
  }
  for (const member of ['"__proto__":{"a":1}', '"\\u005f_proto__":{"a":1}']) {
    t.match(
      (await call('POST', '/api/v1/blogs', `{"projectId":"site","title":"T","markdown":"x",${member}}`, json)).json(),
      { status: 400, code: 'malformed_json' },
      member
    )
  }
  t.equal((await call('GET', '/api/v1/blogs?status=draft')).json().totalCount, 0)
})

t.test('unpaired surrogates are replaced, and what is stored is what the response to the change says', async (t) => {
  const call = await client(await startApp(t))
  for (const half of ['\\ud83d', '\\uDE00']) {
    for (const filling of ['', 'x'.repeat(70_000)]) {
      const body =
        `{"projectId":"site","title":"a${half}b","markdown":"${filling}","category":"c${half}","tags":["t${half}",` +
        `"\\ud83d\\ude00"],"author":{"name":"n${half}"}}`
      const created = await call('POST', '/api/v1/blogs', body, json)
      const texts = { title: 'a\ufffdb', category: 'c\ufffd', tags: ['t\ufffd', '😀'], author: { name: 'n\ufffd' } }
      t.match(created.json(), texts)
      const stored = await call('GET', `/api/v1/blogs/by-id/${created.json().id}`)
      t.match(stored.json(), texts)
      t.notMatch(stored.body, /\\ud/i, 'parsers that reject the escape sequence can read the response')
    }
  }
})

t.test('bodies that arrive in the same turn of the event loop share its time', async (t) => {
  const call = await client(await startApp(t))
  const body = `{"projectId":"p","title":5,"x":[${'0,'.repeat(19_900)}0],"y":"\\u0041"}`
  const send = async () => (await call('POST', '/api/v1/blogs', body, json)).statusCode
  await send()
  let turns = 0
  let isDone = false
  const count = (): void => {
    turns++
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)
  t.same(new Set(await Promise.all(Array.from({ length: 60 }, send))), new Set([400]))
  isDone = true
  t.ok(turns >= 20, `${turns} turns for 60 bodies`)
})

t.test('a body that is too large is rejected with the limit', async (t) => {
  const call = await client(await startApp(t))
  t.match((await call('POST', '/api/v1/blogs', `"${'x'.repeat(5_000_000)}"`, json)).json(), {
    status: 413,
    code: 'payload_too_large',
    limit: 4 * 1024 * 1024
  })
})

t.test('a body with a huge number of errors reports the first one', async (t) => {
  const call = await client(await startApp(t))
  const body = { projectId: 'site', title: 'T', markdown: 'x', tags: Array.from({ length: 30_000 }, () => 1) }
  const answer = (await call('POST', '/api/v1/blogs', body)).json()
  t.equal(answer.status, 400)
  t.equal(answer.errors.length, 1)
  t.match(
    (await call('POST', '/api/v1/blogs', { ...body, tags: [1, 2, 3] })).json().errors,
    { length: 3 },
    'and of others each'
  )
})

t.test('a body with too many values or levels is rejected', async (t) => {
  const call = await client(await startApp(t))
  const body = { projectId: 'site', title: 'T', markdown: 'x', author: { list: Array(60_000).fill(1) } }
  t.match((await call('POST', '/api/v1/blogs', body)).json(), {
    status: 422,
    code: 'content_too_complex',
    detail: 'The body has more than 20,000 values.',
    errors: [{ pointer: '', code: 'too_complex' }]
  })
  t.match(
    (await call('POST', '/api/v1/blogs', `{"a":${'['.repeat(70_000)}`, { 'content-type': 'application/json' })).json(),
    {
      status: 422,
      detail: 'The body is nested deeper than 100 levels.'
    }
  )
  for (const text of ['['.repeat(30_000), '{"a":'.repeat(10_000), `{"__proto__":${'['.repeat(9_000)}`]) {
    t.match(
      (await call('POST', '/api/v1/products', text, { 'content-type': 'application/json' })).json(),
      { status: 422, code: 'content_too_complex' },
      'short bodies too'
    )
  }
})

t.test(
  'a body without a Content-Type, or with text/plain, is read as JSON where the API asks for no header',
  async (t) => {
    const app = await startApp(t)
    const address = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
    const owner = await person(app, 'acme')
    const { key } = (await owner('POST', '/api/keys', { name: 'k' })).json() as { key: string }
    const post = async (path: string, headers: Record<string, string>, body: string) => {
      const sent = request({ host: address.hostname, port: address.port, path, method: 'POST', headers })
      sent.end(body)
      const [response] = (await once(sent, 'response')) as [IncomingMessage]
      return JSON.parse(await text(response)) as Record<string, unknown>
    }
    const product = '{"projectId":"shop","externalId":"a","title":"A","price":1.10}'
    t.match(await post('/api/v1/products', { 'x-api-key': key }, product), { result: 'created' })
    const plain = { 'x-api-key': key, 'content-type': 'Text/Plain;charset=UTF-8' }
    t.match(await post('/api/v1/products', plain, product), { result: 'unchanged' })
    t.match(await post('/api/v1/products', plain, 'title=A'), { status: 400, code: 'malformed_json' })
    const blog = '{"projectId":"site","title":"T","markdown":"x"}'
    t.match(await post('/api/v1/blogs', plain, blog), { title: 'T' })
    const session = { authorization: `Bearer ${await sessionToken('acme')}`, 'content-type': 'text/plain' }
    t.match(await post('/api/keys', session, '{"name":"k"}'), { status: 415, code: 'unsupported_media_type' })
    const form = { 'x-api-key': key, 'content-type': 'application/x-www-form-urlencoded' }
    t.match(await post('/api/v1/blogs', form, blog), {
      status: 415,
      detail:
        'The Content-Type application/x-www-form-urlencoded is not supported. ' +
        'Send the body with `Content-Type: application/json`.'
    })
    t.match(await post('/api/v1/products/imports?projectId=shop', form, blog), {
      status: 415,
      detail: /`Content-Type: application\/x-ndjson` or `Content-Type: text\/csv`/
    })
  }
)

t.test('the pointer of an error is cut if the name of the field is very long', async (t) => {
  const call = await client(await startApp(t))
  const name = '~/'.repeat(400_000)
  const answer = await call('POST', '/api/v1/blogs', { projectId: 'site', title: 'T', markdown: 'x', [name]: 1 })
  t.match(answer.json(), { status: 400, errors: [{ code: 'unknown_field' }] })
  t.equal(answer.json().errors[0].pointer, `/${'~0~1'.repeat(250)}`.slice(0, 500) + '…')
  t.ok(answer.body.length < 5_000, `${answer.body.length} characters`)
})

t.test('a date is not accepted as a product version', async (t) => {
  const call = await client(await startApp(t))
  const { id } = (await call('POST', '/api/v1/products', { projectId: 'shop', externalId: 'a', title: 'A' })).json()
  const read = await call('GET', `/api/v1/products/${id}`)
  await call('PATCH', `/api/v1/products/${id}`, { title: 'B' })
  const again = await call('GET', `/api/v1/products/${id}`, undefined, {
    'if-modified-since': String(read.headers['last-modified'])
  })
  t.equal(again.statusCode, 200)
  t.equal(again.json().title, 'B')
  t.equal(
    (await call('GET', `/api/v1/products/${id}`, undefined, { 'if-none-match': String(again.headers.etag) }))
      .statusCode,
    304
  )
})

t.test('accounts take turns while large bodies are parsed', async (t) => {
  const app = await startApp(t)
  const [many, other] = [await client(app, 'many'), await client(app, 'other')]
  // Rejected for its unknown field after it was parsed.
  const body = JSON.stringify({ projectId: 'site', title: 'T', lists: Array.from({ length: 20_000 }, () => [1, 2]) })
  const ended: string[] = []
  const send = async (call: typeof many, name: string) => {
    const { statusCode } = await call('POST', '/api/v1/blogs', body, json)
    t.ok(statusCode >= 400 && statusCode < 500)
    ended.push(name)
  }
  await Promise.all([...Array.from({ length: 6 }, () => send(many, 'many')), send(other, 'other')])
  t.ok(ended.indexOf('other') < 4, ended.join(' '))
})

t.test('a product with thousands of unknown fields is reported with its first error', async (t) => {
  const call = await client(await startApp(t))
  const fields = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`field${i}`, i]))
  const product = { externalId: 'a', title: 'A' }
  const errorsOf = async (path: string, body: object) =>
    ((await call('POST', path, body)).json() as { errors: { code: string }[] }).errors.map(({ code }) => code)
  const [few, many] = [fields(3), fields(5000)]
  const single = { projectId: 'shop', ...product }
  t.same(await errorsOf('/api/v1/products', { ...single, ...few }), Array(3).fill('unknown_field'))
  t.same(await errorsOf('/api/v1/products', { ...single, ...many }), ['unknown_field'])
  const inBatch = async (extra: object) =>
    (await call('POST', '/api/v1/products/batch', { projectId: 'shop', products: [{ ...product, ...extra }] })).json()
  t.match(await inBatch(few), { errors: { length: 3 } })
  t.match(await inBatch(many), { errors: { length: 1 } })
})
