import t from 'tap'
import { scaled } from '../../profile.ts'
import { startReceiver } from './receiver.ts'
import { ACCOUNT, anEvent, events, startRig, until } from './rig.ts'

const MANY = scaled ? 200 : 500

t.test('every event arrives once, in its numbered envelope, at most ten at once', async (t) => {
  const rig = await startRig(t)
  const receiver = await startReceiver(t)
  receiver.reply(() => ({ status: 200, afterMs: 2 }))
  const { id } = await rig.webhooks.create(ACCOUNT, { url: receiver.url })
  const happened = events(MANY)
  await rig.happen(...happened)
  await until(async () => (await rig.deliveries(id)).every(({ status }) => status === 'delivered'))
  t.equal(receiver.received.length, MANY)
  const sorted = receiver.received.toSorted((a, b) => a.sequence - b.sequence)
  t.same(
    sorted.map(({ sequence }) => sequence),
    Array.from({ length: MANY }, (_, i) => i + 1),
    'numbered without gaps'
  )
  t.same(
    sorted.map((one) => one.id),
    happened.map((one) => one.id),
    'in the order in which they happened'
  )
  t.same(
    sorted.map(({ body }) => body.toString()),
    happened.map(({ head, tail }, i) => `${head}${i + 1}${tail}`),
    'byte by byte'
  )
  t.ok(receiver.mostAtOnce() <= 10, `${receiver.mostAtOnce()} at once`)
  t.ok(receiver.mostAtOnce() >= 5, `${receiver.mostAtOnce()} at once`)
  // Stored after the deliveries, by a command of its own.
  await until(async () => (await rig.webhooks.read(ACCOUNT, id)).lastSuccessAt !== null)
})

t.test('ten are in flight in all, however many processes deliver', async (t) => {
  const rig = await startRig(t, { idle: true })
  const other = await import('../../../services/webhooks/index.ts')
  const secretsKeys = [Buffer.alloc(32, 7)]
  const [one, two] = [1, 2].map(() => other.createWebhooks(rig, { secretsKeys, brand: 'svc', timeScale: 1 }))
  const receiver = await startReceiver(t)
  receiver.reply(() => ({ status: 200, afterMs: 10 }))
  const { id } = await one!.create(ACCOUNT, { url: receiver.url })
  await rig.happen(...events(300))
  while (!(await rig.deliveries(id)).every(({ status }) => status === 'delivered')) {
    await Promise.all([one!.deliver(ACCOUNT, id, rig.signal), two!.deliver(ACCOUNT, id, rig.signal)])
  }
  t.equal(receiver.received.length, 300, 'and none is sent by both')
  t.ok(receiver.mostAtOnce() <= 10, `${receiver.mostAtOnce()} at once`)
})

t.test('the log of a delivery tells each attempt, without signatures, and at most 16 KiB of the answer', async (t) => {
  const rig = await startRig(t, { speed: 1000 })
  const receiver = await startReceiver(t)
  receiver.reply((_, count) =>
    count === 1 ? { status: 500, headers: { 'x-reason': 'tired' }, body: 'ü'.repeat(20_000) } : 200
  )
  const { id, secret } = await rig.webhooks.create(ACCOUNT, { url: receiver.url })
  await rig.happen(anEvent())
  await until(async () => (await rig.deliveries(id))[0]!.status === 'delivered')
  const {
    deliveries: [delivery]
  } = await rig.webhooks.listDeliveries(ACCOUNT, id, { page: 1, pageSize: 20 })
  const detail = await rig.webhooks.readDelivery(ACCOUNT, delivery!.id)
  t.equal(detail.body, receiver.received[0]!.body.toString())
  t.match(detail, { ...delivery, status: 'delivered', attempts: 2 })
  t.match(
    detail.attemptLog.toSorted((a, b) => a.number - b.number),
    [
      {
        number: 1,
        status: 500,
        error: 'http_5xx',
        address: '127.0.0.1',
        durationMs: Number,
        responseHeaders: { 'x-reason': 'tired' }
      },
      { number: 2, status: 200, error: null, response: '{"received":true}' }
    ]
  )
  const [first] = detail.attemptLog.toSorted((a, b) => a.number - b.number)
  t.equal(first!.response, 'ü'.repeat(8192))
  t.match(first!.requestHeaders, {
    'X-Svc-Event': 'blog.published',
    'X-Svc-Attempt': '1',
    'webhook-id': detail.eventId
  })
  const log = JSON.stringify(detail.attemptLog)
  for (const hidden of [
    receiver.received[0]!.headers['x-svc-signature'],
    receiver.received[0]!.headers['webhook-signature'],
    secret
  ]) {
    t.notOk(log.includes(String(hidden)))
  }
  t.notOk(/signature/i.test(log))
})

t.test('a list of deliveries can be narrowed and paged', async (t) => {
  const rig = await startRig(t, { speed: 1000 })
  const receiver = await startReceiver(t)
  const { id } = await rig.webhooks.create(ACCOUNT, { url: receiver.url })
  const soon = new Date(Date.now() + 3_600_000)
  await rig.happen(...events(3), anEvent({ type: 'blog.deleted', timestamp: soon.toISOString() }))
  await until(async () => (await rig.deliveries(id)).every(({ status }) => status === 'delivered'))
  const sequences = async (query: object) => {
    const { deliveries, ...totals } = await rig.webhooks.listDeliveries(ACCOUNT, id, {
      page: 1,
      pageSize: 20,
      ...query
    })
    return { sequences: deliveries.map(({ sequence }) => sequence), ...totals }
  }
  t.same(await sequences({}), { sequences: [4, 3, 2, 1], totalCount: 4, page: 1, totalPages: 1 })
  t.same(await sequences({ page: 2, pageSize: 3 }), { sequences: [1], totalCount: 4, page: 2, totalPages: 2 })
  t.same((await sequences({ event: 'blog.deleted' })).sequences, [4])
  t.same((await sequences({ status: 'failed' })).totalCount, 0)
  t.same(
    (await sequences({ since: new Date(soon.getTime() - 2 * 3_600_000).toISOString().replace('Z', '-02:00') }))
      .sequences,
    [4],
    'by a time in whichever notation'
  )
  await t.rejects(rig.webhooks.readDelivery(ACCOUNT, id), { code: 'delivery_not_found' })
  await t.rejects(rig.webhooks.readDelivery('other', (await rig.deliveries(id))[0]!.id), { code: 'delivery_not_found' })
  await t.rejects(rig.webhooks.redeliver('other', (await rig.deliveries(id))[0]!.id), { code: 'delivery_not_found' })
})

t.test('what was in flight when a process died is sent again, with the same bytes', async (t) => {
  const rig = await startRig(t, { idle: true })
  const receiver = await startReceiver(t)
  const { id } = await rig.webhooks.create(ACCOUNT, { url: receiver.url })
  await rig.happen(...events(20))
  // As a process that took them all, sent some and died.
  const now = Date.now()
  const taken = await rig.store.deliveries.claim(id, {
    now: new Date(now).toISOString(),
    leaseUntil: new Date(now + 700).toISOString(),
    limit: 5,
    maxInFlight: 5
  })
  t.equal(taken.length, 5)
  await rig.webhooks.deliver(ACCOUNT, id, rig.signal)
  t.equal(receiver.received.length, 0, 'nothing is sent beside those that somebody may be sending')
  await until(() => Date.now() > now + 800)
  await rig.webhooks.deliver(ACCOUNT, id, rig.signal)
  t.equal(receiver.received.length, 20)
  t.ok((await rig.deliveries(id)).every(({ status, attempts }) => status === 'delivered' && attempts === 1))
})

t.test('a process that is to stop gives back what it has not sent, and what hangs', async (t) => {
  const rig = await startRig(t, { idle: true })
  const receiver = await startReceiver(t)
  receiver.reply((_, count) => (count <= 5 ? 200 : 'silence'))
  const { id } = await rig.webhooks.create(ACCOUNT, { url: receiver.url })
  await rig.happen(...events(50))
  const stopping = new AbortController()
  const delivering = rig.webhooks.deliver(ACCOUNT, id, stopping.signal)
  await receiver.count(15)
  stopping.abort()
  await delivering
  const deliveries = await rig.deliveries(id)
  t.equal(deliveries.filter(({ status }) => status === 'delivered').length, 5)
  t.ok(
    deliveries
      .filter(({ status }) => status !== 'delivered')
      .every(({ leasedUntil, attempts, status }) => leasedUntil === null && attempts === 0 && status === 'pending'),
    'without an attempt spent'
  )
  t.equal(receiver.received.length, 15)
})

t.test('a webhook that is disabled or removed while things are sent gets no more', async (t) => {
  const rig = await startRig(t, { idle: true })
  const receiver = await startReceiver(t)
  // The run looks at the webhook whenever something is written down. All 300 must take much longer
  // than that does.
  receiver.reply(() => ({ status: 200, afterMs: scaled ? 200 : 20 }))
  const { id } = await rig.webhooks.create(ACCOUNT, { url: receiver.url })
  const other = await rig.webhooks.create(ACCOUNT, { url: receiver.url })
  await rig.happen(...events(300))
  const delivering = rig.webhooks.deliver(ACCOUNT, id, rig.signal)
  await receiver.count(20)
  await rig.webhooks.patch(ACCOUNT, id, { enabled: false })
  await delivering
  const sent = receiver.received.length
  t.ok(sent < 300, `${sent} of 300`)
  t.equal(
    (await rig.deliveries(id)).filter(({ status }) => status === 'delivered').length,
    sent,
    'what was in flight is written down'
  )
  t.equal((await rig.deliveries(id)).filter(({ leasedUntil }) => leasedUntil !== null).length, 0)

  const again = rig.webhooks.deliver(ACCOUNT, other.id, rig.signal)
  await receiver.count(sent + 20)
  await rig.webhooks.remove(ACCOUNT, other.id)
  await again
  t.ok(receiver.received.length < sent + 300)
})

t.test('what happens while something is being delivered is delivered at once', async (t) => {
  const rig = await startRig(t)
  const receiver = await startReceiver(t)
  receiver.reply((_, count) => (count === 1 ? 'silence' : 200))
  await rig.webhooks.create(ACCOUNT, { url: receiver.url })
  await rig.happen(anEvent())
  await receiver.count(1)
  await rig.happen(...events(3))
  await receiver.count(4)
  t.pass('while the first one still hangs')
})

t.test('what waits for its time goes on by itself', async (t) => {
  const rig = await startRig(t, { speed: 20_000 })
  const receiver = await startReceiver(t)
  receiver.reply(({ headers }) => (Number(headers['x-svc-attempt']) < 6 ? 500 : 200))
  const { id } = await rig.webhooks.create(ACCOUNT, { url: receiver.url })
  await rig.happen(...events(3))
  await until(async () => (await rig.deliveries(id)).every(({ status }) => status === 'delivered'))
  t.same(
    (await rig.deliveries(id)).map(({ attempts }) => attempts),
    [6, 6, 6]
  )
})
