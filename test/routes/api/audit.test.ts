import { createHmac } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { SignJWT } from 'jose'
import t from 'tap'
import { AUDIT_ACTIONS, type AuditEntry } from '../../../schemas/audit.ts'
import { signLinkToken } from '../../../services/auth/sign-in-links.ts'
import { addDyingJob } from '../../fixtures/dead-job.ts'
import { eventually, openReceiver } from '../../fixtures/webhooks/receiver.ts'
import { storedBytes } from '../../fixtures/stored-bytes.ts'
import { client, person, SESSION_SECRET, startApp, temporaryFolder } from '../../helper.ts'
import { photograph } from '../../services/images/sample-images.ts'

const BLOGS = '/api/v1/blogs'
const PRODUCTS = '/api/v1/products'
const HOOKS = '/api/webhooks'
const ALL_SCOPES = ['blogs:write', 'products:write', 'webhooks:write', 'audit:read'] as const

type Ask = (method: 'GET' | 'POST', url: string) => Promise<{ json: () => unknown }>
const entriesOf = async (ask: Ask, query = '') =>
  ((await ask('GET', `/api/audit?pageSize=100${query}`)).json() as { entries: AuditEntry[] }).entries

const signIn = async (app: FastifyInstance, linkToken: string) =>
  await app.inject({ method: 'POST', url: '/api/sessions', payload: { linkToken } })

t.test('every kind of change has one entry with its actor, target and fields', { timeout: 120_000 }, async (t) => {
  const app = await startApp(t, { OUTBOUND_ALLOW: '127.0.0.1' })
  const receiver = await openReceiver(t)
  const key = await client(app, 'acme', { name: 'Back office', scopes: [...ALL_SCOPES] })
  const user = await person(app, 'acme')
  const admin = await person(app, 'svc', { role: 'admin', sub: 'operator' })
  const seen = new Set<string>()
  let last: string | undefined

  /** Checks that there is exactly one new entry. */
  async function records(
    response: { statusCode: number; body: string; headers: Record<string, unknown> },
    expected: object,
    ask: Ask = user
  ) {
    if (response.statusCode >= 400) t.fail(`${response.statusCode} ${response.body}`)
    const [entry, before] = await entriesOf(ask)
    t.match(entry, { requestId: response.headers['x-request-id'], ipAddress: '127.0.0.1', ...expected })
    if (ask === user) {
      t.equal(before?.id, last, `one entry for ${entry?.action}`)
      last = entry!.id
    }
    t.ok(Math.abs(Date.now() - Date.parse(entry!.createdAt)) < 60_000)
    seen.add(entry!.action)
    return response.body === '' ? {} : (JSON.parse(response.body) as Record<string, string>)
  }
  const byKey = {
    actor: { type: 'key', id: key.keyId, name: 'Back office', prefix: `${key.key.slice(0, 11)}…${key.key.slice(-4)}` }
  }
  const byUser = { actor: { type: 'session', id: 'person of acme', name: null, prefix: null } }
  const byAdmin = { actor: { type: 'admin', id: 'operator' }, ipAddress: null }
  const titled = { type: 'blog', label: 'Tea' }

  await t.test('blogs', async (t) => {
    const input = { projectId: 'site', title: 'Tea', markdown: 'Text about tea' }
    const { id } = await records(await key('POST', BLOGS, { ...input, status: 'draft' }), {
      ...byKey,
      action: 'blog.created',
      target: titled,
      projectId: 'site',
      changes: [
        { field: 'projectId', to: undefined },
        { field: 'title', to: undefined },
        { field: 'markdown', to: undefined },
        { field: 'status', to: 'draft' }
      ]
    })
    const target = { ...titled, id }
    const url = `${BLOGS}/${id}`
    await records(await key('PATCH', url, { category: 'Green', slug: 'green-tea' }), {
      action: 'blog.updated',
      target,
      changes: [{ field: 'category' }, { field: 'slug', to: 'green-tea' }]
    })
    await records(await key('POST', `${url}/revisions/1/restore`), {
      action: 'blog.restored',
      target,
      changes: [{ field: 'revision', to: 1 }]
    })
    const publishAt = new Date(Date.now() + 86_400_000).toISOString()
    await records(await key('POST', `${url}/publish`, { publishAt }), {
      action: 'blog.scheduled',
      target,
      changes: [{ field: 'publishAt', to: publishAt }]
    })
    await records(await user('POST', `${url}/publish`), { ...byUser, action: 'blog.published', target })
    await records(await user('POST', `${url}/unpublish`), { ...byUser, action: 'blog.unpublished', target })
    const picture = await photograph(40, 30)
    const upload = async () =>
      await key('POST', `${url}/images?filename=cup.jpg`, picture, { 'content-type': 'image/jpeg' })
    const { filename } = await records(await upload(), { action: 'blog.image_added', target, projectId: 'site' })
    t.equal((await upload()).statusCode, 200, 'the image exists')
    await records(await key('DELETE', `${url}/images/${filename!}`), {
      action: 'blog.image_deleted',
      target,
      changes: [{ field: 'image', to: filename }]
    })
    t.equal((await key('PATCH', url, { category: null })).statusCode, 200, 'nothing is changed')
    t.equal((await key('POST', `${url}/render`, { title: 'Other' })).statusCode, 200, 'nothing is saved')
    t.equal((await key('POST', `${url}/preview`)).statusCode, 200)
    t.equal((await key('PATCH', url, { unknown: 1 })).statusCode, 400)
    await records(await key('DELETE', url), { action: 'blog.deleted', target, projectId: 'site', changes: [] })
    t.equal((await key('DELETE', url)).statusCode, 404)
    const blogs = [{ slug: 'old', title: 'Old', html: '<p>Text</p>', status: 'published' }]
    const imported = { projectId: 'site', blogs }
    await records(await admin('POST', '/api/admin/accounts/acme/blogs/import', imported), {
      ...byAdmin,
      action: 'blog.batch_imported',
      target: { type: 'project', id: 'site' },
      changes: [
        { field: 'created', to: 1 },
        { field: 'updated', to: 0 }
      ]
    })
    await admin('POST', '/api/admin/accounts/acme/blogs/import', imported)
  })

  await t.test('products', async (t) => {
    const product = { projectId: 'shop', externalId: 'p1', title: 'Kettle' }
    const { id } = await records(await key('POST', PRODUCTS, product), {
      ...byKey,
      action: 'product.created',
      target: { type: 'product', label: 'Kettle' },
      projectId: 'shop'
    })
    await key('POST', PRODUCTS, product)
    await records(await key('POST', PRODUCTS, { ...product, price: 12.5 }), {
      action: 'product.updated',
      target: { id },
      changes: [{ field: 'projectId' }, { field: 'externalId' }, { field: 'title' }, { field: 'price', to: undefined }]
    })
    await records(await key('PATCH', `${PRODUCTS}/${id}`, { seo: { metaTitle: 'A kettle' } }), {
      action: 'product.updated',
      target: { id },
      changes: [{ field: 'seo.metaTitle', to: undefined }]
    })
    const batch = {
      projectId: 'shop',
      products: ['p1', 'p2', 'p3'].map((externalId) => ({ externalId, title: 'Kettle' }))
    }
    t.equal((await key('POST', `${PRODUCTS}/batch?dryRun=true`, batch)).statusCode, 200)
    await records(await key('POST', `${PRODUCTS}/batch`, batch), {
      action: 'product.batch_imported',
      target: { type: 'project', id: 'shop' },
      projectId: 'shop',
      changes: [
        { field: 'created', to: 2 },
        { field: 'updated', to: 0 }
      ]
    })
    t.equal((await key('POST', `${PRODUCTS}/batch`, batch)).statusCode, 200, 'nothing is changed')
    await records(await key('POST', `${PRODUCTS}/optimize`, { projectId: 'shop', force: true }), {
      action: 'product.optimization_requested',
      changes: [{ field: 'queued', to: 3 }]
    })
    await records(await key('POST', `${PRODUCTS}/batch`, batch, { prefer: 'respond-async' }), {
      action: 'product.import_started',
      target: { type: 'import' }
    })
    // The import of so many rows has not ended when it is canceled.
    const rows = Array.from({ length: 20_000 }, (_, n) => `cup-${n},Cup ${n}\n`)
    const csv = `externalId,title\n${rows.join('')}`
    const file = await key('POST', `${PRODUCTS}/imports?projectId=shop`, csv, { 'content-type': 'text/csv' })
    const { id: importId } = await records(file, {
      action: 'product.import_started',
      target: { type: 'import' },
      projectId: 'shop',
      changes: [
        { field: 'format', to: 'csv' },
        { field: 'bytes', to: csv.length }
      ]
    })
    await records(await key('POST', `${PRODUCTS}/imports/${importId}/cancel`), {
      action: 'product.import_canceled',
      target: { id: importId }
    })
    await records(await key('DELETE', `${PRODUCTS}/${id}`), {
      action: 'product.deleted',
      target: { id, label: 'Kettle' },
      projectId: 'shop'
    })
  })

  await t.test('projects and the account', async () => {
    const target = { type: 'project', id: 'new', label: 'News' }
    await records(await user('POST', '/api/projects', { id: 'new', name: 'News', optimize: 'manual' }), {
      ...byUser,
      action: 'project.created',
      target,
      projectId: 'new',
      changes: [{ field: 'id' }, { field: 'name' }, { field: 'optimize', to: 'manual' }]
    })
    await records(await user('PATCH', '/api/projects/new', { brandName: 'N' }), { action: 'project.updated', target })
    await records(await user('DELETE', '/api/projects/new'), { action: 'project.deleted', target, projectId: 'new' })
    await records(await user('PATCH', '/api/account', { knownProjectsOnly: false }), {
      ...byUser,
      action: 'account.updated',
      target: { type: 'account', id: 'acme' },
      changes: [{ field: 'knownProjectsOnly', to: false }]
    })
    await records(await admin('PATCH', '/api/admin/accounts/acme', { plan: 'samurai', storage: { blogs: null } }), {
      ...byAdmin,
      action: 'account.updated',
      changes: [{ field: 'plan', to: 'samurai' }, { field: 'storage.blogs' }]
    })
  })

  await t.test('webhooks', async (t) => {
    const { host } = new URL(receiver.url)
    const url = `${receiver.url}/secret-path?token=secret`
    const made = await records(await key('POST', HOOKS, { url }), { ...byKey, action: 'webhook.created' })
    receiver.knows(made.secret!)
    const target = { type: 'webhook', id: made.id, label: host }
    const path = `${HOOKS}/${made.id}`
    await records(await key('PATCH', path, { description: 'Shop' }), {
      action: 'webhook.updated',
      target,
      projectId: null,
      changes: [{ field: 'description', to: undefined }]
    })
    await records(await user('PATCH', path, { enabled: false }), { action: 'webhook.disabled', target })
    await records(await user('PATCH', path, { enabled: true }), { action: 'webhook.enabled', target })
    await records(await user('POST', `${path}/enable`), { action: 'webhook.enabled', target })
    t.equal((await user('POST', `${path}/test`)).statusCode, 200)
    receiver.knows(
      (await records(await user('POST', `${path}/rotate-secret`), { action: 'webhook.secret_rotated', target })).secret!
    )
    const blog = { projectId: 'site', title: 'News', markdown: 'Text', status: 'published' }
    await records(await key('POST', BLOGS, blog), { action: 'blog.created' })
    let deliveries: { id: string }[] = []
    while (deliveries.length === 0) {
      await wait(50)
      deliveries = (await user('GET', `${path}/deliveries`)).json().deliveries
    }
    const delivery = deliveries[0]!.id
    await records(await user('POST', `${HOOKS}/deliveries/${delivery}/redeliver`), {
      action: 'webhook.event_redelivered',
      target: { type: 'webhook', id: made.id },
      changes: [{ field: 'delivery', to: delivery }]
    })
    await records(await user('POST', `${path}/recover`, { since: new Date(Date.now() - 60_000).toISOString() }), {
      action: 'webhook.recovery_started',
      target: { type: 'webhook', id: made.id }
    })
    await records(await user('DELETE', path), { action: 'webhook.deleted', target })
  })

  await t.test('keys and sessions', async (t) => {
    const { id } = await records(await user('POST', '/api/keys', { name: 'Site', scopes: ['blogs:read'] }), {
      ...byUser,
      action: 'key.created',
      target: { type: 'key', label: 'Site' },
      changes: [{ field: 'name' }, { field: 'scopes' }]
    })
    const target = { type: 'key', id, label: 'Site' }
    await records(await user('PATCH', `/api/keys/${id}`, { disabled: true }), {
      action: 'key.updated',
      target,
      changes: [{ field: 'disabled', to: true }]
    })
    await records(await user('POST', `/api/keys/${id}/rotate`), { action: 'key.rotated', target, changes: [] })
    await records(await user('DELETE', `/api/keys/${id}`), { action: 'key.deleted', target })
    const link = await signLinkToken(SESSION_SECRET, 'acme')
    await records(await signIn(app, link), {
      actor: { type: 'session', id: 'acme' },
      action: 'session.created',
      target: { type: 'session', id: null, label: null },
      changes: []
    })
    const again = await signIn(app, link)
    t.equal(again.statusCode, 401)
    const [rejected] = await entriesOf(user)
    t.match(rejected, { action: 'session.rejected', actor: { id: null }, changes: [{ field: 'reason', to: 'used' }] })
    seen.add(rejected!.action)
    t.equal((await signIn(app, 'not a token')).statusCode, 401)
    t.equal((await entriesOf(user))[0]!.id, rejected!.id, 'nobody can be accused by an invalid link')
  })

  await t.test('the service', async () => {
    await records(
      await admin('POST', '/api/admin/secrets/rotate-key'),
      { action: 'secrets.reencrypted', actor: { id: 'operator' }, target: { type: 'service', id: null } },
      admin
    )
    await addDyingJob(app)
    const path = '/api/admin/queues/publish-blog'
    await eventually(async () => (await admin('GET', `${path}/dead`)).json().jobs.length === 1, 'the job is dead')
    await records(
      await admin('POST', `${path}/retry`, {}),
      { action: 'queue.jobs_retried', target: { type: 'queue', id: 'publish-blog' } },
      admin
    )
  })

  t.strictSame(
    AUDIT_ACTIONS.filter((action) => !seen.has(action)),
    [],
    'every action was seen'
  )
})

t.test('a change has its entry, however the clock goes', async (t) => {
  const { now } = Date
  t.teardown(() => {
    Date.now = now
  })
  const app = await startApp(t)
  const ask = await client(app, 'acme', { scopes: [...ALL_SCOPES] })
  const user = await person(app, 'acme')
  const isOf = (file: string) => new Error('where').stack!.includes(file)
  const clocks: [string, () => number][] = [
    ['as usual', now],
    ['set forward before the response', () => now() + (isOf('/audit.ts') && isOf('toEvent') ? 5000 : 0)],
    ['set back before the change', () => now() + (isOf('/audit.ts') && !isOf('toEvent') ? 5000 : 0)]
  ]
  for (const [name, clock] of clocks) {
    Date.now = clock
    const created = await ask('POST', PRODUCTS, { projectId: 'shop', externalId: name, title: 'Cup' })
    Date.now = now
    t.equal(created.statusCode, 201)
    t.match((await entriesOf(user))[0], { target: { id: created.json().id } }, name)
  }
})

t.test('entries are read page by page, and filtered', async (t) => {
  const app = await startApp(t)
  const user = await person(app, 'acme')
  const writer = await client(app, 'acme', { name: 'Writer' })
  const ids: string[] = []
  for (let n = 0; n < 5; n++) {
    const { id } = (await writer('POST', BLOGS, { projectId: 'site', title: `Tea ${n}`, markdown: 'Text' })).json()
    ids.push(id as string)
  }
  await user('DELETE', `${BLOGS}/${ids[0]!}`)
  const all = await entriesOf(user)
  t.equal(all.length, 6)
  t.strictSame(
    all.slice(1).map(({ target }) => target.id),
    ids.toReversed(),
    'newest first'
  )

  const read: AuditEntry[] = []
  for (let url = '/api/audit?pageSize=2'; ; ) {
    const response = await user('GET', url)
    t.equal(response.headers['cache-control'], 'no-store')
    const { entries, nextCursor } = response.json()
    read.push(...entries)
    const link = /<([^>]+)>; rel="next"/.exec(String(response.headers.link))?.[1]
    t.equal(link === undefined, nextCursor === null)
    if (link === undefined) break
    url = link
  }
  t.strictSame(read, all)

  const found = async (query: string) =>
    (await entriesOf(user, `&${query}`)).map(({ id }) => all.findIndex((e) => e.id === id))
  t.strictSame(await found(`actor=${writer.keyId}`), [1, 2, 3, 4, 5])
  t.strictSame(await found('action=blog.deleted'), [0])
  t.strictSame(await found(`target=${ids[0]!}`), [0, 5])
  t.strictSame(await found(`target=${ids[0]!}&actor=${writer.keyId}`), [5])
  t.strictSame(await found('actor=nobody'), [])
  t.strictSame(await found(`since=${all[0]!.createdAt}&until=2999-01-01T00:00:00Z`).then((at) => at[0]), 0)
  t.strictSame(await found(`until=${all[5]!.createdAt}`), [])

  for (const [query, pointer] of [
    ['since=2026-02-01T00:00:00Z&until=2026-02-01T00:00:00Z', 'until'],
    ['cursor=1', 'cursor'],
    ['action=blog.exploded', 'action'],
    ['pageSize=101', 'pageSize'],
    ['since=yesterday', 'since'],
    ['unknown=1', 'unknown']
  ]) {
    t.match((await user('GET', `/api/audit?${query!}`)).json(), { status: 400, errors: [{ pointer }] }, query!)
  }
})

t.test('the log is read by users of the account, and by keys of the whole account with the scope', async (t) => {
  const app = await startApp(t)
  const acme = await person(app, 'acme')
  const other = await person(app, 'other')
  await acme('POST', '/api/keys', { name: 'Ours' })
  await other('POST', '/api/keys', { name: 'Theirs' })
  t.strictSame(
    (await entriesOf(acme)).map(({ target }) => target.label),
    ['Ours']
  )
  t.strictSame(
    (await entriesOf(other)).map(({ target }) => target.label),
    ['Theirs']
  )
  const [theirs] = await entriesOf(other)
  t.strictSame(await entriesOf(acme, `&target=${theirs!.target.id!}`), [])
  t.strictSame(await entriesOf(acme, `&cursor=${theirs!.id}`).then((list) => list.length), 1, 'a position in time')

  const reader = await client(app, 'acme', { scopes: ['audit:read'] })
  t.strictSame(
    (await entriesOf(reader)).map(({ target }) => target.label),
    ['Ours']
  )
  const without = await client(app)
  t.match((await without('GET', '/api/audit')).json(), { status: 403, code: 'scope_missing', scope: 'audit:read' })
  const limited = await client(app, 'acme', { scopes: ['audit:read'], projectIds: ['site'] })
  t.match((await limited('GET', '/api/audit')).json(), { status: 403, code: 'project_not_allowed' })
  t.equal((await app.inject({ url: '/api/audit' })).statusCode, 401)
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'] as const) {
    t.equal((await acme(method, '/api/audit')).statusCode, 405, `${method} does not exist`)
  }
})

t.test('addresses are those of the clients, and administrators show theirs to administrators only', async (t) => {
  const app = await startApp(t, { TRUST_PROXY: '127.0.0.1' })
  const acme = await person(app, 'acme')
  const operator = await person(app, 'acme', { role: 'admin', sub: 'operator' })
  const create = async (ask: typeof acme, address: string) =>
    await ask('POST', '/api/keys', { name: 'Key' }, { 'x-forwarded-for': address })
  await create(acme, '::ffff:192.0.2.7')
  await create(acme, 'no address')
  await create(operator, '192.0.2.8')
  const addresses = async (ask: typeof acme) =>
    (await entriesOf(ask)).map(({ actor, ipAddress }) => [actor.type, ipAddress])
  t.strictSame(await addresses(acme), [
    ['admin', null],
    ['session', null],
    ['session', '192.0.2.7']
  ])
  t.strictSame((await addresses(operator))[0], ['admin', '192.0.2.8'])
})

t.test('a repeated request with an Idempotency-Key has one entry', async (t) => {
  const app = await startApp(t)
  const user = await person(app, 'acme')
  const create = async () =>
    await user('POST', '/api/keys', { name: 'Once' }, { 'idempotency-key': 'once-and-only-once' })
  t.equal((await create()).statusCode, 201)
  t.equal((await create()).headers['idempotent-replayed'], 'true')
  t.equal((await entriesOf(user)).length, 1)
})

t.test('the entry is stored before the response is stored for a retry', async (t) => {
  const app = await startApp(t)
  const user = await person(app, 'acme')
  const { complete } = app.store.idempotency
  let entries = -1
  app.store.idempotency.complete = async (...args) => {
    entries = (await app.store.audit.list('acme', {}, { beforeId: null, limit: 10 })).length
    await complete(...args)
  }
  await user('POST', '/api/keys', { name: 'Once' }, { 'idempotency-key': 'once-and-only-once' })
  t.equal(entries, 1, 'after a crash in between, the retry makes one; after it, none is needed')
})

t.test('an expired sign-in link is recorded, and one that the service has not made is not', async (t) => {
  const app = await startApp(t)
  const user = await person(app, 'acme')
  const linkOf = async (secret: string) =>
    await new SignJWT({ account: 'acme' })
      .setProtectedHeader({ alg: 'HS256' })
      .setJti('link')
      .setExpirationTime('-1 minute')
      .sign(createHmac('sha256', secret).update('console sign-in link').digest())
  t.equal((await signIn(app, await linkOf('another secret that is long enough'))).statusCode, 401)
  t.strictSame(await entriesOf(user), [])
  t.equal((await signIn(app, await linkOf(SESSION_SECRET))).statusCode, 401)
  t.match(await entriesOf(user), [{ action: 'session.rejected', changes: [{ field: 'reason', to: 'expired' }] }])
})

t.test('no secret is in the log', async (t) => {
  const dataDir = temporaryFolder(t)
  const app = await startApp(t, { DATA_DIR: dataDir, OUTBOUND_ALLOW: '127.0.0.1' })
  const user = await person(app, 'acme')
  const { key, id } = (await user('POST', '/api/keys', { name: 'Secret' })).json()
  const rotated = (await user('POST', `/api/keys/${id}/rotate`)).json().key
  await app.inject({
    method: 'POST',
    url: BLOGS,
    headers: { 'x-api-key': rotated },
    payload: { projectId: 'a', title: 'T', markdown: 'T' }
  })
  const token = 'in-the-path-of-the-url'
  const webhook = (await user('POST', HOOKS, { url: `http://127.0.0.1:1/${token}?x=${token}` })).json()
  const { secret } = (await user('POST', `${HOOKS}/${webhook.id}/rotate-secret`)).json()
  const linkToken = await signLinkToken(SESSION_SECRET, 'acme')
  const session = (await signIn(app, linkToken)).json().token
  await signIn(app, linkToken)
  const secrets = { key, rotated, first: webhook.secret, secret, linkToken, session }
  const entries = await entriesOf(user)
  t.equal(entries.length, 7)
  for (const [name, value] of Object.entries({ ...secrets, token })) {
    const text = String(value)
    t.ok(text.length >= 12)
    for (const part of [text, text.slice(-12)]) t.notMatch(JSON.stringify(entries), part, name)
  }
  await app.close()
  for (const [place, bytes] of await storedBytes(dataDir)) {
    for (const [name, value] of Object.entries(secrets)) t.notOk(bytes.includes(String(value)), `${name} in ${place}`)
  }
})

t.test('what the service does by itself has an entry', async (t) => {
  const app = await startApp(t, { OUTBOUND_ALLOW: '127.0.0.1' })
  const key = await client(app)
  const user = await person(app, 'acme')
  const system = { actor: { type: 'system', id: null }, requestId: null, ipAddress: null }
  const { id } = (await key('POST', BLOGS, { projectId: 'site', title: 'Later', markdown: 'Text' })).json()
  const publishAt = new Date(Date.now() + 300).toISOString()
  t.equal((await key('POST', `${BLOGS}/${id}/publish`, { publishAt })).statusCode, 200)
  const ofSystem = async () => (await entriesOf(user)).filter(({ actor }) => actor.type === 'system')
  await eventually(async () => (await ofSystem()).length > 0, 'the blog is published')
  await app.services.sweeper.sweep(new AbortController().signal)
  const published = await ofSystem()
  t.equal(published.length, 1, 'once')
  t.match(published, [{ ...system, action: 'blog.published', target: { id, label: 'Later' }, projectId: 'site' }])

  const receiver = await openReceiver(t, () => 410)
  const webhook = (await user('POST', HOOKS, { url: receiver.url })).json()
  receiver.knows(webhook.secret)
  await key('POST', `${BLOGS}/${id}/unpublish`)
  await eventually(async () => (await ofSystem()).length > 1, 'the webhook is disabled')
  t.match((await ofSystem())[0], {
    ...system,
    action: 'webhook.disabled',
    target: { id: webhook.id, label: new URL(receiver.url).host },
    changes: [{ field: 'disabledBy', to: 'gone' }]
  })
})

t.test('expired entries are swept', async (t) => {
  const app = await startApp(t, { AUDIT_RETENTION_DAYS: '2' })
  const user = await person(app, 'acme')
  await user('POST', '/api/keys', { name: 'New' })
  const [entry] = await app.store.audit.list('acme', {}, { beforeId: null, limit: 1 })
  const daysAgo = (days: number, n: number) => {
    const hex = (Date.now() - days * 86_400_000).toString(16).padStart(12, '0')
    return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-${n.toString(16).padStart(12, '0')}`
  }
  await app.store.audit.add(
    Array.from({ length: 1500 }, (_, n) => ({
      ...entry!,
      id: daysAgo(2.01, n),
      accountId: n % 2 === 0 ? 'acme' : 'other'
    }))
  )
  await app.store.audit.add([{ ...entry!, id: daysAgo(1.99, 0) }])
  await app.services.sweeper.sweep(new AbortController().signal)
  // The sweep of the start may delete some of them at the same time.
  await app.queue.idle()
  t.equal((await app.store.audit.list('acme', {}, { beforeId: null, limit: 2000 })).length, 2)
  t.equal((await app.store.audit.list('other', {}, { beforeId: null, limit: 2000 })).length, 0)
})

t.test('a route that changes something and does not say how it is recorded prevents the start', async (t) => {
  const { default: Fastify } = await import('fastify')
  const { default: fp } = await import('fastify-plugin')
  const { default: audit } = await import('../../../plugins/audit.ts')
  const app = await startApp(t)
  const start = async (url: string, method: string, config: object) => {
    const server = Fastify()
    t.teardown(() => server.close())
    // The rule is checked when the route is added; the other plugins serve requests.
    for (const name of ['services', 'auth', 'request-context']) await server.register(fp(async () => {}, { name }))
    server.decorate('services', app.services)
    await server.register(audit)
    server.route({ url, method, config, handler: async () => null })
    await server.ready()
  }
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
    await t.rejects(start('/api/things', method, {}), { message: /has no rule for the audit log/ }, method)
  }
  await start('/api/things', 'GET', {})
  await start('/api/things', 'POST', { audit: { exempt: 'Nothing is saved' } })
  await start('/health/things', 'POST', {})
})
