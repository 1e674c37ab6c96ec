import { setTimeout as wait } from 'node:timers/promises'
import t, { type Test } from 'tap'
import type { Database } from '../../../../ports/store/mongodb/database.ts'
import { createDeliveries } from '../../../../ports/store/mongodb/deliveries/index.ts'
import { createEvents } from '../../../../ports/store/mongodb/events/index.ts'
import { createRecoveries } from '../../../../ports/store/mongodb/recoveries.ts'
import { webhookCollection } from '../../../../ports/store/mongodb/webhooks/documents.ts'
import { createWebhooks } from '../../../../ports/store/mongodb/webhooks/index.ts'
import type { NewDelivery, Store, WebhookRecord } from '../../../../ports/store/port.ts'
import { minute } from '../../../contracts/store/fixtures/content.ts'
import {
  buildDeliveryChange,
  buildDelivery,
  buildEvent,
  buildRecovery,
  buildWebhook,
  DELIVERED,
  deliveriesTo,
  sequencesOf,
  claimAt
} from '../../../contracts/store/fixtures/webhooks.ts'
import { interruptedAfter, killedAfter, killedEverywhere, survived } from '../../../fixtures/mongodb/faults.ts'
import { indexesFor, recordQueries } from '../../../fixtures/mongodb/query-plans.ts'
import { createTestDatabase } from '../../../fixtures/mongodb/test-database.ts'
import { MONGODB_URL } from '../../../profile.ts'

/** The parts of the store that these tests use. */
const storeOf = (database: Database) =>
  ({
    events: createEvents(database),
    webhooks: createWebhooks(database),
    deliveries: createDeliveries(database),
    recoveries: createRecoveries(database)
  }) as Store
const skip = MONGODB_URL === undefined ? { skip: 'TEST_MONGODB_URL is not set' } : {}
const upTo = (count: number) => Array.from({ length: count }, (_, at) => at + 1)
const ascending = (numbers: number[]) => numbers.toSorted((a, b) => a - b)

async function setUp(t: Test) {
  const own = await createTestDatabase(t)
  const [one, other] = [await own.open(), await own.open()]
  return { ...own, one, stores: [storeOf(one), storeOf(other)] as [Store, Store] }
}

t.test('concurrent requests and crashes never exceed the number of webhooks of an account', skip, async (t) => {
  const { one, stores, empty } = await setUp(t)
  const added = await Promise.all(
    upTo(20).map(async (at) => await stores[(at % 2) as 0 | 1].webhooks.add(buildWebhook(), 7))
  )
  t.equal(added.filter(Boolean).length, 7)
  t.equal((await stores[0].webhooks.list('acme')).length, 7)
  await killedEverywhere(async (calls) => {
    await empty()
    const done = await survived(storeOf(killedAfter(one, calls)).webhooks.add(buildWebhook(), 1))
    const there = (await stores[1].webhooks.list('acme')).length
    t.equal(there, done ? 1 : 0, `after ${calls} calls`)
    // Ages all slots by a minute, so that a slot without its webhook counts as abandoned.
    await one
      .collection<{ _id: string; slots: object[] }>('slots')
      .updateMany({}, { $set: { 'slots.$[].takenAt': Date.now() - 61_000 } })
    t.equal(await stores[1].webhooks.add(buildWebhook(), 1), !done)
    return done
  })
})

t.test(
  'a deleted webhook disappears with its deliveries and recoveries at once, and sweeps delete the rest',
  skip,
  async (t) => {
    const {
      one,
      stores: [, store],
      empty
    } = await setUp(t)
    await killedEverywhere(async (calls) => {
      await empty()
      const webhook = buildWebhook()
      const [first] = (await deliveriesTo(store, webhook, 3)) as [NewDelivery]
      const recovery = buildRecovery(webhook)
      await store.recoveries.add(recovery)
      const done = await survived(storeOf(killedAfter(one, calls)).webhooks.delete('acme', webhook.id))
      if ((await store.webhooks.find('acme', webhook.id)) !== null) {
        t.equal((await sequencesOf(store, webhook)).length, 3, 'all deliveries are visible while the webhook is')
        return done
      }
      t.strictSame(
        [
          await store.deliveries.find('acme', first.id),
          await sequencesOf(store, webhook),
          await claimAt(store, webhook, 99),
          await store.deliveries.nextDueAt(webhook.id),
          (await store.deliveries.dueWebhooks(minute(99), { after: null, limit: 9 })).items,
          await store.deliveries.requeue('acme', [first.id], minute(9)),
          await store.recoveries.find('acme', recovery.id),
          (await store.recoveries.unfinished({ after: null, limit: 9 })).items
        ],
        [null, [], [], null, [], 0, null, []],
        `after ${calls} calls`
      )
      await store.events.deleteBefore(minute(0), 100)
      for (const name of ['webhooks', 'deliveries', 'recoveries']) {
        t.equal(await one.collection(name).countDocuments(), 0, name)
      }
      return done
    })
  }
)

t.test(
  'deliveries of a deleted webhook are deleted in batches and never join a new one with its id',
  skip,
  async (t) => {
    const {
      one,
      stores: [store]
    } = await setUp(t)
    const [removed, other] = [buildWebhook(), buildWebhook()]
    await deliveriesTo(store, removed, 700)
    await deliveriesTo(store, other, 3)
    const left = async () => await one.collection('deliveries').countDocuments()
    t.ok(await store.webhooks.delete('acme', removed.id))
    t.equal(await left(), 203)
    await store.events.deleteBefore(minute(0), 150)
    t.equal(await left(), 53)
    t.ok(await store.webhooks.add(removed, 9))
    t.equal(await left(), 3)
    t.strictSame(await sequencesOf(store, removed), [])
  }
)

t.test('deliveries that several processes add have no gaps, and each event has one', skip, async (t) => {
  const { stores } = await setUp(t)
  const [webhook, second] = [buildWebhook(), buildWebhook()]
  for (const each of [webhook, second]) await stores[0].webhooks.add(each, 9)
  const events = upTo(30).map(() => buildEvent())
  await stores[0].events.add(events)
  await Promise.all(
    upTo(10).map(async (at) => {
      const theirs = events.slice((at % 5) * 5, (at % 5) * 5 + 10)
      await stores[(at % 2) as 0 | 1].deliveries.add(
        theirs.flatMap((event) => [buildDelivery(webhook, event), buildDelivery(second, event)])
      )
    })
  )
  for (const each of [webhook, second]) t.strictSame(await sequencesOf(stores[1], each), upTo(30).toReversed())
})

t.test('concurrent additions at any point leave no gap and no duplicate sequence', skip, async (t) => {
  const {
    one,
    stores: [, store],
    empty
  } = await setUp(t)
  for (let calls = 0; calls < 6; calls++) {
    await empty()
    const [webhook, mine, theirs] = [buildWebhook(), buildEvent(), buildEvent()]
    await store.webhooks.add(webhook, 9)
    await storeOf(interruptedAfter(one, calls, () => store.events.add([theirs]))).events.add([mine])
    await store.events.add([mine, theirs])
    t.strictSame(
      (await store.events.list('acme', { after: 0, limit: 9 })).map(({ sequence }) => sequence),
      [1, 2],
      `events after ${calls} calls`
    )
    await storeOf(
      interruptedAfter(one, calls, () => store.deliveries.add([buildDelivery(webhook, theirs)]))
    ).deliveries.add([buildDelivery(webhook, mine)])
    await store.deliveries.add([buildDelivery(webhook, mine), buildDelivery(webhook, theirs)])
    t.strictSame(await sequencesOf(store, webhook), [2, 1], `deliveries after ${calls} calls`)
  }
})

t.test('deliveries that a crash cut off are added by the next process, without gaps and once', skip, async (t) => {
  const {
    one,
    stores: [, store],
    empty
  } = await setUp(t)
  await killedEverywhere(async (calls) => {
    await empty()
    const [webhook, events] = [buildWebhook(), [buildEvent(), buildEvent(), buildEvent()]]
    await store.webhooks.add(webhook, 9)
    await store.events.add(events)
    const done = await survived(
      storeOf(killedAfter(one, calls)).deliveries.add(events.map((event) => buildDelivery(webhook, event)))
    )
    await store.deliveries.add(events.map((event) => buildDelivery(webhook, event)))
    t.strictSame(await sequencesOf(store, webhook), [3, 2, 1], `after ${calls} calls`)
    return done
  })
})

t.test('several workers never exceed the deliveries in flight and attempt each delivery once', skip, async (t) => {
  const { open } = await setUp(t)
  const stores = await Promise.all(upTo(4).map(async () => storeOf(await open())))
  const webhook = buildWebhook()
  await deliveriesTo(stores[0]!, webhook, 60)
  const inFlight = new Set<string>()
  const tried: number[] = []
  let most = 0
  async function work(store: Store): Promise<void> {
    while (tried.length < 60) {
      const taken = await store.deliveries.claim(webhook.id, {
        now: minute(99),
        leaseUntil: minute(199),
        limit: 3,
        maxInFlight: 5
      })
      for (const { delivery } of taken) inFlight.add(delivery.id)
      most = Math.max(most, inFlight.size)
      await wait(10 + Math.random() * 20)
      for (const { delivery } of taken) {
        tried.push(delivery.sequence)
        inFlight.delete(delivery.id)
      }
      const [setUp, ...made] = tried.length % 7 === 0 ? taken : [undefined, ...taken]
      if (setUp !== undefined) tried.splice(tried.indexOf(setUp.delivery.sequence), 1)
      if (setUp !== undefined) await store.deliveries.release(webhook.id, [setUp.delivery.id])
      await store.deliveries.recordAttempts(
        made.filter((one) => one !== undefined).map(({ delivery }) => buildDeliveryChange(delivery, 1, DELIVERED))
      )
    }
  }
  await Promise.all(stores.map(work))
  t.strictSame(ascending(tried), upTo(60))
  t.ok(most <= 5, `${most} at once`)
  t.equal(
    (
      await stores[0]!.deliveries.list(
        { accountId: 'acme', webhookId: webhook.id, status: 'delivered' },
        { page: 1, pageSize: 1 }
      )
    ).totalCount,
    60
  )
})

t.test('twenty concurrent claims get different deliveries', skip, async (t) => {
  const { stores } = await setUp(t)
  const webhook = buildWebhook()
  await deliveriesTo(stores[0], webhook, 30)
  const taken = await Promise.all(
    upTo(20).map(async (at) => await claimAt(stores[(at % 2) as 0 | 1], webhook, 99, { limit: 3, maxInFlight: 25 }))
  )
  t.strictSame(ascending(taken.flat()), upTo(25))
})

t.test('claims after one that found many due deliveries read no more than they return', skip, async (t) => {
  const { one } = await setUp(t)
  const webhook = buildWebhook()
  let deliveries: NewDelivery[] = []
  const queries = await recordQueries(one, async (database) => {
    const store = storeOf(database)
    deliveries = await deliveriesTo(store, webhook, 30)
    t.strictSame(await claimAt(store, webhook, 99, { limit: 5 }), [1, 2, 3, 4, 5])
    const [first, second, third, ...others] = deliveries.slice(0, 5)
    await store.deliveries.recordAttempts([
      ...[first!, ...others].map((delivery) => buildDeliveryChange(delivery, 1, DELIVERED)),
      buildDeliveryChange(second!, 1, { nextAttemptAt: minute(200) }),
      buildDeliveryChange(third!, 1, { nextAttemptAt: minute(98) })
    ])
    t.strictSame(await claimAt(store, webhook, 99, { limit: 5 }), [3, 6, 7, 8, 9], 'a retry that is due comes first')
    t.strictSame(
      await claimAt(store, webhook, 99),
      upTo(21).map((at) => at + 9)
    )
    t.strictSame(await claimAt(store, webhook, 201), [2, 3, ...upTo(25).map((at) => at + 5)])
  })
  const claims = queries.filter(({ filter }) => filter.nextAttemptAt !== undefined)
  t.strictSame(
    claims.map(({ hint }) => hint),
    ['due', 'by_status', 'by_status', 'due']
  )
})

t.test('deliveries of a crashed worker are claimed by another one when the lease ends', skip, async (t) => {
  const {
    one,
    stores: [, store],
    empty
  } = await setUp(t)
  const kills = await killedEverywhere(async (calls) => {
    await empty()
    const webhook = buildWebhook()
    await deliveriesTo(store, webhook, 3)
    const taken: number[] = []
    const done = await survived(
      claimAt(storeOf(killedAfter(one, calls)), webhook, 10).then((sequences) => taken.push(...sequences))
    )
    const got = await claimAt(store, webhook, 14)
    t.ok(got.length === 0 || (got.length === 3 && taken.length === 0), `after ${calls} calls`)
    t.strictSame(ascending([...got, ...(await claimAt(store, webhook, 15))]), [1, 2, 3])
    return done
  })
  t.ok(kills >= 4)
})

t.test('recordAttempts can be repeated after a crash, and finished deliveries are not retried', skip, async (t) => {
  const {
    one,
    stores: [, store],
    empty
  } = await setUp(t)
  const kills = await killedEverywhere(async (calls) => {
    await empty()
    const webhook = buildWebhook()
    const [first, second] = (await deliveriesTo(store, webhook, 2)) as [NewDelivery, NewDelivery]
    await claimAt(store, webhook, 10)
    const changes = [buildDeliveryChange(first, 1, DELIVERED), buildDeliveryChange(second, 1)]
    const done = await survived(storeOf(killedAfter(one, calls)).deliveries.recordAttempts(changes))
    t.strictSame(
      await claimAt(store, webhook, 14),
      done ? [2] : [],
      `after ${calls} calls no other worker claims them at once`
    )
    if (!done) await store.deliveries.recordAttempts(changes)
    t.match(await store.deliveries.find('acme', first.id), {
      delivery: { status: 'delivered', leasedUntil: null },
      attemptLog: [{ number: 1 }]
    })
    t.strictSame(await claimAt(store, webhook, 20), [2])
    return done
  })
  t.equal(kills, 2, 'two round trips')
})

t.test('recording a late attempt does not end the lease of another worker', skip, async (t) => {
  const {
    stores: [store]
  } = await setUp(t)
  const webhook = buildWebhook()
  const [first] = (await deliveriesTo(store, webhook, 1)) as [NewDelivery]
  await claimAt(store, webhook, 1)
  await claimAt(store, webhook, 6) // The first lease has ended.
  await store.deliveries.recordAttempts([buildDeliveryChange(first, 1)])
  t.strictSame(await claimAt(store, webhook, 11), [1])
  await store.deliveries.recordAttempts([buildDeliveryChange(first, 1, { nextAttemptAt: minute(1) })])
  t.match(await store.deliveries.find('acme', first.id), {
    delivery: { leasedUntil: minute(16), attempts: 1, nextAttemptAt: minute(11) }
  })
  t.strictSame(await claimAt(store, webhook, 12), [])
  await store.deliveries.recordAttempts([{ ...buildDeliveryChange(first, 1), ...DELIVERED }])
  t.match(
    await store.deliveries.find('acme', first.id),
    { delivery: { status: 'delivered' }, attemptLog: [{ number: 1, status: 500 }] },
    'a late success counts'
  )
})

t.test('a concurrent claim at any point never attempts a delivery that is requeued', skip, async (t) => {
  const {
    one,
    stores: [, store],
    empty
  } = await setUp(t)
  for (let calls = 0; calls < 6; calls++) {
    await empty()
    const webhook = buildWebhook()
    const ids = (await deliveriesTo(store, webhook, 3)).map(({ id }) => id)
    const taken: number[] = []
    const take = async () => taken.push(...(await claimAt(store, webhook, 50, { limit: 2 })))
    const reopened = await storeOf(interruptedAfter(one, calls, take)).deliveries.requeue('acme', ids, minute(50))
    if (calls < 5) t.equal(taken.length === 0 ? 3 : 1, reopened, `${taken.length} were taken after ${calls} calls`)
    t.equal((await webhookCollection(one).findOne({ _id: webhook.id }))?.holds.length, 0)
    t.strictSame(ascending([...taken, ...(await claimAt(store, webhook, 50))]), [1, 2, 3])
  }
})

t.test(
  'a concurrent claim at any point never gets a delivery that another worker has or attempted',
  skip,
  async (t) => {
    const {
      one,
      stores: [, store],
      empty
    } = await setUp(t)
    for (let calls = 0; calls < 8; calls++) {
      await empty()
      const webhook = buildWebhook()
      const [first] = (await deliveriesTo(store, webhook, 4)) as [NewDelivery]
      const theirs: number[] = []
      async function take() {
        theirs.push(...(await claimAt(store, webhook, 50, { limit: 2 })))
        if (theirs.includes(1)) await store.deliveries.recordAttempts([buildDeliveryChange(first, 1, DELIVERED)])
      }
      const mine = await claimAt(storeOf(interruptedAfter(one, calls, take)), webhook, 50, { maxInFlight: 3 })
      const all = [...theirs, ...mine]
      t.strictSame(
        ascending(all),
        upTo(all.length),
        `they had ${theirs.length}, we ${mine.length} after ${calls} calls`
      )
      t.ok(all.length >= 3)
    }
  }
)

t.test('a webhook that is deleted during an addition or a claim has no deliveries', skip, async (t) => {
  const {
    one,
    stores: [, store],
    empty
  } = await setUp(t)
  for (let calls = 0; calls < 6; calls++) {
    await empty()
    const [webhook, event] = [buildWebhook(), buildEvent()]
    await deliveriesTo(store, webhook, 1)
    await store.events.add([event])
    const remove = async () => {
      t.ok(await store.webhooks.delete('acme', webhook.id))
    }
    const mine = storeOf(interruptedAfter(one, calls, remove))
    if (calls % 2 === 0) await mine.deliveries.add([buildDelivery(webhook, event)])
    await claimAt(mine, webhook, 50)
    await store.webhooks.delete('acme', webhook.id)
    t.strictSame(
      [
        await sequencesOf(store, webhook),
        (await store.deliveries.dueWebhooks(minute(99), { after: null, limit: 5 })).items,
        await claimAt(store, webhook, 50)
      ],
      [[], [], []],
      `after ${calls} calls`
    )
    await store.webhooks.add(webhook, 9)
    t.strictSame((await store.deliveries.dueWebhooks(minute(99), { after: null, limit: 5 })).items, [])
  }
})

t.test(
  'a crash at any point leaves a step of a recovery with its deliveries requeued once, or nothing of it',
  skip,
  async (t) => {
    const {
      one,
      stores: [, store],
      empty
    } = await setUp(t)
    const failed = { status: 'failed', nextAttemptAt: null } as const
    /** The first call after the crash: it completes the step, or attempts requeued deliveries. */
    const first: Record<string, (id: string) => Promise<unknown>> = {
      'the sweeper': async () => await store.recoveries.unfinished({ after: null, limit: 10 }),
      'its next job': async (id) => await store.recoveries.find('acme', id),
      'a delivery run': async () => undefined
    }
    for (const [name, comes] of Object.entries(first)) {
      const kills = await killedEverywhere(async (calls) => {
        await empty()
        const webhook = buildWebhook()
        const deliveries = (await deliveriesTo(store, webhook, 3)) as [NewDelivery, NewDelivery, NewDelivery]
        await store.deliveries.recordAttempts(deliveries.map((delivery) => buildDeliveryChange(delivery, 10, failed)))
        const recovery = buildRecovery(webhook)
        await store.recoveries.add(recovery)
        const step = {
          change: { afterSequence: 2, requeued: 2, status: 'done' as const, finishedAt: minute(20) },
          requeue: [deliveries[0].id, deliveries[1].id],
          at: minute(20)
        }
        const done = await survived(
          storeOf(killedAfter(one, calls)).recoveries.advance(
            { accountId: 'acme', id: recovery.id, afterSequence: 0 },
            step
          )
        )
        const written = (await one.collection('recoveries').countDocuments({ status: 'done' })) === 1
        await comes(recovery.id)
        const tried = await claimAt(store, webhook, 22)
        if (name !== 'a delivery run') t.strictSame(tried, written ? [1, 2] : [], `${name} after ${calls} calls`)
        await store.deliveries.recordAttempts(
          tried.map((sequence) => buildDeliveryChange(deliveries[sequence - 1]!, 11, failed))
        )
        for (const come of Object.values(first)) await come(recovery.id)
        t.strictSame(
          [...tried, ...(await claimAt(store, webhook, 90))],
          written ? [1, 2] : [],
          `${name} after ${calls} calls`
        )
        return done
      })
      t.ok(kills >= 6)
    }
  }
)

t.test('exactly one of two processes advances a recovery, at whatever point the other one comes', skip, async (t) => {
  const {
    one,
    stores: [, store],
    empty
  } = await setUp(t)
  for (let calls = 0; calls < 9; calls++) {
    await empty()
    const webhook = buildWebhook()
    const [first, second] = (await deliveriesTo(store, webhook, 2)) as [NewDelivery, NewDelivery]
    const recovery = buildRecovery(webhook)
    await store.recoveries.add(recovery)
    const go = async ({ recoveries }: Store, { id }: NewDelivery) =>
      await recoveries.advance(
        { accountId: 'acme', id: recovery.id, afterSequence: 0 },
        { change: { afterSequence: 1 }, requeue: [id], at: minute(50) }
      )
    let theirs = false
    const mine = await go(
      storeOf(
        interruptedAfter(one, calls, async () => {
          theirs = await go(store, second)
        })
      ),
      first
    )
    t.ok(mine !== theirs, `they ${theirs ? 'did' : 'did not'} after ${calls} calls`)
    const reopened = await Promise.all(
      [first, second].map(
        async ({ id }) => (await store.deliveries.find('acme', id))?.delivery.nextAttemptAt === minute(50)
      )
    )
    t.strictSame(reopened, [mine, theirs])
  }
})

t.test('deliveries and recoveries that are added during a deletion are removed', skip, async (t) => {
  const {
    one,
    stores: [store]
  } = await setUp(t)
  const webhook: WebhookRecord = buildWebhook()
  const [first, second] = (await deliveriesTo(store, webhook, 2)) as [NewDelivery, NewDelivery]
  await one.collection('events').deleteOne({ id: first.eventId })
  t.strictSame(await claimAt(store, webhook, 9), [2])
  t.equal(await one.collection('deliveries').countDocuments(), 1)
  const recovery = buildRecovery(buildWebhook())
  await one
    .collection<{ _id: string }>('recoveries')
    .insertOne({ _id: recovery.id, ...recovery, record: recovery } as never)
  t.strictSame((await store.recoveries.unfinished({ after: null, limit: 5 })).items, [])
  t.equal(await one.collection('recoveries').countDocuments(), 0)
  t.equal(second.webhookId, webhook.id)
})

t.test('a count of deliveries names an index', skip, async (t) => {
  const { one } = await setUp(t)
  const lists: [object, string][] = [
    [{}, 'list'],
    [{ event: 'blog.published', since: minute(1) }, 'list'],
    [{ status: 'failed', since: minute(1) }, 'by_status']
  ]
  for (const [filter, index] of lists) {
    const queries = await recordQueries(one, async (database) => {
      const query = { accountId: 'acme', webhookId: 'a', ...filter } as never
      await createDeliveries(database).list(query, { page: 1, pageSize: 5 })
    })
    const count = queries.find(({ hint }) => hint !== undefined)
    t.equal(count?.hint, index, JSON.stringify(filter))
    t.ok(indexesFor({ ...count!, sort: {} }).includes(index), JSON.stringify(filter))
  }
})
