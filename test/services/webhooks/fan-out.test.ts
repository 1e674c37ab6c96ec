import t from 'tap'
import { startReceiver } from './receiver.ts'
import { ACCOUNT, anEvent, events, startRig, until } from './rig.ts'

t.test('an event goes to the webhooks that subscribe to it, and each numbers its own', async (t) => {
  const rig = await startRig(t, { idle: true })
  const url = 'https://shop.example/hook'
  const all = await rig.webhooks.create(ACCOUNT, { url })
  const deleted = await rig.webhooks.create(ACCOUNT, { url, events: ['blog.deleted', 'blog.updated'] })
  const shop = await rig.webhooks.create(ACCOUNT, { url, projectIds: ['shop'] })
  const foreign = await rig.webhooks.create('other', { url })
  const happened = [
    anEvent(),
    anEvent({ type: 'blog.deleted' }),
    anEvent({ projectId: 'shop' }),
    anEvent({ projectId: 'shop', type: 'blog.deleted' })
  ]
  await rig.happen(...happened)
  const got = async (id: string) =>
    (await rig.deliveries(id)).map(({ eventId, sequence }) => [
      happened.findIndex((event) => event.id === eventId),
      sequence
    ])
  t.same(await got(all.id), [
    [0, 1],
    [1, 2],
    [2, 3],
    [3, 4]
  ])
  t.same(await got(deleted.id), [
    [1, 1],
    [3, 2]
  ])
  t.same(await got(shop.id), [
    [2, 1],
    [3, 2]
  ])
  t.same(
    (await rig.store.deliveries.list({ accountId: 'other', webhookId: foreign.id }, { page: 1, pageSize: 9 }))
      .totalCount,
    0
  )
  await rig.webhooks.fanOut(ACCOUNT, rig.signal)
  t.equal((await got(all.id)).length, 4, 'once')
})

t.test('deliveries of a webhook are made one after the other, so that they are stored together', async (t) => {
  const rig = await startRig(t, { idle: true })
  const ids = [0, 1].map(async () => (await rig.webhooks.create(ACCOUNT, { url: 'https://shop.example/hook' })).id)
  const [first = '', second = ''] = await Promise.all(ids)
  await rig.happen(...events(3))
  const made = [...(await rig.deliveries(first)), ...(await rig.deliveries(second))]
  const inOrder = made.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map(({ webhookId }) => webhookId)
  t.equal(inOrder.filter((webhookId, index) => webhookId !== inOrder[index - 1]).length, 2)
})

t.test('what happened before a webhook was made is not sent to it', async (t) => {
  const rig = await startRig(t, { idle: true })
  const before = anEvent({ timestamp: new Date(Date.now() - 1000).toISOString() })
  const { id } = await rig.webhooks.create(ACCOUNT, { url: 'https://shop.example/hook' })
  await rig.happen(before, anEvent({ timestamp: new Date(Date.now() + 1000).toISOString() }))
  t.match(await rig.deliveries(id), [{ sequence: 1 }])
  t.equal((await rig.deliveries(id)).length, 1)
})

t.test('making deliveries twice, or at once in two places, makes them once, in order', async (t) => {
  const rig = await startRig(t, { idle: true })
  const { id } = await rig.webhooks.create(ACCOUNT, { url: 'https://shop.example/hook' })
  const happened = events(350)
  await rig.store.events.add(happened)
  // As a process that made the first deliveries and died before it could say so.
  const now = new Date().toISOString()
  const first = happened[0]!
  await rig.store.deliveries.add([
    {
      id: first.id,
      accountId: ACCOUNT,
      webhookId: id,
      eventId: first.id,
      event: first.type,
      eventAt: first.timestamp,
      createdAt: now,
      status: 'pending',
      nextAttemptAt: now
    }
  ])
  await Promise.all(
    [1, 2, 3].map(async () => {
      await rig.webhooks.fanOut(ACCOUNT, rig.signal)
    })
  )
  const deliveries = await rig.deliveries(id)
  t.same(
    deliveries.map(({ eventId }) => eventId),
    happened.map((event) => event.id)
  )
  t.same(
    deliveries.map(({ sequence }) => sequence),
    happened.map((_, i) => i + 1)
  )
  t.same((await rig.store.events.pendingFanOutAccounts({ after: null, limit: 10 })).items, [])
})

t.test('the sweep finds what was left behind', async (t) => {
  const rig = await startRig(t)
  const receiver = await startReceiver(t)
  const { id } = await rig.webhooks.create(ACCOUNT, { url: receiver.url })
  await rig.store.events.add(events(2))
  await rig.webhooks.sweep(rig.signal)
  await receiver.count(2)
  await rig.queue.idle()

  const late = anEvent()
  await rig.store.events.add([late])
  const now = new Date().toISOString()
  await rig.store.deliveries.add([
    {
      id: late.id,
      accountId: ACCOUNT,
      webhookId: id,
      eventId: late.id,
      event: late.type,
      eventAt: late.timestamp,
      createdAt: now,
      status: 'pending',
      nextAttemptAt: now
    }
  ])
  await rig.store.events.markFannedOut(ACCOUNT, [late.id])
  await rig.webhooks.sweep(rig.signal)
  await receiver.count(3)

  await rig.queue.idle()
  const at = new Date(Date.now() - 1000).toISOString()
  const recovery = {
    accountId: ACCOUNT,
    webhookId: id,
    status: 'running' as const,
    since: '2020-01-01T00:00:00.000Z',
    until: new Date(Date.now() + 1000).toISOString(),
    statuses: ['delivered' as const]
  }
  await rig.store.recoveries.add({
    id: late.id,
    ...recovery,
    afterSequence: 0,
    examined: 0,
    requeued: 0,
    createdAt: at,
    finishedAt: null
  })
  await rig.webhooks.sweep(rig.signal)
  await receiver.count(6)
  await until(async () => (await rig.webhooks.readRecovery(ACCOUNT, late.id)).status === 'done')
})

t.test('events are kept for 30 days, with their deliveries', async (t) => {
  const rig = await startRig(t, { idle: true })
  const { id } = await rig.webhooks.create(ACCOUNT, { url: 'https://shop.example/hook' })
  const stored = (await rig.store.webhooks.find(ACCOUNT, id))!
  await rig.store.webhooks.save(
    { ...stored, createdAt: '2020-01-01T00:00:00.000Z', version: stored.version + 1 },
    stored.version
  )
  const daysAgo = (days: number) => anEvent({ timestamp: new Date(Date.now() - days * 24 * 3_600_000).toISOString() })
  await rig.happen(daysAgo(31), daysAgo(30.1), daysAgo(29.9), daysAgo(0))
  t.equal((await rig.deliveries(id)).length, 4)
  await rig.webhooks.sweep(rig.signal)
  t.same(
    (await rig.deliveries(id)).map(({ sequence }) => sequence),
    [3, 4]
  )
  t.same(
    (await rig.store.events.list(ACCOUNT, { after: 0, limit: 10 })).map(({ sequence }) => sequence),
    [3, 4]
  )
})
