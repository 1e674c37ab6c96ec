import { mock } from 'node:test'
import { verify } from '@octokit/webhooks-methods'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import t from 'tap'
import { startReceiver, type Received } from './receiver.ts'
import { ACCOUNT, anEvent, events, startRig, until } from './rig.ts'

const isSignedWith = async (secret: string, { body, headers }: Received) =>
  await verify(secret, body.toString(), String(headers['x-svc-signature']))
function isStandard(secret: string, { body, headers }: Received): boolean {
  try {
    new StandardWebhook(secret).verify(body, headers as Record<string, string>)
    return true
  } catch {
    return false
  }
}

t.test(
  'while a secret is rotated, both are signed with, and a receiver that knows one of them is found out at once',
  async (t) => {
    const rig = await startRig(t)
    const receiver = await startReceiver(t)
    const { id, secret: old } = await rig.webhooks.create(ACCOUNT, { url: receiver.url })
    const { secret: fresh, ...shown } = await rig.webhooks.rotateSecret(ACCOUNT, id, { overlapHours: 24 })
    t.not(fresh, old)
    t.ok(Math.abs(Date.parse(shown.secretExpiresAt!) - Date.now() - 24 * 3_600_000) < 60_000)
    await rig.happen(anEvent())
    await receiver.count(1)
    t.ok(await isSignedWith(old, receiver.received[0]!), 'the old one first')
    t.ok(
      isStandard(old, receiver.received[0]!) && isStandard(fresh, receiver.received[0]!),
      'and both for Standard Webhooks'
    )
    await rig.queue.idle()

    let known = fresh
    receiver.reply(async (received) => ((await isSignedWith(known, received)) ? 200 : 401))
    await rig.happen(anEvent())
    await until(async () => (await rig.deliveries(id))[1]!.status === 'delivered')
    t.equal(receiver.received.length, 3)
    const [first, second] = receiver.received.slice(1)
    t.same(first!.body, second!.body, 'the repeat has the same bytes')
    t.same(
      [first, second].map((one) => one!.headers['x-svc-attempt']),
      ['1', '2'],
      'and is an attempt of its own'
    )
    const { attemptLog } = await rig.webhooks.readDelivery(ACCOUNT, (await rig.deliveries(id))[1]!.id)
    t.same(attemptLog.map(({ number, status }) => [number, status]).sort(), [
      [1, 401],
      [2, 200]
    ])
    await rig.queue.idle()
    await rig.happen(anEvent())
    await receiver.count(4)
    t.ok(await isSignedWith(fresh, receiver.received[3]!), 'from then on the new one is first')
    await rig.queue.idle()

    known = old
    await rig.happen(anEvent())
    await until(async () => (await rig.deliveries(id))[3]!.status === 'delivered')
    t.equal(receiver.received.length, 6, 'also back to the old one')
  }
)

t.test('a repeat with another secret is no step of the schedule', async (t) => {
  const rig = await startRig(t, { idle: true })
  const receiver = await startReceiver(t)
  receiver.reply(() => 403)
  const { id } = await rig.webhooks.create(ACCOUNT, { url: receiver.url })
  await rig.webhooks.rotateSecret(ACCOUNT, id, { overlapHours: 24 })
  await rig.happen(anEvent())
  await rig.webhooks.deliver(ACCOUNT, id, rig.signal)
  const [delivery] = await rig.deliveries(id)
  t.match(delivery, { status: 'pending', attempts: 2, round: 1, lastStatus: 403 })
  t.ok(Date.parse(delivery!.nextAttemptAt!) - Date.now() <= 6000, 'the first wait follows')
  t.equal((await rig.store.webhooks.find(ACCOUNT, id))!.health.failures, 1, 'and it is one failure')
})

t.test('other failures are not repeated with another secret, and none is when there is one secret', async (t) => {
  // The clock does not advance: otherwise what failed first is due again before the last is tried, and is
  // counted with it.
  mock.timers.enable({ apis: ['Date'], now: Date.now() })
  t.teardown(() => {
    mock.timers.reset()
  })
  const rig = await startRig(t, { idle: true })
  const receiver = await startReceiver(t)
  const { id } = await rig.webhooks.create(ACCOUNT, { url: receiver.url })
  const sentBy = async (status: number) => {
    const before = receiver.received.length
    receiver.reply(() => status)
    await rig.happen(anEvent())
    await rig.webhooks.deliver(ACCOUNT, id, rig.signal)
    return receiver.received.length - before
  }
  for (const status of [400, 401, 403]) t.equal(await sentBy(status), 1, `${status} with one secret`)
  await rig.webhooks.rotateSecret(ACCOUNT, id, { overlapHours: 24 })
  for (const status of [404, 422, 500, 200]) t.equal(await sentBy(status), 1, `${status} with two`)
  for (const status of [400, 401, 403]) t.equal(await sentBy(status), 2, `${status} with two`)
})

t.test('without an overlap the old secret signs nothing more', async (t) => {
  const rig = await startRig(t)
  const receiver = await startReceiver(t)
  const { id, secret: old } = await rig.webhooks.create(ACCOUNT, { url: receiver.url })
  const { secret: fresh, secretExpiresAt } = await rig.webhooks.rotateSecret(ACCOUNT, id, { overlapHours: 0 })
  t.equal(secretExpiresAt, null)
  await rig.happen(...events(1))
  await receiver.count(1)
  t.ok((await isSignedWith(fresh, receiver.received[0]!)) && isStandard(fresh, receiver.received[0]!))
  t.notOk((await isSignedWith(old, receiver.received[0]!)) || isStandard(old, receiver.received[0]!))
})
