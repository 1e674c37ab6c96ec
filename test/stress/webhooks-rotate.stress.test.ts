import { createHmac } from 'node:crypto'
import t from 'tap'
import { createSeededRandom } from '../fixtures/seeded-random.ts'
import { small } from '../profile.ts'
import { startReceiver } from '../services/webhooks/receiver.ts'
import { ACCOUNT, anEvent, startRig, until } from '../services/webhooks/rig.ts'

const EVENTS = small ? 300 : 1000
/** If the receiver has not changed its secret by then, the test fails. */
const MAX_EVENTS = 20 * EVENTS
const SEEDS = small ? [1] : [1, 2, 3]

const pause = async (ms: number) => {
  await new Promise((resolve) => {
    setTimeout(resolve, ms)
  })
}

for (const seed of SEEDS) {
  t.test(`a receiver with one secret loses no delivery during its rotation (${seed})`, async (t) => {
    const random = createSeededRandom(seed)
    const rig = await startRig(t)
    const receiver = await startReceiver(t)
    const { id, secret } = await rig.webhooks.create(ACCOUNT, { url: receiver.url })
    let known = secret
    const accepted: number[] = []
    let refused = 0
    let signedByBoth = 0
    receiver.reply(({ body, headers, sequence }) => {
      const isGood = headers['x-svc-signature'] === `sha256=${createHmac('sha256', known).update(body).digest('hex')}`
      if (String(headers['webhook-signature']).includes(' ')) signedByBoth += 1
      if (isGood) accepted.push(sequence)
      else refused += 1
      return { status: isGood ? 200 : 401, afterMs: random() * 5 }
    })

    const rotateAt = Math.floor((random() * EVENTS) / 2)
    const switchAt = rotateAt + Math.floor(random() * EVENTS * 0.4)
    let fresh = ''
    let made = 0
    // A run of deliveries reads its webhook again within seconds. Until then, it signs as before.
    for (let switchedAt = Infinity; made < Math.max(EVENTS, Math.min(MAX_EVENTS, switchedAt + 50)); ) {
      const batch = Array.from({ length: 1 + Math.floor(random() * 40) }, () => anEvent())
      await rig.happen(...batch)
      made += batch.length
      if (made > rotateAt && fresh === '') {
        fresh = (await rig.webhooks.rotateSecret(ACCOUNT, id, { overlapHours: 24 })).secret
      }
      await pause(random() * 20)
      await until(() => accepted.length > made - 100)
      // The receiver learns the new secret after the rotation. The deliveries in flight at that time,
      // at most ten, have arrived by now.
      if (made > switchAt && signedByBoth > 20 && known !== fresh) {
        known = fresh
        switchedAt = made
      }
    }
    await until(async () => (await rig.deliveries(id)).every(({ status }) => status !== 'pending'))
    await rig.queue.idle()
    t.same(
      accepted.sort((a, b) => a - b),
      Array.from({ length: made }, (_, i) => i + 1),
      'each was accepted, once'
    )
    t.ok(
      (await rig.deliveries(id)).every(({ status, round }) => status === 'delivered' && round === 1),
      'and at its first try'
    )
    t.equal(known, fresh, 'the receiver has changed its secret')
    t.ok(refused >= 1 && refused <= 100, `${refused} were refused at first and repeated at once`)
  })
}
