import { setTimeout as wait } from 'node:timers/promises'
import t, { type Test } from 'tap'
import type { Database } from '../../../../ports/store/mongodb/database.ts'
import { eventCollection } from '../../../../ports/store/mongodb/events/add.ts'
import { createEvents } from '../../../../ports/store/mongodb/events/index.ts'
import { pendingFields, pendingUpdate, movePendingEvents } from '../../../../ports/store/mongodb/events/pending.ts'
import { createDeliveries } from '../../../../ports/store/mongodb/deliveries/index.ts'
import { createProducts } from '../../../../ports/store/mongodb/products/index.ts'
import { createTransfer } from '../../../../ports/store/mongodb/transfer/index.ts'
import { createWebhooks } from '../../../../ports/store/mongodb/webhooks/index.ts'
import type { NewEvent, ProductEventWrite, Store } from '../../../../ports/store/port.ts'
import { minute } from '../../../contracts/store/fixtures/content.ts'
import {
  buildDelivery,
  buildEvent,
  buildProductWithPendingEvent,
  buildWebhook
} from '../../../contracts/store/fixtures/webhooks.ts'
import { interruptedAfter, killedAfter, killedEverywhere, survived } from '../../../fixtures/mongodb/faults.ts'
import { indexesFor, recordQueries } from '../../../fixtures/mongodb/query-plans.ts'
import { createTestDatabase } from '../../../fixtures/mongodb/test-database.ts'
import { MONGODB_URL } from '../../../profile.ts'

type Part = Pick<Store, 'events' | 'products' | 'webhooks' | 'deliveries'>
const storeOf = (database: Database): Part => ({
  events: createEvents(database),
  products: createProducts(database),
  webhooks: createWebhooks(database),
  deliveries: createDeliveries(database)
})
const ALL = { after: 0, limit: 1000 }
const PLACE = { accountId: 'acme', projectId: 'site' }
const eventsOf = async ({ events }: Part) =>
  (await events.list('acme', ALL)).map(({ id, sequence }) => ({ id, sequence }))
const addProductEvent = async ({ events }: Part, products: ProductEventWrite['products']) =>
  (await events.addProductEvents([{ event: buildEvent(), products }]))[0]!
const numbered = (events: NewEvent[]) => events.map(({ id }, at) => ({ id, sequence: at + 1 }))
const skip = MONGODB_URL === undefined ? { skip: 'TEST_MONGODB_URL is not set' } : {}

async function setUp(t: Test) {
  const own = await createTestDatabase(t)
  const [one, other] = [await own.open(), await own.open()]
  return { ...own, one, other, store: storeOf(one) }
}

t.test('events of a change are read in order, although the process crashed before it moved them', skip, async (t) => {
  const { one, other, empty } = await setUp(t)
  const asks: Record<string, (store: Part, last: NewEvent) => Promise<unknown[]>> = {
    list: async ({ events }) => await events.list('acme', ALL),
    find: async (store, last) => ((await store.events.find('acme', last.id)) === null ? [] : await eventsOf(store)),
    accounts: async (store) =>
      (await store.events.pendingFanOutAccounts({ after: null, limit: 10 })).items.includes('acme')
        ? await eventsOf(store)
        : []
  }
  for (const [name, ask] of Object.entries(asks)) {
    await empty()
    const [first, second, third] = [buildEvent(), buildEvent(), buildEvent()]
    const blogs = one.collection<{ _id: string }>('blogs')
    await blogs.insertOne({ _id: 'blog', accountId: 'acme', title: 'Tea', ...pendingFields([first]) } as never)
    await blogs.updateOne({ _id: 'blog' }, pendingUpdate([second, third]) as object)
    const got = await ask(storeOf(other), third)
    t.match(got, numbered([first, second, third]), name)
    t.strictSame(
      await blogs.findOne({ _id: 'blog' }),
      { _id: 'blog', accountId: 'acme', title: 'Tea' },
      'the document has no pending events left'
    )
  }
  await empty()
  const theirs = buildEvent({ accountId: 'zeta' })
  await one
    .collection<{ _id: string }>('imports')
    .insertOne({ _id: 'import', accountId: 'zeta', ...pendingFields([theirs]) } as never)
  t.strictSame(await eventsOf(storeOf(one)), [], 'not those of another account')
  t.strictSame((await storeOf(other).events.pendingFanOutAccounts({ after: null, limit: 10 })).items, ['zeta'])
})

t.test('events that are added to a document while others are moved are not lost', skip, async (t) => {
  const { one, other, store } = await setUp(t)
  const events = Array.from({ length: 20 }, () => buildEvent())
  const blogs = one.collection<{ _id: string }>('blogs')
  await blogs.insertOne({ _id: 'blog', accountId: 'acme' } as never)
  await Promise.all(
    events.map(async (event, at) => {
      const database = at % 2 === 0 ? one : other
      await database.collection<{ _id: string }>('blogs').updateOne({ _id: 'blog' }, pendingUpdate([event]) as object)
      await movePendingEvents(database, 'blogs', 'blog')
    })
  )
  t.strictSame(await blogs.findOne({ _id: 'blog' }), { _id: 'blog', accountId: 'acme' })
  t.strictSame(
    (await store.events.list('acme', ALL)).map(({ sequence }) => sequence),
    events.map((_, at) => at + 1)
  )
})

t.test('a crash at any point leaves all events of a call or none, and a retry adds each once', skip, async (t) => {
  const { one, empty, store } = await setUp(t)
  const kills = await killedEverywhere(async (calls) => {
    await empty()
    const known = buildEvent()
    await store.events.add([known])
    const events = [buildEvent(), known, buildEvent(), buildEvent()]
    const done = await survived(storeOf(killedAfter(one, calls)).events.add(events))
    const left = await eventsOf(store)
    t.ok(left.length === 1 || left.length === 4, `after ${calls} calls there are ${left.length}`)
    await store.events.add(events)
    t.strictSame(await eventsOf(store), numbered([known, events[0]!, events[2]!, events[3]!]))
    return done
  })
  t.ok(kills >= 5)
})

t.test(
  'events that several processes add have no gaps, and readers never see one before a smaller one',
  skip,
  async (t) => {
    const { one, other, open } = await setUp(t)
    const reader = storeOf(await open())
    const over = new AbortController()
    const some = () => Array.from({ length: 1 + Math.floor(Math.random() * 3) }, () => buildEvent())
    const reads = { looks: 0, gaps: 0 }
    let added = 0
    const adding = Promise.all(
      Array.from({ length: 6 }, async (_, at) => {
        // On a busy machine, until the reader has looked several times, which takes longer the more events there are.
        for (let batches = 0; batches < 15 || reads.looks <= 3; batches++) {
          if (batches >= 15) await wait(100)
          const batch = some()
          await storeOf(at % 2 === 0 ? one : other).events.add(batch)
          added += batch.length
        }
      })
    ).finally(() => over.abort())
    while (!over.signal.aborted) {
      const seen = (await reader.events.list('acme', ALL)).map(({ sequence }) => sequence)
      if (seen.some((sequence, at) => sequence !== at + 1)) reads.gaps++
      reads.looks++
    }
    await adding
    t.equal(reads.gaps, 0)
    const all = await eventsOf(reader)
    t.strictSame(
      all.map(({ sequence }) => sequence),
      Array.from({ length: added }, (_, at) => at + 1)
    )
  }
)

t.test(
  'exactly one of several processes publishes a product, also if each publishes other products too',
  skip,
  async (t) => {
    const { one, other, store } = await setUp(t)
    const kettle = buildProductWithPendingEvent()
    const others = Array.from({ length: 8 }, () => buildProductWithPendingEvent())
    await store.products.saveMany([kettle, ...others].map((product) => ({ product, ifVersion: null })))
    const done = await Promise.all(
      others.map(
        async (cup, at) =>
          await addProductEvent(
            storeOf(at % 2 === 0 ? one : other),
            [kettle, cup].map(({ id }) => ({ id, ifVersion: 1, digest: 'd' }))
          )
      )
    )
    t.equal(done.filter(Boolean).length, 1)
    t.equal((await eventsOf(store)).length, 1)
    t.equal((await store.products.pendingEvents(PLACE, 10)).products.length, 7)
  }
)

t.test('a crash at any point leaves a product marked by its event, or no event', skip, async (t) => {
  const { one, other, empty } = await setUp(t)
  const kills = await killedEverywhere(async (calls) => {
    await empty()
    const products = [buildProductWithPendingEvent(), buildProductWithPendingEvent()]
    await storeOf(one).products.saveMany(products.map((product) => ({ product, ifVersion: null })))
    const done = await survived(
      addProductEvent(
        storeOf(killedAfter(one, calls)),
        products.map(({ id }) => ({ id, ifVersion: 1, digest: 'd' }))
      )
    )
    const count = (await storeOf(other).products.pendingEvents(PLACE, 10)).products.length
    const events = await eventsOf(storeOf(other))
    t.equal(count, events.length === 1 ? 0 : 2, `after ${calls} calls`)
    const found = await storeOf(other).products.find('acme', products[0]!.id)
    t.match(
      found,
      events.length === 1
        ? { publishedDigest: 'd', eventPendingSince: null, version: 2 }
        : { publishedDigest: null, version: 1 }
    )
    t.strictSame(await one.collection('events').countDocuments({ productMarks: { $exists: true } }), 0)
    return done
  })
  t.ok(kills >= 4)
})

t.test('a product that changes at any point during its publication stays pending', skip, async (t) => {
  const { one, other, empty } = await setUp(t)
  for (let calls = 0; calls < 7; calls++) {
    await empty()
    const store = storeOf(other)
    const kettle = buildProductWithPendingEvent()
    await store.products.saveMany([{ product: kettle, ifVersion: null }])
    async function change() {
      const now = await store.products.find('acme', kettle.id)
      t.strictSame(
        await store.products.saveMany([
          {
            product: { ...now!, title: 'New', version: now!.version + 1, eventPendingSince: minute(5) },
            ifVersion: now!.version
          }
        ]),
        ['saved']
      )
    }
    const done = await addProductEvent(storeOf(interruptedAfter(one, calls, change)), [
      { id: kettle.id, ifVersion: 1, digest: 'd' }
    ])
    t.equal((await eventsOf(store)).length, done ? 1 : 0, `after ${calls} calls`)
    const found = await store.products.find('acme', kettle.id)
    t.equal(found!.eventPendingSince === null, found!.title === 'Kettle')
  }
})

const DELETIONS: Record<string, (store: Part) => Promise<unknown>> = {
  'a sweep': async ({ events }) => await events.deleteBefore(minute(99), 10),
  'trimming events': async ({ events }) => await events.trim('acme', { maxBytes: 0, upTo: 99, limit: 10 })
}
for (const [name, run] of Object.entries(DELETIONS)) {
  const title = `a crash during ${name} reuses no sequence and leaves no delivery without its event`
  t.test(title, skip, async (t) => await crashEverywhere(t, run))
}

async function crashEverywhere(t: Test, run: (store: Part) => Promise<unknown>): Promise<void> {
  const { one, empty, store } = await setUp(t)
  const kills = await killedEverywhere(async (calls) => {
    await empty()
    const webhook = buildWebhook()
    await store.webhooks.add(webhook, 5)
    const events = [buildEvent(), buildEvent()]
    await store.events.add(events)
    await store.deliveries.add(events.map((event) => buildDelivery(webhook, event)))
    await store.events.markFannedOut(
      'acme',
      events.map(({ id }) => id)
    )
    const done = await survived(run(storeOf(killedAfter(one, calls))))
    const eventsLeft = (await eventsOf(store)).length
    const deliveriesLeft = await one.collection('deliveries').countDocuments()
    t.ok(deliveriesLeft <= eventsLeft, `after ${calls} calls`)
    await run(store)
    t.strictSame(await eventsOf(store), [])
    const next = buildEvent()
    await store.events.add([next])
    await store.deliveries.add([buildDelivery(webhook, next)])
    t.strictSame(await eventsOf(store), [{ id: next.id, sequence: 3 }])
    t.equal(
      (await store.deliveries.list({ accountId: 'acme', webhookId: webhook.id }, { page: 1, pageSize: 9 }))
        .deliveries[0]?.sequence,
      3
    )
    return done
  })
  t.ok(kills >= 8)
}

t.test('the sizes of events are added up in their index, by few commands', skip, async (t) => {
  const { one, store } = await setUp(t)
  const events = eventCollection(one)
  const transfer = createTransfer(one)
  await store.events.add([buildEvent(), buildEvent()])
  const kettle = buildProductWithPendingEvent()
  await store.products.saveMany([{ product: kettle, ifVersion: null }])
  t.ok(await addProductEvent(store, [{ id: kettle.id, ifVersion: 1, digest: 'd' }]))
  const fitting = async (maxBytes: number, database = one) =>
    (await createEvents(database).trim('acme', { maxBytes, upTo: 0, limit: 1 })).fitting
  const [first] = await store.events.list('acme', ALL)
  const size = Buffer.byteLength(first!.head) + Buffer.byteLength(first!.tail)
  t.equal(await fitting(2 * size), 2)
  t.equal(await fitting(3 * size), 3)

  const { records } = await transfer.page('event', { after: null, limit: 10 })
  t.notOk(records.some((record) => 'bytes' in record))
  await events.deleteMany({})
  await transfer.put('event', records)
  t.equal(await fitting(3 * size - 1), 2, 'also of those that are imported')

  await events.updateMany({}, { $set: { tail: 'x'.repeat(5_000) } })
  t.equal(await fitting(3 * size - 1), 2, 'their texts are not read')
  await events.updateOne({ sequence: 2 }, { $unset: { bytes: '' } })
  t.equal(await fitting(2 * size), 3, 'events of the previous version have no size')
  const queries = await recordQueries(one, async (database) => await fitting(size, database))
  t.equal(queries.length, 4)
  for (const query of queries) t.ok(indexesFor(query).includes('sizes'), JSON.stringify(query))
})
