import { AsyncLocalStorage } from 'node:async_hooks'
import t from 'tap'
import { newEvent } from '../../services/events/envelope.ts'
import { newProduct } from '../../services/products/new-product.ts'
import { buildBlog } from '../contracts/store/fixtures/content.ts'
import { client, person, startApp } from '../helper.ts'
import { eventually, openReceiver } from '../fixtures/webhooks/receiver.ts'

const PLACE = { accountId: 'acme', projectId: 'shop' }
const sweep = { signal: new AbortController().signal }

t.test('products left unoptimized by a crash are optimized and published', async (t) => {
  const app = await startApp(t, { OUTBOUND_ALLOW: '127.0.0.1' })
  const receiver = await openReceiver(t)
  const call = await client(app)
  const owner = await person(app, 'acme')
  receiver.knows((await owner('POST', '/api/webhooks', { url: receiver.url })).json().secret)
  const project = await app.services.projects.resolveForWrite('acme', 'shop')
  const now = new Date().toISOString()
  // Saved like by the importer, but the process ends before any job is queued.
  const product = {
    ...newProduct(project, 'left', now),
    title: 'Left behind',
    version: 1,
    optimizePendingSince: now,
    imageUrl: `${receiver.url}/picture.jpg`,
    imageCheckPendingSince: now
  }
  t.same(await app.store.products.saveMany([{ product, ifVersion: null }]), ['saved'])
  await app.services.sweeper.sweep(sweep.signal)
  await app.queue.idle()
  t.match((await call('GET', `/api/v1/products/${product.id}`)).json(), {
    status: 'optimized',
    seo: { pageTitle: { value: 'Left behind' } },
    warnings: [{ code: 'picture_missing' }]
  })
  await eventually(() => receiver.received.length === 1, 'the event')
  t.match(receiver.received, [
    { envelope: { type: 'products.optimized', data: { products: [{ external_id: 'left' }] } } }
  ])
})

t.test('publications of all accounts are queued before they are due, however many one account has', async (t) => {
  const app = await startApp(t)
  await app.queue.idle()
  const publishAt = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString()
  const scheduled = (accountId: string, seconds: number) => ({
    blog: buildBlog({ accountId, status: 'scheduled', publishedAt: null, publishAt: publishAt(seconds) }),
    events: []
  })
  const additions = [...Array.from({ length: 1_100 }, () => scheduled('acme', 200)), scheduled('zeta', 300)]
  t.ok((await app.store.blogs.addMany(additions)).every((outcome) => outcome === null))
  await app.services.sweeper.sweep(sweep.signal)
  t.equal((await app.queue.depth('publish-blog')).waiting, 1_101)
})

t.test('products with pending events are published', async (t) => {
  const app = await startApp(t)
  const project = await app.services.projects.resolveForWrite('acme', 'shop')
  const before = new Date(Date.now() - 3_600_000).toISOString()
  const products = Array.from({ length: 3 }, (_, i) => ({
    ...newProduct(project, `p${i}`, before),
    title: `P ${i}`,
    version: 1,
    status: 'optimized' as const,
    eventPendingSince: before
  }))
  await app.store.products.saveMany(products.map((product) => ({ product, ifVersion: null })))
  await app.services.sweeper.sweep(sweep.signal)
  await app.queue.idle()
  t.match(await app.store.events.list('acme', { after: 0, limit: 10 }), [{ type: 'products.optimized', sequence: 1 }])
  t.equal(await app.store.products.hasPending(PLACE, 'publish'), false)
})

t.test('one sweep finds all pending work, however many projects and accounts have some', async (t) => {
  const app = await startApp(t)
  await app.queue.idle()
  const project = await app.services.projects.resolveForWrite('acme', 'shop')
  const now = new Date().toISOString()
  // More than two pages, of ten entries each. As after the loss of Redis, none has a job.
  const { products: productStore, events } = app.store
  const { pendingProjects } = productStore
  const { pendingFanOutAccounts } = events
  productStore.pendingProjects = async (work, { after }) => await pendingProjects(work, { after, limit: 10 })
  events.pendingFanOutAccounts = async ({ after }) => await pendingFanOutAccounts({ after, limit: 10 })
  const accounts = Array.from({ length: 25 }, (_, at) => `account-${String(at).padStart(4, '0')}`)
  const products = accounts.map((accountId) => ({
    ...newProduct({ ...project, accountId }, 'left', now),
    title: 'Left behind',
    version: 1,
    optimizePendingSince: now
  }))
  await app.store.products.saveMany(products.map((product) => ({ product, ifVersion: null })))
  await app.store.events.add(
    accounts.map((accountId) =>
      newEvent({ ...PLACE, accountId, type: 'blog.published', key: 'a', timestamp: now, data: {} })
    )
  )
  const first = { after: null, limit: 10 }
  t.equal((await app.store.products.pendingProjects('optimize', first)).items.length, 10)
  t.equal((await app.store.events.pendingFanOutAccounts(first)).items.length, 10)
  await app.services.sweeper.sweep(sweep.signal)
  await app.queue.idle()
  t.same((await app.store.products.pendingProjects('optimize', first)).items, [])
  t.same((await app.store.events.pendingFanOutAccounts(first)).items, [])
})

t.test('events without deliveries are delivered', async (t) => {
  const app = await startApp(t, { OUTBOUND_ALLOW: '127.0.0.1' })
  const receiver = await openReceiver(t)
  const owner = await person(app, 'acme')
  receiver.knows((await owner('POST', '/api/webhooks', { url: receiver.url })).json().secret)
  await app.store.events.add([
    newEvent({ ...PLACE, type: 'blog.published', key: 'a', timestamp: new Date().toISOString(), data: {} })
  ])
  await app.services.sweeper.sweep(sweep.signal)
  await eventually(() => receiver.received.length === 1, 'the delivery')
  await app.queue.idle()
})

t.test('an abandoned import continues; without its file it fails with a reason', async (t) => {
  const app = await startApp(t)
  const call = await client(app)
  const row = '{"externalId":"a","title":"A"}\n'
  const upload = async () =>
    (
      await app.inject({
        method: 'POST',
        url: '/api/v1/products/imports?projectId=shop',
        headers: { 'x-api-key': call.key, 'content-type': 'application/x-ndjson' },
        payload: row
      })
    ).json()
  const first = await upload()
  await app.queue.idle()
  const record = (await app.store.imports.find('acme', first.id))!
  const again = {
    ...record,
    status: 'queued' as const,
    processed: 0,
    created: 0,
    nextByte: 0,
    nextLine: 1,
    finishedAt: null,
    startedAt: null
  }
  const [complete, lost, read] = [
    '01990000-0000-7000-8000-000000000001',
    '01990000-0000-7000-8000-000000000002',
    '01990000-0000-7000-8000-000000000003'
  ]
  for (const id of [complete, lost, read]) {
    // The last import was interrupted between its last row and its end.
    await app.store.imports.add({
      ...again,
      id,
      ...(id === read ? { processed: 1, created: 1, nextByte: row.length, nextLine: 2, status: 'running' } : {})
    })
    await app.files.put(`imports/${id}/layout.json`, (await app.files.read(`imports/${first.id}/layout.json`))!)
  }
  for (const id of [complete, read]) await app.files.put(`imports/${id}/upload`, Buffer.from(row))
  await app.services.sweeper.sweep(sweep.signal)
  await app.queue.idle()
  t.match((await call('GET', `/api/v1/products/imports/${complete}`)).json(), {
    status: 'done',
    processed: 1,
    unchanged: 1
  })
  t.match((await call('GET', `/api/v1/products/imports/${read}`)).json(), {
    status: 'done',
    processed: 1,
    created: 1,
    unchanged: 0
  })
  t.match((await call('GET', `/api/v1/products/imports/${lost}`)).json(), {
    status: 'failed',
    reason: 'The uploaded file no longer exists. Upload the file again.'
  })
})

t.test('a failed step of the sweep is reported and does not stop the others', async (t) => {
  const app = await startApp(t)
  await app.queue.idle()
  const project = await app.services.projects.resolveForWrite('acme', 'shop')
  const now = new Date().toISOString()
  const product = { ...newProduct(project, 'left', now), title: 'Left behind', version: 1, optimizePendingSince: now }
  t.same(await app.store.products.saveMany([{ product, ifVersion: null }]), ['saved'])
  // Simulates a due blog whose data cannot be read.
  app.store.blogs.dueToPublish = async () => {
    throw new Error('no such block')
  }
  await t.rejects(app.services.sweeper.sweep(sweep.signal), {
    message: '1 of 11 steps of the sweep failed: no such block',
    errors: [{ message: 'no such block' }]
  })
  await app.queue.idle()
  t.match((await app.store.products.findByExternalIds(PLACE, ['left']))[0], { status: 'optimized' })
})

t.test('blogs of older rules are rendered last, because a sweep may end before all are', async (t) => {
  const app = await startApp(t)
  await app.queue.idle()
  const { blogs, idempotency } = app.store
  const steps: string[] = []
  // The service sweeps at its start, too.
  const own = new AsyncLocalStorage<boolean>()
  const [readStale, deleteExpired] = [blogs.renderedByOtherRules, idempotency.deleteExpired]
  blogs.renderedByOtherRules = async (...of) => {
    if (own.getStore() === true) steps.push('render')
    return await readStale(...of)
  }
  idempotency.deleteExpired = async (...of) => {
    if (own.getStore() === true) steps.push('delete expired')
    return await deleteExpired(...of)
  }
  await own.run(true, () => app.services.sweeper.sweep(sweep.signal))
  t.same(steps, ['delete expired', 'render'])
})
