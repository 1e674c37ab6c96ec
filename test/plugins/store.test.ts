import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { DISK } from '../../ports/store/sqlite/log-flushes.ts'
import { buildApp } from '../../app.ts'
import { eventually, openReceiver } from '../fixtures/webhooks/receiver.ts'
import { appSettings, client, person, publish, startApp, temporaryFolder } from '../helper.ts'
import { halves } from '../services/images/sample-images.ts'

const { sync } = DISK
const product = (title: string) => ({ projectId: 'shop', externalId: 'cup', title })

/** Replaces the flushes of the disk until the test ends. */
function replaceSync(t: Test, replacement: typeof sync): void {
  DISK.sync = replacement
  t.teardown(() => {
    DISK.sync = sync
  })
}

/** Flushes end when the test releases them. `begun`: how many have begun. */
function holdFlushes(t: Test): { release: () => void; begun: () => number } {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  let count = 0
  replaceSync(t, async (descriptor) => {
    count += 1
    await released
    await sync(descriptor)
  })
  return { release, begun: () => count }
}

t.test('a response does not confirm the change of another request before it is durable', async (t) => {
  const call = await client(await startApp(t))
  await call('POST', '/api/v1/products', product('Cup'))
  const { release } = holdFlushes(t)
  const statuses: number[] = []
  const change = async () => {
    statuses.push((await call('POST', '/api/v1/products', product('Large cup'))).statusCode)
  }
  const first = change()
  await setTimeout(200)
  const second = change()
  await setTimeout(500)
  t.same(statuses, [], 'the second request changes nothing, and waits all the same')
  t.equal((await call('GET', '/api/v1/products')).statusCode, 200, 'reads do not wait')
  release()
  await Promise.all([first, second])
  t.same(statuses, [200, 200])
})

t.test('a request waits for the disk once, for all that it changes', async (t) => {
  const call = await client(await startApp(t))
  const key = (n: number) => ({ 'idempotency-key': `key-of-the-request-${n}` })
  await call('POST', '/api/v1/products', product('Cup'), key(1))
  const { release, begun } = holdFlushes(t)
  const statuses: number[] = []
  const change = call('POST', '/api/v1/products', product('Large cup'), key(2)).then(({ statusCode }) => {
    statuses.push(statusCode)
  })
  await setTimeout(300)
  const { products } = (await call('GET', '/api/v1/products')).json<{ products: { title: string }[] }>()
  t.match(products, [{ title: 'Large cup' }], 'it did not wait for its Idempotency-Key')
  t.equal(begun(), 1)
  t.same(statuses, [], 'but not confirmed')
  release()
  await change
  t.same(statuses, [200])
})

t.test('requests that wait for the disk do not count among those of their account', async (t) => {
  const call = await client(await startApp(t))
  await call('POST', '/api/v1/products', product('Cup'))
  const { release } = holdFlushes(t)
  const changes = Array.from({ length: 30 }, (_, n) =>
    call('POST', '/api/v1/products', { ...product(`Cup ${n}`), externalId: `cup-${n}` })
  )
  let ids: string[] = []
  for (let wait = 0; wait < 50 && ids.length < 31; wait++) {
    await setTimeout(100)
    const response = await call('GET', '/api/v1/products?pageSize=100')
    ids = response.json<{ products: { id: string }[] }>().products.map(({ id }) => id)
  }
  t.equal(ids.length, 31, 'all of them were processed')
  release()
  t.same(new Set((await Promise.all(changes)).map(({ statusCode }) => statusCode)), new Set([201]))
})

t.test('the files of an image are removed when its deletion is durable', async (t) => {
  const app = await startApp(t)
  const call = await client(app)
  const { id } = await publish(call, { title: 'Cups' })
  const picture = await halves(100, 50).png().toBuffer()
  const type = { 'content-type': 'image/png' }
  const uploaded = await call('POST', `/api/v1/blogs/${id}/images?filename=cup.png`, picture, type)
  t.equal(uploaded.statusCode, 201)
  const stored = async () => await app.files.list({ prefix: 'images', afterKey: null, limit: 10 })
  t.not((await stored()).length, 0)
  const { release } = holdFlushes(t)
  const { filename } = uploaded.json<{ filename: string }>()
  const deleted = call('DELETE', `/api/v1/blogs/${id}/images/${filename}`)
  await setTimeout(300)
  t.not((await stored()).length, 0, 'a crash may still bring back the record')
  release()
  t.equal((await deleted).statusCode, 204)
  t.same(await stored(), [])
})

t.test('a webhook reports a change when it is durable', async (t) => {
  const app = await startApp(t, { OUTBOUND_ALLOW: '127.0.0.1' })
  const receiver = await openReceiver(t)
  const owner = await person(app, 'acme')
  const { secret } = (await owner('POST', '/api/webhooks', { url: receiver.url, events: ['blog.published'] })).json<{
    secret: string
  }>()
  receiver.knows(secret)
  const call = await client(app)
  await publish(call, { title: 'First' })
  await eventually(() => receiver.received.length === 1, 'the first event')
  const { release } = holdFlushes(t)
  const second = publish(call, { title: 'Second' })
  await setTimeout(1_500)
  t.equal(receiver.received.length, 1, 'nobody hears of what a crash may take back')
  release()
  await second
  await eventually(() => receiver.received.length === 2, 'the second event')
})

t.test('a service whose disk fails is not ready, also if nothing is changed', async (t) => {
  const app = await buildApp(await appSettings(temporaryFolder(t)))
  replaceSync(t, async () => {
    throw Object.assign(new Error('I/O error'), { code: 'EIO' })
  })
  t.equal((await app.inject('/health/ready')).statusCode, 503)
  await app.close().catch(() => {})
})

t.test('after the disk has failed, no change is confirmed, also when it is sent again', async (t) => {
  const app = await buildApp(await appSettings(temporaryFolder(t)))
  const call = await client(app)
  await call('POST', '/api/v1/products', product('Cup'))
  replaceSync(t, async () => {
    throw Object.assign(new Error('I/O error'), { code: 'EIO' })
  })
  for (const attempt of [1, 2, 3]) {
    const response = await call('POST', '/api/v1/products', product('Large cup'))
    t.match(response.json(), { status: 503, code: 'unavailable' }, `attempt ${attempt}`)
  }
  t.equal((await call('GET', '/api/v1/products')).statusCode, 200)
  t.equal((await app.inject('/health/ready')).statusCode, 503)
  await t.rejects(app.close(), { code: 'unavailable' }, 'it cannot write what it counted')
})
