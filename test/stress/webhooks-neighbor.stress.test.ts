import t from 'tap'
import { small } from '../profile.ts'
import { startReceiver } from '../services/webhooks/receiver.ts'
import { ACCOUNT, anEvent, startRig, until } from '../services/webhooks/rig.ts'

const WAITING = small ? 300 : 10_000
const NEIGHBORS = small ? 3 : 19
const EVENTS = small ? 15 : 100
const EVERY_MS = small ? 1400 : 200
/**
 * A receiver that waited for the unresponsive one would wait for the 15 seconds of an attempt. In
 * the scaled profile, the load of the database server takes a part of this time.
 */
const LONGEST_MS = small ? 12_000 : 1_000

t.test(
  `an unresponsive receiver with ${WAITING.toLocaleString('en')} deliveries does not delay other receivers`,
  async (t) => {
    const rig = await startRig(t)
    const hole = await startReceiver(t)
    hole.reply(() => 'silence')
    const { id } = await rig.webhooks.create(ACCOUNT, { url: hole.url })
    await rig.happen(...Array.from({ length: WAITING }, () => anEvent()))
    await hole.count(10)

    const receiver = await startReceiver(t)
    for (let i = 0; i < NEIGHBORS; i++) await rig.webhooks.create(ACCOUNT, { url: `${receiver.url}/${i}` })
    const happenedAt = new Map<string, number>()
    // For 20 seconds: while the first ten hang, and after they have run out of time.
    for (let i = 0; i < EVENTS; i++) {
      const event = anEvent()
      happenedAt.set(event.id, Date.now())
      await rig.store.events.add([event])
      await rig.queue.add('fan-out-events', { accountId: ACCOUNT }, { key: ACCOUNT })
      const pause = new Promise((resolve) => {
        setTimeout(resolve, EVERY_MS)
      })
      // One at a time: else a slow store would be what they wait for.
      if (small) await receiver.count((i + 1) * NEIGHBORS)
      await pause
    }
    await receiver.count(EVENTS * NEIGHBORS)
    const waitsMs = receiver.received
      .map((received) => received.atMs - happenedAt.get(received.id)!)
      .sort((a, b) => a - b)
    const p99 = waitsMs[Math.floor(waitsMs.length * 0.99)]!
    t.comment(
      `first tries: median ${waitsMs[Math.floor(waitsMs.length / 2)]} ms, p99 ${p99} ms, last ${waitsMs.at(-1)} ms`
    )
    t.ok(p99 <= LONGEST_MS, `p99 ${p99} ms`)
    t.equal(receiver.received.length, EVENTS * NEIGHBORS, 'each got each event once')

    await until(async () => (await rig.webhooks.read(ACCOUNT, id)).pausedUntil !== null)
    t.ok(hole.mostAtOnce() <= 10, `${hole.mostAtOnce()} at once at the one that never answers`)
    const deliveries = await rig.deliveries(id)
    t.equal(deliveries.length, WAITING + EVENTS)
    t.ok(
      deliveries.every(({ status }) => status === 'pending'),
      'where nothing is lost'
    )
    t.ok(deliveries.filter(({ attempts }) => attempts > 0).length <= 20, 'and few attempts are spent')
  }
)
