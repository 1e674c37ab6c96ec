import t, { type Test } from 'tap'
import { ERRORS, type ErrorCode } from '../../../errors.ts'
import { client, person, sessionToken, startApp } from '../../helper.ts'
import { scaled } from '../../profile.ts'

const NOBODYS = '01890000-0000-7000-8000-000000000000'
type Answer = Awaited<ReturnType<Awaited<ReturnType<typeof person>>>>

function refused(t: Test, answer: Answer, code: ErrorCode, name: string = code): void {
  t.equal(answer.statusCode, ERRORS[code].status, name)
  t.equal(answer.json().code, code, name)
}

async function signedIn(t: Test, account = 'acme') {
  const app = await startApp(t, { DEFAULT_PLAN: 'samurai', ADDRESS_REQUESTS_PER_HOUR: '100000' })
  const call = await person(app, account)
  const read = async (key: string, headers: Record<string, string> = { 'x-api-key': key }) =>
    (await app.inject({ url: '/api/v1/blogs', headers })).statusCode
  return {
    app,
    call,
    read,
    make: async (input: object = { name: 'Site' }) => (await call('POST', '/api/keys', input)).json()
  }
}

/** Milliseconds; long enough for a first use in both profiles. */
const SOON_MS = scaled ? 5000 : 250

t.test('a key is created with all five scopes, and its value is shown once', async (t) => {
  const { call, read } = await signedIn(t)
  const made = await call('POST', '/api/keys', { name: '  Website  ' })
  t.equal(made.statusCode, 201)
  t.equal(made.headers['cache-control'], 'no-store')
  const key = made.json()
  t.match(key, {
    name: 'Website',
    status: 'active',
    generation: 1,
    projectIds: null,
    expiresAt: null,
    lastUsedAt: null
  })
  t.same(key.scopes, ['blogs:read', 'blogs:write', 'products:read', 'products:write', 'images:read'])
  t.match(key.key, /^svc_pk_[0-9A-Za-z]{49}$/)
  t.equal(key.prefix, key.key.slice(0, 11))
  t.equal(key.last4, key.key.slice(-4))
  t.notOk('hash' in key || 'accountId' in key)
  t.equal(await read(key.key), 200, 'it works')
  t.equal(await read(key.key, { authorization: `bearer ${key.key}` }), 200, 'as a bearer token')
  const listed = await call('GET', '/api/keys')
  t.equal(listed.headers['cache-control'], 'no-store')
  t.match(listed.json().keys, [{ id: key.id, name: 'Website', generation: 1 }])
  t.notMatch(listed.body, key.key.slice(11, 50), 'the list has no key values')
  t.notOk('key' in listed.json().keys[0])
})

t.test('a key has the requested scopes, expiry and projects', async (t) => {
  const { make, app } = await signedIn(t)
  const soon = new Date(Date.now() + 3_600_000).toISOString()
  const key = await make({ name: 'Narrow', scopes: ['blogs:read'], expiresAt: soon, projectIds: ['site'] })
  t.match(key, { scopes: ['blogs:read'], expiresAt: soon, projectIds: ['site'] })
  const headers = { 'x-api-key': key.key }
  t.equal((await app.inject({ url: '/api/v1/blogs', headers })).statusCode, 200)
  const written = await app.inject({
    method: 'POST',
    url: '/api/v1/blogs',
    headers,
    payload: { projectId: 'site', title: 'A', markdown: 'b' }
  })
  t.equal(written.statusCode, 403)
  t.match(written.json(), { code: 'scope_missing', scope: 'blogs:write' }, 'the missing scope is reported')
})

t.test('fields that users may not set are rejected by name', async (t) => {
  const { call, make } = await signedIn(t)
  for (const field of ['plan', 'owner', 'hash', 'accountId', 'generation', 'key']) {
    const answer = await call('POST', '/api/keys', { name: 'X', [field]: 'x' })
    refused(t, answer, 'invalid_request', field)
    t.match(answer.json().errors, [{ pointer: `/${field}`, code: 'unknown_field' }])
  }
  const { id } = await make()
  for (const field of ['projectIds', 'hash', 'generation', 'lastUsedAt']) {
    t.match((await call('PATCH', `/api/keys/${id}`, { [field]: null })).json(), {
      code: 'invalid_request',
      errors: [{ pointer: `/${field}` }]
    })
  }
  for (const input of [
    {},
    { name: '' },
    { name: '   ' },
    { name: 'x'.repeat(65) },
    { name: 7 },
    { name: 'x', scopes: [] },
    { name: 'x', scopes: ['all'] },
    { name: 'x', scopes: ['blogs:read', 'blogs:read'] },
    { name: 'x', projectIds: [] },
    { name: 'x', projectIds: ['a b'] },
    { name: 'x', expiresAt: 'tomorrow' }
  ]) {
    refused(t, await call('POST', '/api/keys', input), 'invalid_request', JSON.stringify(input))
  }
  const past = await call('POST', '/api/keys', { name: 'x', expiresAt: '2020-01-01T00:00:00Z' })
  refused(t, past, 'invalid_request', 'an expiry in the past')
  t.match(past.json().errors, [{ pointer: '/expiresAt', code: 'past' }])
  t.equal((await call('GET', '/api/keys')).json().keys.length, 1, 'rejected requests have no effect')
})

t.test('a rotated key keeps its id, and its old value is invalid as soon as the response arrives', async (t) => {
  const { call, make, read } = await signedIn(t)
  const before = await make()
  t.equal(await read(before.key), 200, 'the old value is cached')
  const rotated = await call('POST', `/api/keys/${before.id}/rotate`)
  t.equal(rotated.statusCode, 200)
  t.equal(rotated.headers['cache-control'], 'no-store')
  const after = rotated.json()
  t.match(after, {
    id: before.id,
    name: before.name,
    scopes: before.scopes,
    generation: 2,
    createdAt: before.createdAt
  })
  t.not(after.key, before.key)
  t.equal(await read(before.key), 401)
  t.equal(await read(after.key), 200)
  t.equal(await read(before.key), 401, 'also when the new value is cached')
})

t.test('a rotation that loses to a concurrent one changes nothing', async (t) => {
  const { call, make, read } = await signedIn(t)
  const { id } = await make()
  const answers = await Promise.all(Array.from({ length: 8 }, () => call('POST', `/api/keys/${id}/rotate`)))
  // How many overlap depends on the store and the machine.
  const done = answers.filter(({ statusCode }) => statusCode === 200).map((answer) => answer.json())
  for (const answer of answers.filter(({ statusCode }) => statusCode !== 200)) refused(t, answer, 'rotation_conflict')
  t.same(
    done.map(({ generation }) => generation).sort(),
    Array.from(done, (_, index) => index + 2)
  )
  t.equal((await call('GET', '/api/keys')).json().keys[0].generation, done.length + 1)
  for (const { key, generation } of done) t.equal(await read(key), generation === done.length + 1 ? 200 : 401)
})

t.test('a deleted, disabled or expired key is rejected at once with the same message', async (t) => {
  const { app, call, make, read } = await signedIn(t)
  const keys = {
    deleted: await make(),
    disabled: await make(),
    expired: await make({ name: 'E', expiresAt: new Date(Date.now() + SOON_MS).toISOString() }),
    expiredUnused: await make({ name: 'E', expiresAt: new Date(Date.now() + SOON_MS).toISOString() })
  }
  for (const name of ['deleted', 'disabled', 'expired'] as const) {
    t.equal(await read(keys[name].key), 200, `${name} at first`)
  }
  const deleted = await call('DELETE', `/api/keys/${keys.deleted.id}`)
  t.equal(deleted.statusCode, 204)
  t.equal(deleted.body, '')
  t.equal((await call('PATCH', `/api/keys/${keys.disabled.id}`, { disabled: true })).json().status, 'disabled')
  while (Date.now() < Date.parse(keys.expiredUnused.expiresAt)) {
    await new Promise((resolve) => {
      setImmediate(resolve)
    })
  }
  const bodies = new Set<string>()
  for (const [name, { key }] of Object.entries(keys)) {
    const answer = await app.inject({ url: '/api/v1/blogs', headers: { 'x-api-key': key } })
    refused(t, answer as Answer, 'unauthenticated', name)
    t.match(answer.headers['www-authenticate'], /^Bearer /)
    bodies.add(JSON.stringify({ ...answer.json(), requestId: '' }))
  }
  t.equal(bodies.size, 1, 'the responses do not reveal keys of other accounts')
  const statuses = (await call('GET', '/api/keys')).json().keys.map(({ status }: { status: string }) => status)
  t.same(statuses, ['disabled', 'expired', 'expired'])
  t.equal((await call('PATCH', `/api/keys/${keys.disabled.id}`, { disabled: false })).json().status, 'active')
  t.equal(await read(keys.disabled.key), 200, 'an enabled key works again')
  t.equal((await call('PATCH', `/api/keys/${keys.expired.id}`, { expiresAt: null })).json().status, 'active')
  t.equal(await read(keys.expired.key), 200, 'a key with a new expiry works again')
})

t.test('name, scopes and expiry can be changed, and scopes apply at once', async (t) => {
  const { call, make, read } = await signedIn(t)
  const key = await make()
  t.equal(await read(key.key), 200)
  const changed = await call('PATCH', `/api/keys/${key.id}`, { name: 'New', scopes: ['products:read'] })
  t.match(changed.json(), { id: key.id, name: 'New', scopes: ['products:read'], generation: 1 })
  t.equal(await read(key.key), 403)
  refused(t, await call('PATCH', `/api/keys/${key.id}`, {}), 'invalid_request', 'an empty change')
  refused(
    t,
    await call('PATCH', `/api/keys/${key.id}`, { expiresAt: '2020-01-01T00:00:00Z' }),
    'invalid_request',
    'an expiry in the past'
  )
})

t.test('an account has at most 25 active keys', async (t) => {
  const { call, make } = await signedIn(t)
  const made = await Promise.all(
    Array.from({ length: 30 }, (_, index) => call('POST', '/api/keys', { name: `Key ${index}` }))
  )
  t.equal(made.filter(({ statusCode }) => statusCode === 201).length, 25, 'also for concurrent requests')
  refused(t, made.find(({ statusCode }) => statusCode !== 201)!, 'too_many_keys')
  const { id } = (await call('GET', '/api/keys')).json().keys[0]
  await call('PATCH', `/api/keys/${id}`, { disabled: true })
  t.ok((await make()).key, 'disabled keys do not count')
  refused(
    t,
    await call('PATCH', `/api/keys/${id}`, { disabled: false }),
    'too_many_keys',
    'enabling it would exceed the limit'
  )
})

t.test('a key of another account is reported as not found', async (t) => {
  const { app, call, make } = await signedIn(t)
  const otherAccount = await person(app, 'otherAccount')
  const key = await make()
  const shape = (answer: Answer) => ({
    status: answer.statusCode,
    body: answer.body
      .replaceAll(key.id, 'ID')
      .replaceAll(NOBODYS, 'ID')
      .replace(/"requestId":"[^"]*"/, '')
  })
  for (const [method, tail, body] of [
    ['POST', '/rotate', undefined],
    ['PATCH', '', { name: 'Mine' }],
    ['DELETE', '', undefined]
  ] as const) {
    const others = await otherAccount(method, `/api/keys/${key.id}${tail}`, body)
    refused(t, others, 'key_not_found', `${method} ${tail}`)
    t.same(shape(others), shape(await otherAccount(method, `/api/keys/${NOBODYS}${tail}`, body)))
  }
  t.same((await otherAccount('GET', '/api/keys')).json(), { keys: [] })
  t.match(
    (await call('GET', '/api/keys')).json().keys,
    [{ id: key.id, name: 'Site', generation: 1 }],
    'the key is unchanged'
  )
  refused(t, await otherAccount('DELETE', '/api/keys/not-an-id'), 'invalid_request')
})

t.test('keys on session endpoints and session tokens on key endpoints are rejected without effect', async (t) => {
  const { app, make, read, call } = await signedIn(t)
  const { key } = await make()
  for (const headers of [{ 'x-api-key': key }, { authorization: `Bearer ${key}` }]) {
    for (const [method, url] of [
      ['POST', '/api/keys'],
      ['GET', '/api/keys'],
      ['GET', '/api/account'],
      ['POST', '/api/projects']
    ] as const) {
      const answer = await app.inject({
        method,
        url,
        headers,
        payload: method === 'POST' ? { name: 'X', id: 'x' } : undefined
      })
      refused(t, answer as Answer, 'unauthenticated', `${method} ${url} with a key`)
    }
  }
  const token = await sessionToken('acme')
  const written = await app.inject({
    method: 'POST',
    url: '/api/v1/blogs',
    headers: { authorization: `Bearer ${token}` },
    payload: { projectId: 'site', title: 'A', markdown: 'b' }
  })
  t.equal(written.statusCode, 201, 'a session token has access to the content of its account')
  t.equal((await call('GET', '/api/keys')).json().keys.length, 1)
  t.match((await call('GET', '/api/projects')).json(), { projects: [{ id: 'site' }] })
  t.equal(await read(key, { 'x-api-key': token }), 401)
})

t.test('two headers with different keys are rejected; two with the same key are accepted', async (t) => {
  const { make, read } = await signedIn(t)
  const [a, b] = [await make(), await make()]
  t.equal(await read('', { 'x-api-key': a.key, authorization: `Bearer ${b.key}` }), 401)
  t.equal(await read('', { 'x-api-key': a.key, authorization: 'Basic YTpi' }), 200)
  t.equal(await read('', { 'x-api-key': a.key, authorization: `Bearer ${a.key}` }), 200)
})

t.test('a mistyped key is rejected without a store lookup', async (t) => {
  const { app, make, read } = await signedIn(t)
  const { key } = await make()
  let lookups = 0
  const { findByHash } = app.store.apiKeys
  app.store.apiKeys.findByHash = async (hash) => {
    lookups += 1
    return await findByHash(hash)
  }
  const other = (character: string) => (character === 'A' ? 'B' : 'A')
  const mistyped = [...Array(key.length).keys()]
    .slice(7)
    .map((at) => key.slice(0, at) + other(key[at]) + key.slice(at + 1))
  for (const wrong of [...mistyped, key.slice(0, -1), `${key}A`, key.toUpperCase(), key.replace('svc', 'abc')]) {
    t.equal(await read(wrong), 401, wrong.slice(0, 12))
  }
  t.equal(lookups, 0)
  t.equal(await read(key), 200)
  t.ok(lookups > 0, 'a well-formed key is looked up')
})

t.test('a key in the query string is rejected', async (t) => {
  const { app, make } = await signedIn(t)
  const { key } = await make()
  for (const url of [
    `/api/v1/blogs?api_key=${key}`,
    `/api/v1/blogs?key=${key}`,
    `/nothing?x=${key}`,
    `/api/keys?x=${key}`
  ]) {
    refused(t, (await app.inject({ url })) as Answer, 'credential_in_query', 'without a header')
    refused(t, (await app.inject({ url, headers: { 'x-api-key': key } })) as Answer, 'credential_in_query', 'with one')
  }
})

t.test("keys start with the operator's brand", async (t) => {
  const app = await startApp(t, { BRAND: 'harbor' })
  const call = await client(app)
  t.match(call.key, /^harbor_pk_[0-9A-Za-z]{49}$/)
  t.equal((await call('GET', '/api/v1/blogs')).statusCode, 200)
  t.equal((await call('GET', `/api/v1/blogs?key=${call.key}`)).json().code, 'credential_in_query')
})

t.test('the last use of a key is saved after a minute or at shutdown, even for a single use', async (t) => {
  const { app, call, make, read } = await signedIn(t)
  const [used, unused] = [await make(), await make()]
  const before = new Date().toISOString()
  await read(used.key)
  await app.services.auth.flush()
  const [first, second] = (await call('GET', '/api/keys')).json().keys
  t.ok(first.lastUsedAt >= before && first.lastUsedAt <= new Date().toISOString())
  t.equal(second.lastUsedAt, null)
  await app.store.apiKeys.recordUses([{ id: used.id, at: '2020-01-01T00:00:00.000Z' }])
  t.equal((await call('GET', '/api/keys')).json().keys[0].lastUsedAt, first.lastUsedAt, 'the last use never decreases')
  await read(unused.key)
  const { recordUses } = app.store.apiKeys
  app.store.apiKeys.recordUses = async () => {
    throw new Error('The disk is full.')
  }
  await t.rejects(app.services.auth.flush())
  app.store.apiKeys.recordUses = recordUses
  await app.services.auth.flush()
  t.ok(
    (await call('GET', '/api/keys')).json().keys[1].lastUsedAt >= before,
    'unsaved uses are saved with the next flush'
  )
})

t.test('an account has at most 200 keys, including disabled ones', async (t) => {
  const app = await startApp(t)
  const call = await person(app, 'acme')
  await app.services.accounts.ensure('acme')
  await app.services.accounts.update('acme', { requestsPerHour: 10_000 })
  const create = () => call('POST', '/api/keys', { name: 'k', scopes: ['blogs:read'] })
  const ids: string[] = []
  for (let count = 0; count < 200; count++) {
    const { id } = (await create()).json()
    ids.push(id)
    await call('PATCH', `/api/keys/${id}`, { disabled: true })
  }
  refused(t, await create(), 'too_many_keys')
  t.equal((await call('DELETE', `/api/keys/${ids[0]}`)).statusCode, 204)
  t.equal((await create()).statusCode, 201)
})
