import sharp from 'sharp'
import t, { type Test } from 'tap'
import type { StorageUsage } from '../../ports/store/port.ts'
import { createStorageQuota } from '../../services/storage.ts'
import { client, openTestStore, person, publish, startApp, temporaryFolder } from '../helper.ts'

const blog = (title: string) => ({ projectId: 'site', title, markdown: 'x' })
const GIB = 2 ** 30
const NDJSON = { 'content-type': 'application/x-ndjson' }

t.test('writes above a storage limit are rejected with the resource, the usage and the limit', async (t) => {
  const app = await startApp(t)
  const call = await client(app)
  const { id } = await publish(call, { title: 'First' })
  await app.services.accounts.update('acme', { storage: { blogs: 2, products: 2, images: 1 } })
  t.equal((await call('POST', '/api/v1/blogs', blog('Second'))).statusCode, 201)
  const refused = await call('POST', '/api/v1/blogs', blog('Third'))
  t.match(refused.json(), { status: 403, code: 'storage_quota_exceeded', resource: 'blogs', used: 2, limit: 2 })
  t.equal((await call('PATCH', `/api/v1/blogs/${id}`, { title: 'Changed' })).statusCode, 200, 'changes are possible')

  const product = async (externalId: string) =>
    await call('POST', '/api/v1/products', { projectId: 'shop', externalId, title: externalId })
  for (const externalId of ['a', 'b']) t.equal((await product(externalId)).statusCode, 201)
  t.match((await product('c')).json(), { status: 403, resource: 'products', used: 2, limit: 2 })
  t.equal((await product('a')).statusCode, 200, 'an existing product can be updated')
  const batch = { projectId: 'shop', products: [{ externalId: 'd', title: 'D' }] }
  t.match((await call('POST', '/api/v1/products/batch', batch)).json(), { status: 403, resource: 'products' })

  const picture = async (background: string) =>
    await sharp({ create: { width: 9, height: 9, channels: 3, background } })
      .png()
      .toBuffer()
  const upload = async (background: string) =>
    await call('POST', `/api/v1/blogs/${id}/images?filename=${background}.png&alt=A`, await picture(background), {
      'content-type': 'image/png'
    })
  t.equal((await upload('red')).statusCode, 201)
  t.match((await upload('blue')).json(), { status: 403, resource: 'images', used: 1, limit: 1 })

  const usage = (await (await person(app, 'acme'))('GET', '/api/account/usage')).json()
  t.match(usage.storage, {
    blogs: { used: 2, limit: 2 },
    products: { used: 2, limit: 2 },
    images: { used: 1, limit: 1 },
    apiKeys: { used: 1, limit: 25 },
    webhooks: { used: 0, limit: 50 }
  })
  t.ok(usage.storage.bytes.used > 0 && usage.storage.bytes.limit > usage.storage.bytes.used)
})

t.test('an import that reaches a limit fails with the reason, and an upload above it is rejected', async (t) => {
  const app = await startApp(t)
  const call = await client(app)
  await app.services.accounts.update('acme', { storage: { products: 250 } })
  const rows = Array.from({ length: 500 }, (_, n) => `{"externalId":"${n}","title":"T ${n}"}\n`).join('')
  const imported = await call('POST', '/api/v1/products/imports?projectId=shop', rows, NDJSON)
  t.equal(imported.statusCode, 202)
  await app.queue.idle()
  const record = (await call('GET', String(imported.headers.location))).json()
  t.match(record, {
    status: 'failed',
    reason: `The account may store 250 products and already stores ${record.created}.`
  })
  t.ok(record.created >= 100 && record.created <= 250, `${record.created} products were created`)
  const { bytes } = await app.store.storage.measure('acme')
  await app.services.accounts.update('acme', { storage: { bytes: bytes + 1_000 } })
  const refused = await call('POST', '/api/v1/products/imports?projectId=shop', rows, NDJSON)
  t.match(refused.json(), { status: 403, code: 'storage_quota_exceeded', resource: 'bytes' })
  t.equal((await call('GET', '/api/v1/products/imports')).json().totalCount, 1, 'nothing is stored')
})

t.test('a limit can be set and restored; deleting frees space at once', async (t) => {
  const app = await startApp(t)
  const call = await client(app)
  const admin = await person(app, 'acme', { role: 'admin' })
  const patch = async (storage: object) => (await admin('PATCH', '/api/admin/accounts/acme', { storage })).json()
  t.match((await patch({ blogs: 1 })).storage, { blogs: 1, products: 2_000_000 })
  t.match((await patch({ products: 5 })).storage, { blogs: 1, products: 5 })
  const { id } = await publish(call, { title: 'First' })
  t.equal((await call('POST', '/api/v1/blogs', blog('Second'))).statusCode, 403)
  t.equal((await call('DELETE', `/api/v1/blogs/${id}`)).statusCode, 204)
  let created = await call('POST', '/api/v1/blogs', blog('Second'))
  for (let n = 0; created.statusCode === 403 && n < 100; n++) {
    await new Promise((resolve) => {
      setTimeout(resolve, 50)
    })
    created = await call('POST', '/api/v1/blogs', blog('Second'))
  }
  t.equal(created.statusCode, 201, 'at the latest a second after the last measurement')
  t.match((await patch({ blogs: null, products: null })).storage, { blogs: 50_000, products: 2_000_000 })
  t.equal((await admin('PATCH', '/api/admin/accounts/acme', { storage: { blogs: -1 } })).statusCode, 400)
})

t.test('concurrent requests of a process never exceed a limit', async (t) => {
  const app = await startApp(t)
  const call = await client(app)
  await app.services.accounts.update('acme', { storage: { blogs: 5 } })
  const responses = await Promise.all(
    Array.from({ length: 20 }, async (_, n) => await call('POST', '/api/v1/blogs', blog(`Post ${n}`)))
  )
  t.equal(responses.filter(({ statusCode }) => statusCode === 201).length, 5)
  t.equal((await app.store.storage.measure('acme')).blogs, 5)
})

t.test('an account is measured once while it has room', async (t) => {
  const store = await openTestStore(temporaryFolder(t))
  t.teardown(() => store.close())
  let measured = 0
  const { measure } = store.storage
  store.storage.measure = async (accountId) => {
    measured += 1
    return await measure(accountId)
  }
  const quota = createStorageQuota({ store, defaultPlan: 'starter' })
  await Promise.all(Array.from({ length: 10 }, () => quota.reserve('acme', { blogs: 1 })))
  t.equal(measured, 1)
  t.equal((await quota.usage('acme')).used.blogs, 10, 'what was admitted counts')
  await t.rejects(quota.reserve('acme', { blogs: 2_000 }), { code: 'storage_quota_exceeded' })
})

/**
 * A quota with a clock. Measurements are counted. They take a second by the clock, and do not end while they are held.
 */
async function measuredQuota(t: Test, found: Partial<StorageUsage> = {}) {
  const store = await openTestStore(temporaryFolder(t))
  t.teardown(() => store.close())
  const { measure } = store.storage
  const state = { started: 0, nowMs: 0, held: null as PromiseWithResolvers<void> | null }
  store.storage.measure = async (accountId) => {
    state.started += 1
    state.nowMs += 1_000
    await state.held?.promise
    return { ...(await measure(accountId)), ...found }
  }
  return { quota: createStorageQuota({ store, defaultPlan: 'starter' }, { nowMs: () => state.nowMs }), state }
}

t.test('a request of an account with room does not wait for a new measurement', async (t) => {
  const { quota, state } = await measuredQuota(t)
  await quota.reserve('acme', { blogs: 1 })
  t.equal(state.started, 1)
  state.nowMs += 3_600_000
  state.held = Promise.withResolvers<void>()
  await quota.reserve('acme', { blogs: 1 })
  const check = await quota.uploadLimit('acme')
  t.equal(check(1_000), null)
  state.held.resolve()
  await t.rejects(quota.reserve('acme', { blogs: 2_001 }), { code: 'storage_quota_exceeded' })
  t.equal(state.started, 2, 'one measurement was in progress meanwhile')
})

t.test('a request of an account with little room waits for a new measurement', async (t) => {
  const { quota, state } = await measuredQuota(t)
  await quota.reserve('acme', { blogs: 1 })
  state.nowMs += 3_600_000
  state.held = Promise.withResolvers<void>()
  let isAdmitted = false
  const reserving = quota.reserve('acme', { blogs: 1_500 }).then(() => {
    isAdmitted = true
  })
  await new Promise(setImmediate)
  t.equal(isAdmitted, false)
  state.held.resolve()
  await reserving
  t.equal(state.started, 2)
})

t.test('measurements before uploads and rejections take a limited share of the time', async (t) => {
  const { quota, state } = await measuredQuota(t, { bytes: 4 * GIB })
  const measuredAfter = async (ms: number): Promise<number> => {
    state.nowMs += ms
    await quota.uploadLimit('acme')
    await t.rejects(quota.reserve('acme', { bytes: 2 * GIB }), { code: 'storage_quota_exceeded' })
    return state.started
  }
  t.equal(await measuredAfter(0), 1)
  t.equal(await measuredAfter(4_000), 1, 'a fifth, because each takes a second')
  t.equal(await measuredAfter(2_000), 2)
})
