import { mock } from 'node:test'
import t, { type Test } from 'tap'
import { startReceiver, type Reply } from './receiver.ts'
import { ACCOUNT, anEvent, startRig } from './rig.ts'

const SECOND = 1000
const HOUR = 3600 * SECOND
const WAITS = [5 * SECOND, 300 * SECOND, 1800 * SECOND, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR]

/** A test setup whose clock changes only when it is set. */
async function startStill(t: Test) {
  mock.timers.enable({ apis: ['Date'], now: Date.UTC(2026, 10, 21, 8) })
  t.teardown(() => {
    mock.timers.reset()
  })
  const rig = await startRig(t, { idle: true })
  const receiver = await startReceiver(t)
  const { id, secret } = await rig.webhooks.create(ACCOUNT, { url: receiver.url })
  return {
    rig,
    receiver,
    id,
    secret,
    deliver: async () => {
      await rig.webhooks.deliver(ACCOUNT, id, rig.signal)
    },
    only: async () => (await rig.deliveries(id))[0]!
  }
}

async function firstAnswer(t: Test, reply: Reply) {
  const still = await startStill(t)
  still.receiver.reply(() => reply)
  await still.rig.happen(anEvent())
  await still.deliver()
  const delivery = await still.only()
  return {
    ...still,
    delivery,
    waitMs: delivery.nextAttemptAt === null ? null : Date.parse(delivery.nextAttemptAt) - Date.now()
  }
}

t.test('a delivery that fails is tried ten times over some three days, always with the same bytes', async (t) => {
  const { rig, receiver, id, deliver, only } = await startStill(t)
  receiver.reply(() => 500)
  await rig.happen(anEvent())
  await deliver()
  for (const [index, wait] of WAITS.entries()) {
    const { nextAttemptAt, attempts, status } = await only()
    t.match({ attempts, status }, { attempts: index + 1, status: 'pending' })
    const waitMs = Date.parse(nextAttemptAt!) - Date.now()
    t.ok(waitMs >= wait * 0.8 - 1 && waitMs <= wait * 1.2, `${waitMs} ms after attempt ${index + 1}`)
    mock.timers.setTime(Date.parse(nextAttemptAt!) - 1)
    await deliver()
    t.equal(receiver.received.length, index + 1, 'not before its time')
    mock.timers.setTime(Date.parse(nextAttemptAt!))
    await deliver()
    t.equal(receiver.received.length, index + 2)
  }
  t.match(await only(), { status: 'failed', attempts: 10, nextAttemptAt: null, lastStatus: 500, lastError: 'http_5xx' })
  t.equal(new Set(receiver.received.map(({ body }) => body.toString())).size, 1, 'the same bytes')
  t.equal(
    new Set(receiver.received.map(({ headers }) => `${headers['webhook-id']} ${headers['x-svc-delivery']}`)).size,
    1,
    'under the same ids'
  )
  t.same(
    receiver.received.map(({ headers }) => headers['x-svc-attempt']),
    ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10']
  )
  t.equal(
    new Set(receiver.received.map(({ headers }) => headers['webhook-timestamp'])).size,
    10,
    'each signed at its own time'
  )
  t.equal((await rig.webhooks.read(ACCOUNT, id)).status, 'enabled', 'one event that fails does not disable a webhook')

  receiver.reply(() => 200)
  const again = await rig.webhooks.redeliver(ACCOUNT, (await only()).id)
  t.match(again, { status: 'pending', attempts: 10 })
  await deliver()
  t.match(await only(), { status: 'delivered', attempts: 11 })
  t.equal(receiver.received.at(-1)!.headers['x-svc-attempt'], '11')
})

t.test('a redelivery has all ten attempts again', async (t) => {
  const { rig, receiver, deliver, only } = await startStill(t)
  receiver.reply(() => 500)
  await rig.happen(anEvent())
  const jobs = async () => (await rig.queue.depth('deliver-webhooks')).waiting
  const before = await jobs()
  await deliver()
  t.equal(await jobs(), before + 1, 'a job waits for the time of the next attempt')
  await rig.webhooks.redeliver(ACCOUNT, (await only()).id)
  await deliver()
  const { nextAttemptAt, attempts } = await only()
  t.equal(attempts, 2)
  t.ok(Date.parse(nextAttemptAt!) - Date.now() <= 6000, 'and begins with the first wait')
})

for (const status of [200, 201, 204, 299]) {
  t.test(`${status} is success`, async (t) => {
    t.match((await firstAnswer(t, status)).delivery, {
      status: 'delivered',
      lastStatus: status,
      lastError: null,
      nextAttemptAt: null,
      deliveredAt: String
    })
  })
}

for (const [status, error] of [
  [301, 'redirect'],
  [302, 'redirect'],
  [307, 'redirect'],
  [304, 'redirect'],
  [400, 'http_4xx'],
  [404, 'http_4xx'],
  [500, 'http_5xx'],
  [501, 'http_5xx']
] as const) {
  t.test(`${status} is a failure that is tried again`, async (t) => {
    const { delivery, waitMs, receiver } = await firstAnswer(t, { status, headers: { location: '/elsewhere' } })
    t.match(delivery, { status: 'pending', lastStatus: status, lastError: error, deliveredAt: null })
    t.ok(waitMs! >= 4000 && waitMs! <= 6000, `${waitMs}`)
    t.equal(receiver.received.length, 1, 'and nothing is asked elsewhere')
  })
}

t.test('a connection that is cut, and a receiver that is not there, are tried again', async (t) => {
  const { delivery, waitMs, rig, id, deliver } = await firstAnswer(t, 'cut')
  t.match(delivery, { status: 'pending', lastStatus: null, lastError: 'reset' })
  t.ok(waitMs! <= 6000)
  await rig.webhooks.patch(ACCOUNT, id, { url: 'http://127.0.0.1:9/' })
  await rig.happen(anEvent())
  await deliver()
  t.match((await rig.deliveries(id))[1], { status: 'pending', lastError: 'connect' })
})

t.test('an address that has come to be refused is final', async (t) => {
  const { rig, id, deliver } = await startStill(t)
  const stored = (await rig.store.webhooks.find(ACCOUNT, id))!
  await rig.store.webhooks.save(
    { ...stored, url: 'https://10.0.0.1/hook', version: stored.version + 1 },
    stored.version
  )
  await rig.happen(anEvent())
  await deliver()
  t.match((await rig.deliveries(id))[0], { status: 'failed', attempts: 1, nextAttemptAt: null, lastError: 'blocked' })
})

for (const status of [502, 504]) {
  t.test(`${status} gives the receiver a minute at least`, async (t) => {
    t.equal((await firstAnswer(t, status)).waitMs, 60_000)
  })
}

for (const [asked, waitMs] of [
  ['90', 90_000],
  ['Sat, 21 Nov 2026 08:02:00 GMT', 120_000],
  ['172800', 24 * HOUR]
] as const) {
  t.test(`Retry-After: ${asked} on 429 and 503 holds everything back`, async (t) => {
    for (const status of [429, 503]) {
      await t.test(`${status}`, async (t) => {
        const answered = await firstAnswer(t, { status, headers: { 'retry-after': asked } })
        const { rig, receiver, id, deliver } = answered
        t.equal(answered.waitMs, waitMs)
        t.equal((await rig.webhooks.read(ACCOUNT, id)).pausedUntil, new Date(Date.now() + waitMs).toISOString())
        receiver.reply(() => 200)
        await rig.happen(anEvent())
        await deliver()
        mock.timers.setTime(Date.now() + waitMs - 1)
        await deliver()
        t.equal(receiver.received.length, 1, 'also what happens later')
        t.match((await rig.deliveries(id))[1], { status: 'pending', attempts: 0 }, 'and waiting spends no attempt')
        mock.timers.setTime(Date.now() + 1)
        await deliver()
        t.equal(receiver.received.length, 3)
        t.equal((await rig.webhooks.read(ACCOUNT, id)).pausedUntil, null)
      })
    }
  })
}

t.test('Retry-After on another status is not asked for', async (t) => {
  const { waitMs, rig, id } = await firstAnswer(t, { status: 500, headers: { 'retry-after': '3600' } })
  t.ok(waitMs! <= 6000)
  t.equal((await rig.webhooks.read(ACCOUNT, id)).pausedUntil, null)
})

t.test('410 disables the webhook, and what waits is sent when it is enabled again', async (t) => {
  const { rig, receiver, id, deliver, delivery } = await firstAnswer(t, 410)
  t.match(await rig.webhooks.read(ACCOUNT, id), {
    status: 'disabled',
    disabledBy: 'gone',
    disabledReason: String,
    disabledAt: String
  })
  t.match(delivery, { status: 'pending', lastStatus: 410 })
  mock.timers.setTime(Date.now() + 7000)
  await deliver()
  await rig.happen(anEvent())
  await deliver()
  t.equal(receiver.received.length, 1)
  t.equal((await rig.deliveries(id))[1]!.status, 'skipped')
  await t.rejects(rig.webhooks.redeliver(ACCOUNT, delivery.id), { code: 'webhook_disabled' })
  await t.rejects(rig.webhooks.startRecovery(ACCOUNT, id, { since: '2026-01-01T00:00:00Z' }), {
    code: 'webhook_disabled'
  })
  receiver.reply(() => 200)
  await rig.webhooks.enable(ACCOUNT, id)
  await deliver()
  t.same(
    (await rig.deliveries(id)).map(({ status }) => status),
    ['delivered', 'skipped']
  )
})

t.test(
  'a receiver that fails is left alone for 30 seconds, then probed with one delivery, for as long as it fails',
  async (t) => {
    const { rig, receiver, id, deliver } = await startStill(t)
    receiver.reply(() => 500)
    await rig.happen(...Array.from({ length: 200 }, () => anEvent()))
    await deliver()
    const tried = receiver.received.length
    t.ok(tried >= 10 && tried < 30, `${tried} of 200 were tried before the pause`)
    await deliver()
    t.equal(receiver.received.length, tried)
    t.equal(
      (await rig.deliveries(id)).filter(({ leasedUntil }) => leasedUntil !== null).length,
      0,
      'nothing is held meanwhile'
    )
    for (const [probes, pause] of [30, 60, 120].entries()) {
      t.equal((await rig.webhooks.read(ACCOUNT, id)).pausedUntil, new Date(Date.now() + pause * SECOND).toISOString())
      mock.timers.setTime(Date.now() + pause * SECOND)
      await deliver()
      t.equal(receiver.received.length, tried + probes + 1, `one after ${pause} seconds`)
    }
    mock.timers.setTime(Date.now() + 240 * SECOND)
    receiver.reply(() => 200)
    await deliver()
    t.ok(
      (await rig.deliveries(id)).every(
        ({ status, nextAttemptAt }) => status === 'delivered' || nextAttemptAt! > new Date().toISOString()
      ),
      'and with the first success all that is due goes'
    )
    t.equal((await rig.deliveries(id)).filter(({ attempts }) => attempts === 0).length, 0)
  }
)

t.test('a webhook that nobody answers for five days is disabled', async (t) => {
  const { rig, receiver, id, deliver } = await startStill(t)
  receiver.reply(() => 500)
  const start = Date.now()
  await rig.happen(anEvent())
  await deliver()
  for (let hours = 1; hours < 120; hours++) {
    mock.timers.setTime(start + hours * HOUR)
    if (hours % 24 === 0) await rig.happen(anEvent())
    await deliver()
  }
  t.equal((await rig.webhooks.read(ACCOUNT, id)).status, 'enabled')
  mock.timers.setTime(start + 120 * HOUR)
  await rig.happen(anEvent())
  await deliver()
  t.match(await rig.webhooks.read(ACCOUNT, id), {
    status: 'disabled',
    disabledBy: 'failures',
    disabledReason: /120 hours/
  })
  t.match(await rig.webhooks.enable(ACCOUNT, id), { status: 'enabled', disabledBy: null })
})
