import t from 'tap'
import { client, person, startApp } from '../../helper.ts'

const HOOKS = '/api/webhooks'

t.test('a key without scopes in its request has the default scopes only', async (t) => {
  const app = await startApp(t)
  const call = await client(app)
  t.match((await call('GET', HOOKS)).json(), { status: 403, code: 'scope_missing', scope: 'webhooks:read' })
  t.match((await call('GET', '/api/events')).json(), { status: 403, code: 'scope_missing', scope: 'events:read' })
  t.equal((await call('GET', '/api/keys')).statusCode, 401, 'keys are managed with a session token')
})

t.test('a key with the scopes manages webhooks and reads events', async (t) => {
  const app = await startApp(t)
  const reader = await client(app, 'acme', { scopes: ['webhooks:read', 'events:read'] })
  const writer = await client(app, 'acme', { scopes: ['webhooks:write'] })
  const input = { url: 'https://hooks.example/products' }
  t.match((await reader('POST', HOOKS, input)).json(), { status: 403, scope: 'webhooks:write' })
  const created = (await writer('POST', HOOKS, input)).json() as { id: string; secret: string }
  t.match(created, { url: input.url, secret: String })
  t.match((await reader('GET', HOOKS)).json(), { webhooks: [{ id: created.id, secret: undefined }] })
  t.match((await reader('GET', `${HOOKS}/${created.id}/deliveries`)).json(), { deliveries: [] })
  t.equal((await writer('GET', HOOKS)).statusCode, 403)
  t.equal((await reader('DELETE', `${HOOKS}/${created.id}`)).statusCode, 403)
  t.match((await reader('GET', '/api/events')).json(), { events: [] })
  const bearer = await app.inject({ url: HOOKS, headers: { authorization: `Bearer ${reader.key}` } })
  t.equal(bearer.statusCode, 200, 'as a bearer token')
  const other = await client(app, 'other', { scopes: ['webhooks:write', 'webhooks:read'] })
  t.equal((await other('DELETE', `${HOOKS}/${created.id}`)).statusCode, 404, 'of its own account only')
  t.equal((await writer('DELETE', `${HOOKS}/${created.id}`)).statusCode, 204)
  t.equal((await (await person(app, 'acme'))('GET', HOOKS)).statusCode, 200, 'and so do session tokens')
})

t.test('a key that is restricted to projects cannot read what belongs to the account', async (t) => {
  const app = await startApp(t)
  const call = await client(app, 'acme', { scopes: ['webhooks:read', 'events:read'], projectIds: ['site'] })
  for (const path of [HOOKS, '/api/events']) {
    t.match((await call('GET', path)).json(), { status: 403, code: 'project_not_allowed' }, path)
  }
})

t.test('an invalid key is rejected as a key, and without a credential both are named', async (t) => {
  const app = await startApp(t)
  await client(app)
  const wrong = await app.inject({ url: HOOKS, headers: { 'x-api-key': `svc_pk_${'a'.repeat(43)}` } })
  t.match(wrong.json(), { status: 401, code: 'unauthenticated' })
  t.match((await app.inject({ url: HOOKS })).json(), { status: 401 })
})

t.test('a key with previews:write creates preview links, and writes nothing', async (t) => {
  const app = await startApp(t)
  const writer = await client(app)
  const draft = { projectId: 'site', title: 'A draft', markdown: 'Text' }
  const { id } = (await writer('POST', '/api/v1/blogs', draft)).json() as { id: string }
  const call = await client(app, 'acme', { scopes: ['previews:write'] })
  t.match((await call('POST', `/api/v1/blogs/${id}/preview`)).json(), { url: String, expiresAt: String })
  t.equal((await call('PATCH', `/api/v1/blogs/${id}`, { title: 'B' })).statusCode, 403)
  const reader = await client(app, 'acme', { scopes: ['blogs:read'] })
  t.match((await reader('POST', `/api/v1/blogs/${id}/preview`)).json(), { status: 403, scope: 'blogs:write' })
})

t.test('beside X-Api-Key, an Authorization header of another scheme is ignored', async (t) => {
  const app = await startApp(t)
  const call = await client(app)
  const status = async (authorization: string) =>
    (await call('GET', '/api/v1/blogs', undefined, { authorization })).statusCode
  t.equal(await status('Basic c3RhZ2luZzpzZWNyZXQ='), 200)
  t.equal(await status('Digest username="staging"'), 200)
  t.equal(await status(`Bearer ${call.key}`), 200)
  t.equal(await status('Bearer another'), 401, 'two different credentials')
  t.equal(await status('Bearer'), 401, 'a malformed credential')
  const withoutKey = await app.inject({
    url: '/api/v1/blogs',
    headers: { authorization: 'Basic c3RhZ2luZzpzZWNyZXQ=' }
  })
  t.equal(withoutKey.statusCode, 401)
})
