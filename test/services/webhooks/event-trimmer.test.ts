import t, { type Test } from 'tap'
import type { NewEvent } from '../../../ports/store/port.ts'
import { createEvents } from '../../../services/events/index.ts'
import type { TrimmedEvents } from '../../../services/webhooks/event-trimmer.ts'
import { ACCOUNT, anEvent, startRig } from './rig.ts'

const STEP_MS = 5 * 60_000
/** The bytes of an event. */
const SIZE = 1_000

function sized(accountId = ACCOUNT): NewEvent {
  const event = anEvent({ accountId, data: { text: '' } })
  const text = 'x'.repeat(SIZE - event.head.length - event.tail.length)
  return { ...event, tail: event.tail.replace('""', `"${text}"`) }
}
const many = (count: number) => Array.from({ length: count }, () => sized())
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at)

/** An account with a storage limit of this many events, whose event log may have `minEvents` in any case. */
async function setUp(t: Test, { limit, minEvents }: { limit: number; minEvents: number }) {
  const clock = { nowMs: 0 }
  const trimmed: TrimmedEvents[] = []
  const onTrimmed = (each: TrimmedEvents) => {
    trimmed.push(each)
  }
  const eventLog = { minBytes: minEvents * SIZE, nowMs: () => clock.nowMs, onTrimmed }
  const rig = await startRig(t, { idle: true, eventLog })
  const createdAt = new Date().toISOString()
  await rig.store.accounts.insertIfAbsent({
    ...{ id: ACCOUNT, plan: 'starter', requestsPerHour: null, features: [], knownProjectsOnly: false, createdAt },
    storage: { bytes: limit * SIZE }
  })
  const left = async () =>
    (await rig.store.events.list(ACCOUNT, { after: 0, limit: 10_000 })).map(({ sequence }) => sequence)
  return { ...rig, clock, trimmed, left }
}

t.test('the event log of an account has at most a fifth of its storage limit', async (t) => {
  const rig = await setUp(t, { limit: 5 * 150, minEvents: 5 })
  const { clock, left } = rig
  const { id } = await rig.webhooks.create(ACCOUNT, { url: 'https://shop.example/hook' })
  await rig.store.events.add([sized('other')])
  await rig.happen(sized())
  clock.nowMs += STEP_MS
  await rig.happen(sized())
  await rig.happen(...many(299))
  t.same(await left(), range(1, 301), 'events of the last five minutes stay')
  clock.nowMs += STEP_MS
  await rig.happen(sized())
  t.same(await left(), range(3, 302), 'and those that were added since the log was measured')

  await rig.happen(...many(99))
  clock.nowMs += STEP_MS - 1
  await rig.happen(sized())
  t.same(await left(), range(3, 402))
  clock.nowMs += 1
  await rig.happen(sized())
  t.same(await left(), range(254, 403), 'the log has its size')
  clock.nowMs += STEP_MS
  await rig.happen(...many(99))
  t.same(await left(), range(254, 502), 'it is measured again after 100 events')
  await rig.happen(sized())
  t.same(await left(), range(354, 503))

  t.same(
    (await rig.deliveries(id)).map(({ sequence }) => sequence),
    range(354, 503)
  )
  const page = await createEvents({ store: rig.store }).list(ACCOUNT, { after: 5, limit: 1 })
  t.match(page, { events: [{ sequence: 354 }], next: 354 }, 'readers continue with the oldest event that is left')
  t.equal((await rig.store.events.list('other', { after: 0, limit: 10 })).length, 1)
  const ofLog = { accountId: ACCOUNT, maxBytes: 150 * SIZE }
  t.same(
    rig.trimmed,
    [2, 251, 100].map((events) => ({ ...ofLog, events }))
  )
  t.equal(rig.counters.trimmedEvents, 353)
})

t.test('an account with a small storage limit has an event log of the smallest size', async (t) => {
  const { clock, happen, left } = await setUp(t, { limit: 0, minEvents: 120 })
  await happen(sized())
  clock.nowMs += STEP_MS
  await happen(sized())
  await happen(...many(130))
  clock.nowMs += STEP_MS
  await happen(sized())
  await happen(...many(99))
  clock.nowMs += STEP_MS
  await happen(sized())
  t.same(await left(), range(114, 233))
})

t.test('a log that is much too large gets its size in several steps', async (t) => {
  const { clock, happen, left, trimmed } = await setUp(t, { limit: 0, minEvents: 10 })
  await happen(sized())
  await happen(...many(2_200))
  clock.nowMs += STEP_MS
  await happen(sized())
  await happen(...many(100))
  clock.nowMs += STEP_MS
  await happen(sized())
  t.same(trimmed.map(({ events }) => events).slice(0, 2), [1, 1000])
  await happen(sized())
  await happen(sized())
  t.same(await left(), range(2203, 2305))
})

t.test('a log that became too large is trimmed by the sweep if no event follows', async (t) => {
  const { clock, left, happen, webhooks } = await setUp(t, { limit: 5, minEvents: 150 })
  const sweep = async () => await webhooks.sweep(AbortSignal.timeout(60_000))
  await happen(sized())
  await happen(...many(299))
  await sweep()
  clock.nowMs += STEP_MS
  await sweep()
  t.same(await left(), range(2, 300), 'what this process had seen five minutes before')
  await sweep()
  clock.nowMs += STEP_MS - 1
  await sweep()
  t.same(await left(), range(2, 300))
  clock.nowMs += 1
  await sweep()
  t.same(await left(), range(151, 300), 'the log has its size')
  clock.nowMs += 10 * STEP_MS
  await sweep()
  t.same(await left(), range(151, 300))
})
