import t from 'tap'
import { startReceiver } from './receiver.ts'
import { ACCOUNT, anEvent, startRig } from './rig.ts'

t.test('a webhook is made, read, changed and removed, and its secret is shown once', async (t) => {
  const { webhooks, store } = await startRig(t, { idle: true })
  const made = await webhooks.create(ACCOUNT, {
    url: 'https://shop.example/hook',
    events: ['blog.published'],
    projectIds: ['site'],
    description: 'Ours'
  })
  const { secret, ...shown } = made
  t.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  t.match(shown, {
    url: 'https://shop.example/hook',
    events: ['blog.published'],
    projectIds: ['site'],
    description: 'Ours',
    status: 'enabled',
    disabledBy: null,
    pausedUntil: null,
    secretExpiresAt: null,
    lastSuccessAt: null
  })
  t.same(await webhooks.read(ACCOUNT, made.id), shown)
  t.same(await webhooks.list(ACCOUNT), [shown])
  t.same(
    Object.keys(shown).filter((key) => /secret|account|version|health|proven/i.test(key)),
    ['secretExpiresAt'],
    'nothing of the inside is shown'
  )
  t.notOk(
    JSON.stringify(await store.webhooks.find(ACCOUNT, made.id)).includes(secret.slice(6)),
    'and it is not kept in the clear'
  )

  const changed = await webhooks.patch(ACCOUNT, made.id, { url: 'https://shop.example/other', events: null })
  t.match(changed, { url: 'https://shop.example/other', events: null, projectIds: ['site'], description: 'Ours' })
  t.same(await webhooks.read(ACCOUNT, made.id), changed)
  await webhooks.remove(ACCOUNT, made.id)
  await t.rejects(webhooks.read(ACCOUNT, made.id), { code: 'webhook_not_found' })
  t.same(await webhooks.list(ACCOUNT), [])
})

t.test('nobody reaches the webhook of another account', async (t) => {
  const { webhooks } = await startRig(t, { idle: true })
  const { id } = await webhooks.create(ACCOUNT, { url: 'https://shop.example/hook' })
  const tries: Array<() => Promise<unknown>> = [
    () => webhooks.read('other', id),
    () => webhooks.patch('other', id, { description: 'x' }),
    () => webhooks.remove('other', id),
    () => webhooks.enable('other', id),
    () => webhooks.ping('other', id),
    () => webhooks.rotateSecret('other', id, { overlapHours: 24 }),
    () => webhooks.listDeliveries('other', id, { page: 1, pageSize: 20 }),
    () => webhooks.startRecovery('other', id, { since: '2026-01-01T00:00:00Z' })
  ]
  for (const one of tries) await t.rejects(one(), { code: 'webhook_not_found' })
  t.same(await webhooks.list('other'), [])
  t.equal((await webhooks.read(ACCOUNT, id)).description, '')
})

t.test('a URL that events may not be sent to is rejected', async (t) => {
  const { webhooks } = await startRig(t, { idle: true })
  const { id } = await webhooks.create(ACCOUNT, { url: 'https://shop.example/hook' })
  for (const url of [
    'http://shop.example/hook',
    'https://10.0.0.1/',
    'https://localhost/',
    'https://user:word@shop.example/',
    'https://shop.example:9000/',
    'ftp://shop.example/'
  ]) {
    await t.rejects(
      webhooks.create(ACCOUNT, { url }),
      { code: 'webhook_address_refused', options: { errors: [{ pointer: '/url' }] } },
      url
    )
    await t.rejects(webhooks.patch(ACCOUNT, id, { url }), { code: 'webhook_address_refused' }, url)
  }
  t.equal((await webhooks.list(ACCOUNT)).length, 1)
})

t.test('an account has 50 webhooks at most', async (t) => {
  const { webhooks } = await startRig(t, { idle: true })
  for (let i = 0; i < 50; i++) await webhooks.create(ACCOUNT, { url: `https://shop.example/${i}` })
  await t.rejects(webhooks.create(ACCOUNT, { url: 'https://shop.example/one-more' }), { code: 'too_many_webhooks' })
  await webhooks.create('other', { url: 'https://shop.example/hook' })
})

t.test('changes that are made at the same moment all count', async (t) => {
  const { webhooks } = await startRig(t, { idle: true })
  const { id } = await webhooks.create(ACCOUNT, { url: 'https://shop.example/hook' })
  await Promise.all([
    webhooks.patch(ACCOUNT, id, { description: 'New' }),
    webhooks.patch(ACCOUNT, id, { events: ['blog.deleted'] }),
    webhooks.patch(ACCOUNT, id, { enabled: false }),
    webhooks.rotateSecret(ACCOUNT, id, { overlapHours: 1 })
  ])
  const webhook = await webhooks.read(ACCOUNT, id)
  t.match(webhook, { description: 'New', events: ['blog.deleted'], status: 'disabled' })
  t.ok(webhook.secretExpiresAt)
})

t.test('a person disables and enables a webhook', async (t) => {
  const rig = await startRig(t)
  const receiver = await startReceiver(t)
  const { id } = await rig.webhooks.create(ACCOUNT, { url: receiver.url })
  const off = await rig.webhooks.patch(ACCOUNT, id, { enabled: false })
  t.match(off, { status: 'disabled', disabledBy: 'person', disabledReason: String, disabledAt: String })
  await rig.happen(anEvent())
  t.match(
    await rig.webhooks.listDeliveries(ACCOUNT, id, { page: 1, pageSize: 20 }),
    { totalCount: 1, totalPages: 1, deliveries: [{ status: 'skipped', attempts: 0, sequence: 1 }] },
    'what happens meanwhile is skipped'
  )
  const on = await rig.webhooks.patch(ACCOUNT, id, { enabled: true })
  t.match(on, { status: 'enabled', disabledBy: null, disabledReason: null, disabledAt: null })
  await rig.happen(anEvent())
  await receiver.count(1)
  t.equal(receiver.received[0]!.sequence, 2)
})

t.test('enabling ends a pause and forgets failures', async (t) => {
  const rig = await startRig(t)
  const receiver = await startReceiver(t)
  receiver.reply(() => ({ status: 503, headers: { 'retry-after': '3600' } }))
  const { id } = await rig.webhooks.create(ACCOUNT, { url: receiver.url })
  await rig.happen(anEvent())
  await receiver.count(1)
  await rig.queue.idle()
  t.ok(Date.parse((await rig.webhooks.read(ACCOUNT, id)).pausedUntil!) > Date.now() + 3_500_000)
  await rig.happen(anEvent())
  await rig.queue.idle()
  receiver.reply(() => 200)
  t.equal((await rig.webhooks.enable(ACCOUNT, id)).pausedUntil, null)
  await receiver.count(2)
  t.equal(receiver.received[1]!.sequence, 2, 'what waited behind the pause is sent')
})

t.test('a new address begins without the pause of the old one', async (t) => {
  const rig = await startRig(t)
  const busy = await startReceiver(t)
  const free = await startReceiver(t)
  busy.reply(() => ({ status: 429, headers: { 'retry-after': '3600' } }))
  const { id } = await rig.webhooks.create(ACCOUNT, { url: busy.url })
  await rig.happen(anEvent())
  await busy.count(1)
  await rig.queue.idle()
  await rig.happen(anEvent())
  t.equal(free.received.length, 0)
  t.equal((await rig.webhooks.patch(ACCOUNT, id, { url: free.url })).pausedUntil, null)
  await free.count(1)
  t.equal(free.received[0]!.sequence, 2, 'the one that waits for its second attempt comes later')
})

t.test(
  'a test event is signed and sent at once, also while the webhook is disabled, and leaves nothing behind',
  async (t) => {
    const rig = await startRig(t)
    const receiver = await startReceiver(t)
    const { id } = await rig.webhooks.create(ACCOUNT, { url: receiver.url })
    const before = await rig.webhooks.read(ACCOUNT, id)
    receiver.reply(() => ({ status: 202, body: 'y'.repeat(5000) }))
    const result = await rig.webhooks.ping(ACCOUNT, id)
    t.match(result, { delivered: true, status: 202, error: null, response: 'y'.repeat(1024) })
    t.equal(result.response.length, 1024)
    const { headers, body, sequence } = receiver.received[0]!
    t.match(headers, { 'x-svc-event': 'ping', 'x-svc-signature': /^sha256=/, 'webhook-signature': /^v1,/ })
    t.match(JSON.parse(body.toString()), { type: 'ping', sequence: 0, apiVersion: String, timestamp: String, data: {} })
    t.equal(sequence, 0)
    await rig.webhooks.patch(ACCOUNT, id, { enabled: false })
    receiver.reply(() => 500)
    t.match(await rig.webhooks.ping(ACCOUNT, id), { delivered: false, status: 500, error: 'http_5xx' })
    receiver.reply(() => 'cut')
    t.match(await rig.webhooks.ping(ACCOUNT, id), { delivered: false, status: null, error: 'reset', response: '' })
    await rig.webhooks.enable(ACCOUNT, id)
    t.match(await rig.webhooks.listDeliveries(ACCOUNT, id, { page: 1, pageSize: 20 }), { totalCount: 0, totalPages: 0 })
    t.same({ ...(await rig.webhooks.read(ACCOUNT, id)), updatedAt: '' }, { ...before, updatedAt: '' })
  }
)

t.test('an account has eight pings in progress at most', async (t) => {
  const rig = await startRig(t)
  const receiver = await startReceiver(t)
  const { id } = await rig.webhooks.create(ACCOUNT, { url: receiver.url })
  const pings = await Promise.allSettled(Array.from({ length: 11 }, () => rig.webhooks.ping(ACCOUNT, id)))
  t.equal(pings.filter(({ status }) => status === 'fulfilled').length, 8)
  for (const ping of pings.slice(8)) t.match(ping, { status: 'rejected', reason: { code: 'busy' } })
  t.match(await rig.webhooks.ping(ACCOUNT, id), { delivered: true }, 'until one of them ends')
})
