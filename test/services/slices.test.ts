import { Readable } from 'node:stream'
import t from 'tap'
import { client, publish, startApp } from '../helper.ts'
import { scaled } from '../profile.ts'
import { ACCOUNT, anEvent, startRig } from './webhooks/rig.ts'

const READER = { accountId: 'acme', projectIds: null }
/** Rows of the import. Enough for several slices of 0.1 s; MongoDB needs longer for a row. */
const ROWS = scaled ? 600 : 2500
/** A slice that is over after the first step. */
const isSliceOver = () => true

const products = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ externalId: `sku-${i}`, title: `Enamel mug number ${i}` }))

/** Runs slices until the work is done. Returns their number; fails if there is no end. */
async function countSlices(run: () => Promise<'continue' | void>): Promise<number> {
  for (let slices = 1; slices <= 200; slices++) if ((await run()) !== 'continue') return slices
  throw new Error('The work does not end')
}

t.test('an import in slices imports every row once', async (t) => {
  const app = await startApp(t, { WORKER_SLICE_SECONDS: '0.1' })
  await app.services.accounts.ensure('acme')
  await app.services.projects.create('acme', { id: 'shop', optimize: 'manual' })
  const body = products(ROWS)
    .map((row) => `${JSON.stringify(row)}\n`)
    .join('')
  const { id } = await app.services.imports.receive(READER, {
    projectId: 'shop',
    format: 'ndjson',
    mapping: null,
    body: Readable.from([Buffer.from(body)])
  })
  await app.queue.idle()
  t.match(await app.services.imports.read(READER, id), { status: 'done', created: ROWS, failed: 0, repeated: 0 })
  const metrics = (await app.inject('/metrics')).body
  t.match(metrics, /svc_jobs_total\{job="import-products",result="continued"\} [1-9]/)
  t.match(metrics, /svc_job_wait_seconds_count\{job="import-products"\} [1-9]/)
})

t.test('optimization in slices completes every product', async (t) => {
  const app = await startApp(t)
  await app.services.accounts.ensure('acme')
  await app.services.projects.create('acme', { id: 'shop', optimize: 'manual' })
  await app.services.products.batch(READER, { projectId: 'shop', products: products(300) }, {})
  await app.queue.close() // So that no worker is faster.
  await app.services.products.optimize(READER, { projectId: 'shop' })
  const place = { accountId: 'acme', projectId: 'shop' }
  const { signal } = new AbortController()
  const slices = await countSlices(() => app.services.optimizer.optimizeSlice(place, signal, isSliceOver))
  t.ok(slices > 2, `${slices} slices`)
  t.same(await app.store.products.pending(place, 'optimize', 1), [])
})

t.test('fan-out in slices creates every delivery once', async (t) => {
  const rig = await startRig(t, { idle: true })
  const { id } = await rig.webhooks.create(ACCOUNT, { url: 'http://127.0.0.1:9/' })
  await rig.store.events.add(Array.from({ length: 600 }, () => anEvent()))
  const slices = await countSlices(() => rig.webhooks.fanOut(ACCOUNT, rig.signal, isSliceOver))
  t.ok(slices > 1, `${slices} slices`)
  t.equal((await rig.deliveries(id)).length, 600)
})

t.test('a recovery in slices requeues every delivery once', async (t) => {
  const rig = await startRig(t, { idle: true })
  const { id } = await rig.webhooks.create(ACCOUNT, { url: 'http://127.0.0.1:9/' })
  await rig.webhooks.patch(ACCOUNT, id, { enabled: false })
  await rig.happen(...Array.from({ length: 150 }, () => anEvent()))
  await rig.webhooks.enable(ACCOUNT, id)
  const recovery = await rig.webhooks.startRecovery(ACCOUNT, id, { since: '2020-01-01T00:00:00Z' })
  const run = () => rig.webhooks.runRecovery(ACCOUNT, recovery.id, { signal: rig.signal, isSliceOver })
  const slices = await countSlices(run)
  t.ok(slices > 2, `${slices} slices`)
  t.match(await rig.webhooks.readRecovery(ACCOUNT, recovery.id), { status: 'done', examined: 150, requeued: 150 })
})

t.test('blogs that are published between the slices of related blogs are not missed', async (t) => {
  const app = await startApp(t)
  const call = await client(app)
  for (let i = 0; i < 25; i++) await publish(call, { title: `Roasting coffee in batch ${i}` })
  await app.queue.idle()
  await app.queue.close()
  await publish(call, { title: 'Roasting coffee in an oven' })
  t.equal(await app.services.relatedBlogs.refresh('acme', isSliceOver), 'continue')
  const { slug } = await publish(call, { title: 'Roasting coffee at home' })
  t.ok((await countSlices(() => app.services.relatedBlogs.refresh('acme', isSliceOver))) > 2)
  t.same(await app.store.blogs.pendingRelated('acme', 10), [])
  const related = await call('GET', `/api/v1/blogs/${slug}/related`)
  t.equal(related.json().length > 0, true, 'it has related blogs')
})
