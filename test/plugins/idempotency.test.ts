import { mock } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import sharp from 'sharp'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { buildApp } from '../../app.ts'
import { problem } from '../../errors.ts'
import { client, person, publish, appSettings, startApp, temporaryFolder, type Client } from '../helper.ts'
import { startServer } from '../processes.ts'
import { scaled } from '../profile.ts'

const KEY = 'order-0001-abcdef'
const blog = (title: string) => ({ projectId: 'site', title, markdown: 'x', status: 'published' })
const post = async (call: Client, key: string, body: object, url = '/api/v1/blogs') =>
  await call('POST', url, body, { 'idempotency-key': key })
const total = async (call: Client) => (await call('GET', '/api/v1/blogs')).json().totalCount as number

async function account(t: Test) {
  const app = await startApp(t)
  return { app, call: await client(app) }
}

t.test('a repeated request with the same key is executed once, and its first response is replayed', async (t) => {
  const { call } = await account(t)
  const first = await post(call, KEY, blog('Hello'))
  t.equal(first.statusCode, 201)
  t.notOk('idempotent-replayed' in first.headers)
  for (const key of [KEY, `"${KEY}"`]) {
    const again = await post(call, key, blog('Hello'))
    t.equal(again.statusCode, 201)
    t.equal(again.headers['idempotent-replayed'], 'true', key)
    t.equal(again.body, first.body)
    for (const name of ['location', 'content-type', 'etag', 'cache-control']) {
      t.equal(again.headers[name], first.headers[name], name)
    }
    t.not(again.headers['x-request-id'], first.headers['x-request-id'], 'each request has its own id')
  }
  t.equal(await total(call), 1)
  t.equal((await post(call, 'another-key-of-16', blog('Hello'))).statusCode, 201)
  t.equal(await total(call), 2, 'another key is another request')
})

t.test('a key that was used with another body is rejected without effect', async (t) => {
  const { call } = await account(t)
  await post(call, KEY, blog('Hello'))
  const other = await post(call, KEY, blog('Other'))
  t.equal(other.statusCode, 422)
  t.equal(other.json().code, 'idempotency_key_reused')
  t.equal(await total(call), 1)
  t.equal((await post(call, KEY, blog('Hello'))).headers['idempotent-replayed'], 'true', 'the first stays')
})

t.test('a key is 16 to 255 visible ASCII characters', async (t) => {
  const { call } = await account(t)
  for (const [key, status] of [
    ['x'.repeat(15), 400],
    ['x'.repeat(16), 201],
    ['x'.repeat(255), 201],
    ['x'.repeat(256), 400],
    [`"${'x'.repeat(15)}"`, 400],
    [`"${'y'.repeat(255)}"`, 201],
    ['with a space 16 chars', 400],
    ['ümlaut-of-16-chars', 400],
    ['', 400],
    ['~!@#$%^&*()_+{}|:', 201]
  ] as const) {
    const answer = await post(call, key, blog(`T ${key.length}`))
    t.equal(answer.statusCode, status, `${key.slice(0, 20)} (${key.length})`)
    if (status === 400) t.equal(answer.json().code, 'invalid_idempotency_key')
  }
})

t.test('keys are scoped to the caller, the method and the path', async (t) => {
  const { app, call } = await account(t)
  const otherAccount = await client(app, 'otherAccount')
  const first = await post(call, KEY, blog('Hello'))
  const others = await post(otherAccount, KEY, blog('Hello'))
  t.equal(others.statusCode, 201)
  t.notOk('idempotent-replayed' in others.headers, "another account's key is its own")
  t.not(others.json().id, first.json().id)
  const second = await client(app)
  const ofSecond = await post(second, KEY, blog('Hello'))
  t.notOk('idempotent-replayed' in ofSecond.headers, 'another API key of the account has its own')
  t.not(ofSecond.json().id, first.json().id)
  const elsewhere = await post(call, KEY, {}, `/api/v1/blogs/${first.json().id}/unpublish`)
  t.equal(elsewhere.statusCode, 200, 'the same key at another path')
  const patched = await call('PATCH', `/api/v1/blogs/${first.json().id}`, { title: 'New' }, { 'idempotency-key': KEY })
  t.equal(patched.statusCode, 200)
  t.notOk('idempotent-replayed' in patched.headers, 'only POST accepts a key')
})

t.test('a concurrent request with the same key receives 409 and has no effect', async (t) => {
  const { app, call } = await account(t)
  const { create } = app.services.blogs
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const { promise: allowed, resolve: allow } = Promise.withResolvers<void>()
  app.services.blogs.create = async (...given) => {
    begin()
    await allowed
    return await create(...given)
  }
  const first = post(call, KEY, blog('Hello'))
  await begun
  const second = await post(call, KEY, blog('Hello'))
  t.equal(second.statusCode, 409)
  t.equal(second.json().code, 'request_in_progress')
  t.ok(Number(second.headers['retry-after']) >= 1)
  t.equal((await post(call, KEY, blog('Other'))).statusCode, 422, 'another body is still rejected')
  allow()
  t.equal((await first).statusCode, 201)
  t.equal((await post(call, KEY, blog('Hello'))).headers['idempotent-replayed'], 'true')
  const together = await Promise.all(
    Array.from({ length: 10 }, async () => await post(call, 'all-at-once-0001', blog('Together')))
  )
  t.equal(
    together.filter(({ statusCode, headers }) => statusCode === 201 && headers['idempotent-replayed'] === undefined)
      .length,
    1
  )
  t.ok(together.every(({ statusCode }) => statusCode === 201 || statusCode === 409))
  t.equal(await total(call), 2)
})

t.test('5xx and 429 responses are not replayed; other errors are', async (t) => {
  const { app, call } = await account(t)
  const { create } = app.services.blogs
  app.services.blogs.create = async () => {
    throw new Error('The disk is gone.')
  }
  t.equal((await post(call, KEY, blog('Hello'))).statusCode, 500)
  app.services.blogs.create = create
  const repeated = await post(call, KEY, blog('Hello'))
  t.equal(repeated.statusCode, 201, 'after 500')
  t.notOk('idempotent-replayed' in repeated.headers)
  await app.services.accounts.update('acme', { requestsPerHour: 1 })
  t.equal((await post(call, 'used-up-0000000001', blog('Later'))).statusCode, 429)
  await app.services.accounts.update('acme', { requestsPerHour: 1000 })
  t.equal((await post(call, 'used-up-0000000001', blog('Later'))).statusCode, 201, 'after 429')
  const missing = '/api/v1/blogs/01890000-0000-7000-8000-000000000000/publish'
  const refused = await post(call, 'not-there-00000001', {}, missing)
  t.equal(refused.statusCode, 404)
  const again = await post(call, 'not-there-00000001', {}, missing)
  t.equal(again.headers['idempotent-replayed'], 'true')
  t.equal(again.statusCode, 404)
  t.match(again.headers['content-type'], /^application\/problem\+json/)
  t.equal(again.json().code, 'blog_not_found')
  t.equal((await post(call, 'fixed-0000000001', { title: 7 })).statusCode, 400)
  t.equal(
    (await post(call, 'fixed-0000000001', blog('Fixed'))).statusCode,
    201,
    'an invalid request does not use up its key'
  )
})

t.test('requests are answered while keys cannot be stored, and can be retried afterward', async (t) => {
  const { app, call } = await account(t)
  const { create } = app.services.blogs
  const { release, complete } = app.store.idempotency
  const away = async () => {
    throw problem('unavailable', 'The store cannot be reached.')
  }
  app.services.blogs.create = away
  app.store.idempotency.release = away
  t.match((await post(call, KEY, blog('Hello'))).json(), { status: 503, code: 'unavailable' })
  app.services.blogs.create = create
  t.match((await post(call, KEY, blog('Hello'))).json(), { status: 409, code: 'request_in_progress' })
  app.store.idempotency.release = release
  let again = await post(call, KEY, blog('Hello'))
  for (; again.statusCode === 409; again = await post(call, KEY, blog('Hello'))) await wait(50)
  t.equal(again.statusCode, 201)

  // The blog was created, so its author gets the response, and again once it could be stored.
  app.store.idempotency.complete = away
  const other = await post(call, 'another-key-of-16', blog('Other'))
  t.equal(other.statusCode, 201)
  app.store.idempotency.complete = complete
  let replayed = await post(call, 'another-key-of-16', blog('Other'))
  for (; replayed.statusCode === 409; replayed = await post(call, 'another-key-of-16', blog('Other'))) await wait(50)
  t.equal(replayed.headers['idempotent-replayed'], 'true')
  t.equal(replayed.json().id, other.json().id)
})

t.test('a key is not accepted while the account has no room for the response', async (t) => {
  const { app, call } = await account(t)
  const { id } = (await post(call, KEY, blog('Hello'))).json() as { id: string }
  const publication = async (action: string, key: string) => await post(call, key, {}, `/api/v1/blogs/${id}/${action}`)
  t.equal((await publication('unpublish', 'unpublish-key-001')).statusCode, 200)
  await app.services.accounts.update(call.account, { storage: { bytes: 1_000 } })
  t.equal((await publication('unpublish', 'unpublish-key-001')).headers['idempotent-replayed'], 'true')
  const stored = async () => (await app.store.storage.measure(call.account)).bytes
  // Jobs that follow the changes above may free storage.
  await app.queue.idle()
  const before = await stored()
  const refused = await publication('publish', 'publish-key-00001')
  t.match([refused.statusCode, refused.json()], [403, { code: 'storage_quota_exceeded', resource: 'bytes' }])
  t.equal(await stored(), before)
  t.equal(await total(call), 0, 'it had no effect')
  t.equal((await call('POST', `/api/v1/blogs/${id}/publish`)).statusCode, 200, 'without a key it has')
  await app.services.accounts.update(call.account, { storage: { bytes: 1_000_000 } })
  t.equal((await publication('publish', 'publish-key-00001')).statusCode, 200)
})

t.test('a replayed response does not repeat a secret', async (t) => {
  const { app } = await account(t)
  const call = await person(app, 'acme')
  const make = async () => await call('POST', '/api/keys', { name: 'Site' }, { 'idempotency-key': KEY })
  const [first, again] = [await make(), await make()]
  t.match(first.json().key, /^svc_pk_/)
  t.equal(again.statusCode, 201)
  t.equal(again.headers['cache-control'], 'no-store')
  const { key: value, ...rest } = first.json()
  t.same(again.json(), rest)
  const rotate = async () => await call('POST', `/api/keys/${rest.id}/rotate`, undefined, { 'idempotency-key': KEY })
  const [rotated, rotatedAgain] = [await rotate(), await rotate()]
  t.match(
    [rotated.statusCode, rotatedAgain.statusCode, rotatedAgain.headers['idempotent-replayed']],
    [200, 200, 'true']
  )
  t.notOk('key' in rotatedAgain.json())
  t.match(
    (await call('GET', '/api/keys')).json().keys,
    [{}, { id: rest.id, generation: 2 }],
    'the key was rotated once'
  )
  t.notMatch((await call('GET', '/api/keys')).body, value)
})

t.test('uploads are idempotent, both as a form and as raw bytes', async (t) => {
  const { call } = await account(t)
  const { id } = await publish(call, blog('Pictures'))
  const picture = async (background: string) =>
    await sharp({ create: { width: 20, height: 20, channels: 3, background } })
      .png()
      .toBuffer()
  const [red, blue] = [await picture('red'), await picture('blue')]
  const raw = async (bytes: Buffer, key: string, alt = 'A') =>
    await call('POST', `/api/v1/blogs/${id}/images?filename=a.png&alt=${alt}`, bytes, {
      'content-type': 'image/png',
      'idempotency-key': key
    })
  const form = async (bytes: Buffer, key: string, boundary: string) =>
    await call(
      'POST',
      `/api/v1/blogs/${id}/images`,
      Buffer.concat([
        Buffer.from(
          `--${boundary}\r\ncontent-disposition: form-data; name="alt"\r\n\r\nA\r\n` +
            `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="b.png"\r\n` +
            'content-type: image/png\r\n\r\n'
        ),
        bytes,
        Buffer.from(`\r\n--${boundary}--\r\n`)
      ]),
      { 'content-type': `multipart/form-data; boundary=${boundary}`, 'idempotency-key': key }
    )
  const first = await raw(red, KEY)
  t.equal(first.statusCode, 201, first.body)
  const again = await raw(red, KEY)
  t.match([again.statusCode, again.headers['idempotent-replayed'], again.body], [201, 'true', first.body])
  t.equal((await raw(blue, KEY)).statusCode, 422, 'other bytes')
  t.equal((await raw(red, KEY, 'B')).statusCode, 422, 'another description')
  const sent = await form(blue, 'form-000000000001', 'one')
  t.equal(sent.statusCode, 201, sent.body)
  const resent = await form(blue, 'form-000000000001', 'two')
  t.match(
    [resent.statusCode, resent.headers['idempotent-replayed'], resent.body],
    [201, 'true', sent.body],
    'a form is the same whatever its boundary'
  )
  t.equal((await form(red, 'form-000000000001', 'three')).statusCode, 422)
  t.equal((await call('GET', `/api/v1/blogs/${id}/images`)).json().images.length, 2)
})

t.test('a key that is restricted to a project never receives the response of another key', async (t) => {
  const { app, call } = await account(t)
  const first = await post(call, KEY, { ...blog('Internal'), projectId: 'internal' })
  t.equal(first.statusCode, 201)
  const restricted = await client(app, 'acme', { projectIds: ['site'] })
  const refused = await post(restricted, KEY, { ...blog('Internal'), projectId: 'internal' })
  t.equal(refused.statusCode, 403)
  t.equal(refused.json().code, 'project_not_allowed')
  const [user, other] = [await person(app, 'acme'), await person(app, 'acme', { sub: 'another user' })]
  const headers = { 'idempotency-key': KEY }
  const made = await user('POST', '/api/keys', { name: 'Site' }, headers)
  t.equal((await user('POST', '/api/keys', { name: 'Site' }, headers)).json().id, made.json().id)
  t.not((await other('POST', '/api/keys', { name: 'Site' }, headers)).json().id, made.json().id, 'nor another user')
})

t.test('a retry after a failure returns what the first attempt created', async (t) => {
  const { app, call } = await account(t)
  const { bumpEpoch } = app.limits
  let calls = 0
  // The first call comes before the commit, the second one after it.
  app.limits.bumpEpoch = async (...given) => {
    calls += 1
    if (calls === 2) throw problem('unavailable', 'Redis cannot be reached.')
    return await bumpEpoch(...given)
  }
  t.equal((await post(call, KEY, blog('Hello'))).statusCode, 503)
  t.equal(await total(call), 1, 'the blog was created')
  const retried = await post(call, KEY, blog('Hello'))
  t.equal(retried.statusCode, 201)
  t.equal(retried.json().slug, 'hello')
  t.equal(await total(call), 1)
  const other = await post(call, KEY, blog('Hello'))
  t.equal(other.headers['idempotent-replayed'], 'true')
})

t.test('responses are replayed for 24 hours, also after a restart', async (t) => {
  const env = await appSettings(temporaryFolder(t))
  const before = await buildApp(env)
  const { key } = await client(before)
  const send = async (app: FastifyInstance) =>
    await app.inject({
      method: 'POST',
      url: '/api/v1/blogs',
      headers: { 'x-api-key': key, 'idempotency-key': KEY },
      payload: blog('Hello')
    })
  const first = await send(before)
  await before.close()
  const after = await buildApp(env)
  t.teardown(() => after.close())
  const again = await send(after)
  t.match([again.statusCode, again.headers['idempotent-replayed'], again.body], [201, 'true', first.body])
  const start = Date.now()
  mock.timers.enable({ apis: ['Date'], now: start + 86_000_000 })
  t.teardown(() => {
    mock.timers.reset()
  })
  t.equal((await send(after)).headers['idempotent-replayed'], 'true', 'after 23.9 hours')
  mock.timers.setTime(start + 86_500_000)
  await after.services.sweeper.sweep(new AbortController().signal)
  const fresh = await send(after)
  t.equal(fresh.statusCode, 201)
  t.notOk('idempotent-replayed' in fresh.headers, 'after 24 hours it is a new request')
})

t.test('after the process is killed, every request can be retried', async (t) => {
  const dataDir = temporaryFolder(t)
  const setup = await buildApp(await appSettings(dataDir))
  const { key } = await client(setup)
  await setup.close()
  const server = await startServer(t, dataDir)
  const REQUESTS = 100
  const KILL_AFTER = 30
  const answered = new Map<number, string>()
  const send = async (index: number) => {
    const response = await fetch(`${server.url}/api/v1/blogs`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json', 'idempotency-key': `killed-request-${index}` },
      body: JSON.stringify(blog(`Post ${index}`))
    })
    const { id } = (await response.json()) as { id: string }
    answered.set(index, id)
    if (answered.size === KILL_AFTER) server.child.kill('SIGKILL')
  }
  const indexes = [...Array(REQUESTS).keys()]
  await Promise.allSettled(
    Array.from({ length: 8 }, async () => {
      for (let next = indexes.shift(); next !== undefined; next = indexes.shift()) await send(next)
    })
  )
  t.ok(
    answered.size >= KILL_AFTER && answered.size < REQUESTS,
    `${answered.size} of ${REQUESTS} were answered before the end`
  )
  const app = await buildApp(await appSettings(dataDir))
  t.teardown(() => app.close())
  const call = async (index: number) =>
    await app.inject({
      method: 'POST',
      url: '/api/v1/blogs',
      headers: { 'x-api-key': key, 'idempotency-key': `killed-request-${index}` },
      payload: blog(`Post ${index}`)
    })
  const waiting: number[] = []
  for (let index = 0; index < REQUESTS; index++) {
    const answer = await call(index)
    if (answer.statusCode === 409) waiting.push(index)
    else if (answer.statusCode !== 201) t.fail(`request ${index} was answered ${answer.statusCode}`)
    if (answered.has(index)) {
      t.equal(answer.json().id, answered.get(index), 'earlier responses are replayed')
    }
  }
  // Adds a claim of a dead process, because the kill may have hit between two requests.
  const body = blog('Left')
  const { create } = app.services.blogs
  app.services.blogs.create = async () => await new Promise(() => {})
  const left = () =>
    app.inject({
      method: 'POST',
      url: '/api/v1/blogs',
      headers: { 'x-api-key': key, 'idempotency-key': 'left-behind-00001' },
      payload: body
    })
  // The second of two concurrent requests is rejected, because the first one never ends.
  t.equal((await Promise.race([left(), left()])).statusCode, 409)
  app.services.blogs.create = create
  mock.timers.enable({ apis: ['Date'], now: Date.now() + 121_000 })
  t.teardown(() => {
    mock.timers.reset()
  })
  t.equal((await left()).statusCode, 201, 'after two minutes the claim expires')
  t.equal((await left()).headers['idempotent-replayed'], 'true')
  for (const index of waiting) t.equal((await call(index)).statusCode, 201)
  t.comment(`${waiting.length} claims were left behind by the kill`)
  if (!scaled) t.same(waiting, [], 'no other process can have the claims of the killed one')
})

t.test('an upload with a key is executed once, and another file of the same length is rejected', async (t) => {
  const app = await startApp(t)
  const call = await client(app)
  const headers = { 'idempotency-key': 'upload-0000000001', 'content-type': 'application/x-ndjson' }
  const upload = async (payload: string) =>
    await call('POST', '/api/v1/products/imports?projectId=shop', payload, headers)
  const first = await upload('{"externalId":"a","title":"A"}\n')
  t.equal(first.statusCode, 202, first.body)
  const again = await upload('{"externalId":"a","title":"A"}\n')
  t.equal(again.headers['idempotent-replayed'], 'true')
  t.equal(again.json().id, first.json().id)
  t.notOk('x-upload-digest' in again.headers)
  t.match((await upload('{"externalId":"b","title":"B"}\n')).json(), { status: 422, code: 'idempotency_key_reused' })
  await app.queue.idle()
  t.equal((await call('GET', '/api/v1/products')).json().totalCount, 1)
})
