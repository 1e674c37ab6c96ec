import t, { type Test } from 'tap'
import { sessionToken, temporaryFolder } from '../helper.ts'
import { createSvc } from '../processes.ts'
import { small } from '../profile.ts'
import { SEED } from '../seed.ts'
import { createSeededRandom } from '../fixtures/seeded-random.ts'
import { createAccountReading, differences, productsFromEvents } from '../fixtures/webhooks/chaos-account.ts'
import { createWriter, noExpectations } from '../fixtures/webhooks/chaos-writer.ts'
import { FAILING, healthy } from '../fixtures/webhooks/chaos-replies.ts'
import { openChaosReceiver, type ChaosReceiver } from '../fixtures/webhooks/chaos-receiver.ts'
import { startChaosServer, type Send } from '../fixtures/webhooks/chaos-server.ts'
import {
  blogProblems,
  receiverProblems,
  isWanted,
  productProblems,
  type Wants
} from '../fixtures/webhooks/chaos-checks.ts'
import { eventually } from '../fixtures/webhooks/receiver.ts'

const EVENTS = small ? 60 : 600
const KILLS = small ? 3 : 8
/** The duration of the load. */
const SECONDS = small ? 15 : 40
/** The first six fail, each in a different way. */
const ENDPOINTS = small ? 10 : 20
const WRITERS = small ? 3 : 6
/** How long a kill waits for its condition. */
const MAX_WAIT_FOR_MOMENT_MS = small ? 30_000 : 3000
/**
 * Shortens hours of retries to seconds, without exceeding the 120 hours after which a webhook is disabled.
 */
const ENV = { OUTBOUND_ALLOW: '127.0.0.1', WEBHOOK_TIME_SCALE: '2000' }
/**
 * What a killed server held is free after 25 seconds and found within a minute, and what waits
 * longest is tried again within 40 seconds.
 */
const LONGEST_MS = 100_000 + EVENTS * 30

const pause = (ms: number) =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, Math.max(0, ms))
  })

/** Four kinds of subscribers. */
const WANTS: Wants[] = [
  { events: null, projectIds: null },
  { events: null, projectIds: null },
  { events: ['products.optimized'], projectIds: null },
  { events: null, projectIds: ['site', 'shop-a'] },
  { events: ['blog.published', 'blog.updated', 'blog.unpublished', 'blog.deleted'], projectIds: null }
]

interface Endpoint {
  id: string
  wants: Wants
  receiver: ChaosReceiver
}

async function register(
  t: Test,
  { send, token, random }: { send: Send; token: string; random: () => number },
  index: number
): Promise<Endpoint> {
  const receiver = await openChaosReceiver(t, { replyMode: FAILING[index] ?? healthy, random })
  const wants = WANTS[index % WANTS.length]!
  const made = await send('/api/webhooks', {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: { url: receiver.url, ...wants }
  })
  if (made?.status !== 201) throw new Error(JSON.stringify(made))
  receiver.setSecret(made.body.secret)
  return { id: made.body.id, wants, receiver }
}

t.test(
  `${ENDPOINTS} receivers get all ${EVENTS.toLocaleString('en')} events despite failures and ${KILLS} kills`,
  async (t) => {
    const random = createSeededRandom(SEED)
    const beganMs = Date.now()
    const since = () => `${Math.round((Date.now() - beganMs) / 1000)} s`
    t.comment(`SEED=${SEED}`)
    const data = temporaryFolder(t)
    const svc = createSvc(data)
    const key = (await svc('keys', 'create', '--name', 'Writer', '--account', 'acme')).out.trim()
    t.equal((await svc('account', 'set-limits', 'acme', '--requests-per-hour', '1000000')).code, 0)
    const token = await sessionToken('acme')
    const { send, kill, inFlight, logged } = await startChaosServer(t, data, ENV)
    const reading = createAccountReading({ send, key, token })
    const endpoints: Endpoint[] = []
    for (let i = 0; i < ENDPOINTS; i++) endpoints.push(await register(t, { send, token, random }, i))

    const expected = noExpectations()
    const enough = () => expected.blogs.length >= EVENTS
    const startMs = Date.now()
    let turns = 0
    async function work(name: string): Promise<void> {
      const writer = createWriter({ send, key, name, random, expected })
      while (!enough()) {
        // At a constant rate. Actions that a killed server delayed follow immediately.
        await pause(startMs + (turns++ * SECONDS * 1000) / EVENTS - Date.now())
        await writer.change()
      }
    }
    const working = Promise.all(Array.from({ length: WRITERS }, (_, i) => work(`writer-${i}`)))
    working.catch(() => {})

    const open = () => endpoints.reduce((sum, { receiver }) => sum + receiver.open(), 0)
    /**
     * In turn: at any moment, while a receiver has been called, while a caller waits for an answer,
     * and just after one was answered, when an event is being made into deliveries.
     */
    const moments = [
      () => true,
      () => open() > 0,
      () => inFlight() > 0,
      (answeredBefore: number) => expected.blogs.length > answeredBefore
    ]
    async function moment(n: number): Promise<void> {
      await pause(random() * 500)
      const [answered, untilMs] = [expected.blogs.length, Date.now() + MAX_WAIT_FOR_MOMENT_MS]
      const hasCome = () => moments[n % moments.length]!(answered) || Date.now() > untilMs
      for (let late = true; late; ) {
        while (!hasCome()) await pause(0)
        await pause(random() * 20)
        // Of a few kills none may come when its moment is over.
        late = small && !hasCome()
      }
    }
    let cutOff = 0
    let killsUnderWay = 0
    for (let n = 0; n < KILLS; n++) {
      // The last one is when all has happened, so that nothing but the server's own start sets off
      // what is left.
      const share = n === KILLS - 1 ? 1 : (n + random()) / KILLS
      await Promise.race([working, eventually(() => expected.blogs.length >= EVENTS * share, 'progress', LONGEST_MS)])
      await moment(KILLS - 1 - n)
      cutOff += open()
      if (open() > 0) killsUnderWay += 1
      await kill()
    }
    await working
    t.comment(
      `${since()}: ${KILLS} kills, ${killsUnderWay} of them during deliveries, ${cutOff} ` + 'deliveries interrupted'
    )
    t.ok(killsUnderWay > 0, 'deliveries were under way when the server was killed')
    for (const { receiver } of endpoints) receiver.heal()

    /** Polls once a second. After the timeout, the assertions below report what is missing. */
    async function waitUntil(what: string, condition: () => Promise<boolean>): Promise<void> {
      const poll = async () => (await condition()) || (await pause(1000), false)
      t.equal(await eventually(poll, what, LONGEST_MS).then(() => '', String), '', `${what}: ${since()}`)
    }
    let events = await reading.events()
    let products = await reading.products()
    await waitUntil('every product is optimized and published', async () => {
      events.push(...(await reading.events(events.length)))
      products = await reading.products()
      return (
        products.every(({ status }) => status === 'optimized') &&
        differences(productsFromEvents(events), products).length === 0
      )
    })
    await waitUntil('nothing is pending', async () => {
      for (const { id, wants } of endpoints) {
        if (
          (await reading.deliveries(id)) < events.filter((event) => isWanted(wants, event)).length ||
          (await reading.deliveries(id, 'pending')) > 0
        ) {
          return false
        }
      }
      return true
    })

    events = await reading.events()
    t.ok(events.length >= EVENTS, `${events.length} events`)
    t.same(
      events.map(({ sequence }) => sequence),
      events.map((_, i) => i + 1),
      'the events that can be pulled have no gaps'
    )
    t.equal(new Set(events.map(({ id }) => id)).size, events.length)
    t.same(expected.unexpected, [], 'every request succeeded or got no response')
    t.same(
      blogProblems(events, await reading.blogs(), expected.blogs),
      [],
      'acknowledged changes are published, and published events are correct'
    )
    t.same(productProblems(events, products, expected), [], 'products and imports match the responses')
    let repeated = 0
    for (const [i, { id, wants, receiver }] of endpoints.entries()) {
      const wanted = events.filter((event) => isWanted(wants, event))
      t.same(
        receiverProblems(receiver, wanted).slice(0, 10),
        [],
        `receiver ${i} has its ${wanted.length} events, complete and in order`
      )
      t.equal(await reading.deliveries(id, 'delivered'), wanted.length, 'its webhook reports the same number')
      if (wants.events?.includes('products.optimized') ?? true) {
        t.same(
          differences(receiver.published, products, (projectId) => wants.projectIds?.includes(projectId) ?? true).slice(
            0,
            10
          ),
          [],
          'its product events match the product list'
        )
      }
      for (const { accepted } of receiver.got.values()) repeated += Math.max(0, accepted - 1)
    }
    t.comment(
      `${since()}: ${events.length} events, ` +
        `${endpoints.reduce((sum, { receiver }) => sum + receiver.got.size, 0)} deliveries, ${repeated} of ` +
        'them taken more than once'
    )
    // On a busy machine Redis may respond after a second. The service logs this and recovers.
    t.same(
      logged().filter((line) => !line.includes('"code":"unavailable"')),
      [],
      'no server logged an error'
    )
  }
)
