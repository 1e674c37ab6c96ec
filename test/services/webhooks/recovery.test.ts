import t from 'tap'
import { scaled } from '../../profile.ts'
import { startReceiver } from './receiver.ts'
import { ACCOUNT, anEvent, startRig, until } from './rig.ts'

/** Both are more than are looked at in one step. */
const MISSED = scaled ? 434 : 1234
const HALFWAY = scaled ? 500 : 1000
const START = Date.UTC(2030, 0, 1)
const minute = (count: number) => new Date(START + count * 60_000).toISOString()

/**
 * A webhook that was disabled while so many events happened, one a minute, and is enabled again.
 */
async function startMissed(t: Parameters<typeof startRig>[0], count: number, options = {}) {
  const rig = await startRig(t, options)
  const receiver = await startReceiver(t)
  const { id } = await rig.webhooks.create(ACCOUNT, { url: receiver.url })
  await rig.webhooks.patch(ACCOUNT, id, { enabled: false })
  await rig.happen(...Array.from({ length: count }, (_, i) => anEvent({ timestamp: minute(i) })))
  await rig.webhooks.enable(ACCOUNT, id)
  return { rig, receiver, id }
}

t.test('everything that was missed is sent again, however much it is', async (t) => {
  const { rig, receiver, id } = await startMissed(t, MISSED)
  t.ok((await rig.deliveries(id)).every(({ status }) => status === 'skipped'))
  const started = await rig.webhooks.startRecovery(ACCOUNT, id, { since: minute(0), until: minute(5000) })
  t.match(started, {
    webhookId: id,
    status: 'running',
    since: minute(0),
    until: minute(5000),
    statuses: ['failed', 'skipped'],
    examined: 0,
    requeued: 0,
    finishedAt: null
  })
  const done = await until(async () => {
    const recovery = await rig.webhooks.readRecovery(ACCOUNT, started.id)
    return recovery.status === 'done' && recovery
  })
  t.match(done, { examined: MISSED, requeued: MISSED, finishedAt: String })
  await until(async () => (await rig.deliveries(id)).every(({ status }) => status === 'delivered'))
  t.equal(receiver.received.length, MISSED)
  t.equal(new Set(receiver.received.map(({ sequence }) => sequence)).size, MISSED)
})

t.test('a recovery can be narrowed to a span and to statuses', async (t) => {
  const { rig, receiver, id } = await startMissed(t, 10)
  const run = async (request: Parameters<typeof rig.webhooks.startRecovery>[2]) => {
    const before = receiver.received.length
    const { id: recoveryId } = await rig.webhooks.startRecovery(ACCOUNT, id, request)
    const { examined, requeued } = await until(async () => {
      const recovery = await rig.webhooks.readRecovery(ACCOUNT, recoveryId)
      return recovery.status === 'done' && recovery
    })
    await until(async () => (await rig.deliveries(id)).every(({ status }) => status !== 'pending'))
    return {
      examined,
      requeued,
      sent: receiver.received
        .slice(before)
        .map(({ sequence }) => sequence)
        .sort((a, b) => a - b)
    }
  }
  t.same(
    await run({ since: minute(2), until: minute(4) }),
    { examined: 2, requeued: 2, sent: [3, 4] },
    'from since, until before until'
  )
  t.same(
    await run({ since: '2030-01-01T02:01:00+02:00', until: minute(5) }),
    { examined: 4, requeued: 2, sent: [2, 5] },
    'what was delivered is not sent again'
  )
  t.same(
    await run({ since: minute(0), until: minute(10), status: ['delivered'] }),
    { examined: 10, requeued: 4, sent: [2, 3, 4, 5] },
    'unless it is asked for'
  )
  t.same(await run({ since: minute(0), until: minute(10), status: ['failed'] }), {
    examined: 10,
    requeued: 0,
    sent: []
  })
})

t.test('a recovery resumes where it stopped when a process died', async (t) => {
  const { rig, id } = await startMissed(t, HALFWAY, { idle: true })
  const { id: recoveryId } = await rig.webhooks.startRecovery(ACCOUNT, id, { since: minute(0), until: minute(2000) })
  // As a process that looked at the first 200 and died.
  const first = (await rig.deliveries(id)).slice(0, 200)
  const step = { afterSequence: first.at(-1)!.sequence, examined: 200, requeued: 200 }
  t.ok(
    await rig.store.recoveries.advance(
      { accountId: ACCOUNT, id: recoveryId, afterSequence: 0 },
      { change: step, requeue: first.map((one) => one.id), at: new Date().toISOString() }
    )
  )
  await Promise.all(
    [1, 2].map(async () => {
      await rig.webhooks.runRecovery(ACCOUNT, recoveryId, { signal: rig.signal })
    })
  )
  await rig.webhooks.runRecovery(ACCOUNT, recoveryId, { signal: rig.signal })
  t.match(await rig.webhooks.readRecovery(ACCOUNT, recoveryId), {
    status: 'done',
    examined: HALFWAY,
    requeued: HALFWAY
  })
  t.ok((await rig.deliveries(id)).every(({ status }) => status === 'pending'))
})

t.test('a recovery of another account, or of a span that ends before it begins, is refused', async (t) => {
  const { rig, id } = await startMissed(t, 1, { idle: true })
  const { id: recoveryId } = await rig.webhooks.startRecovery(ACCOUNT, id, { since: minute(0), until: minute(5) })
  await t.rejects(rig.webhooks.readRecovery('other', recoveryId), { code: 'recovery_not_found' })
  await t.rejects(rig.webhooks.startRecovery(ACCOUNT, id, { since: minute(5), until: minute(5) }), {
    code: 'invalid_request',
    options: { errors: [{ pointer: '/since' }] }
  })
  await t.rejects(
    rig.webhooks.startRecovery(ACCOUNT, id, { since: minute(5) }),
    { code: 'invalid_request' },
    'the default end is now'
  )
})
