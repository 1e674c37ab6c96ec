import { statSync } from 'node:fs'
import t from 'tap'
import type { NewDelivery } from '../../../../ports/store/port.ts'
import { openDatabase } from '../../../../ports/store/sqlite/database.ts'
import { createSqliteStore, openSqliteStore } from '../../../../ports/store/sqlite/index.ts'
import { minute } from '../../../contracts/store/fixtures/content.ts'
import {
  buildDeliveryChange,
  buildWebhook,
  DELIVERED,
  deliveriesTo,
  sequencesOf
} from '../../../contracts/store/fixtures/webhooks.ts'

const TERMS = { now: minute(9), leaseUntil: minute(99), limit: 10, maxInFlight: 10 }
const TABLES = ['webhooks', 'delivery_counters', 'deliveries', 'delivery_attempts', 'events', 'event_bodies']

t.test('rows of deleted webhooks and old events are deleted in batches, completely', async (t) => {
  const db = openDatabase(`${t.testdir()}/store.db`)
  const store = createSqliteStore(db)
  t.teardown(() => store.close())
  const rows = () => TABLES.map((table) => db.one<{ count: number }>(`SELECT count(*) AS count FROM ${table}`)?.count)
  const [removed, remaining] = [buildWebhook(), buildWebhook()]
  const deliveries = [...(await deliveriesTo(store, removed, 800)), ...(await deliveriesTo(store, remaining, 10))]
  await store.deliveries.recordAttempts(deliveries.map((delivery) => buildDeliveryChange(delivery, 1)))
  t.strictSame(rows(), [2, 2, 810, 810, 810, 810])

  t.ok(await store.webhooks.delete('acme', removed.id))
  t.strictSame(rows(), [2, 2, 760, 760, 810, 810], 'so many that nobody waits for it')
  t.equal(await store.events.deleteBefore(minute(0), 200), 0)
  t.strictSame(rows(), [2, 2, 560, 560, 810, 810])
  t.equal(await store.events.deleteBefore(minute(0), 1000), 0)
  t.strictSame(rows(), [1, 1, 10, 10, 810, 810])
  t.strictSame(await sequencesOf(store, remaining), [10, 9, 8, 7, 6, 5, 4, 3, 2, 1])

  await store.events.markFannedOut(
    'acme',
    deliveries.map(({ eventId }) => eventId)
  )
  t.equal(await store.events.deleteBefore(minute(9999), 1000), 810)
  t.strictSame(rows(), [1, 1, 0, 0, 0, 0])
})

t.test('deliveries in flight of a killed process are retried immediately by the next one', async (t) => {
  const path = `${t.testdir()}/store.db`
  const store = await openSqliteStore({ path })
  const webhook = buildWebhook()
  await deliveriesTo(store, webhook, 2)
  t.equal((await store.deliveries.claim(webhook.id, TERMS)).length, 2)
  t.equal((await store.deliveries.claim(webhook.id, TERMS)).length, 0)
  await store.close()
  const next = await openSqliteStore({ path })
  t.teardown(() => next.close())
  t.match(await next.deliveries.dueWebhooks(minute(9), { after: null, limit: 10 }), {
    items: [{ webhookId: webhook.id }]
  })
  t.equal((await next.deliveries.claim(webhook.id, TERMS)).length, 2)
})

t.test('claims are in memory: claiming and releasing deliveries writes nothing to the file', async (t) => {
  const path = `${t.testdir()}/store.db`
  const store = await openSqliteStore({ path })
  t.teardown(() => store.close())
  const webhook = buildWebhook()
  const deliveries = await deliveriesTo(store, webhook, 3)
  const written = () => statSync(`${path}-wal`).size
  const before = written()
  t.equal((await store.deliveries.claim(webhook.id, TERMS)).length, 3)
  await store.deliveries.release(webhook.id, [deliveries[0]!.id])
  t.equal((await store.deliveries.claim(webhook.id, TERMS)).length, 1)
  t.equal(written(), before)
  await store.deliveries.recordAttempts([buildDeliveryChange(deliveries[0]!, 1)])
  t.ok(written() > before)
})

t.test('attempts are recorded by the row that was claimed, unless it belongs to another delivery by now', async (t) => {
  const db = openDatabase(`${t.testdir()}/store.db`)
  const store = createSqliteStore(db)
  t.teardown(() => store.close())
  const [removed, later] = [buildWebhook(), buildWebhook()]
  await deliveriesTo(store, removed, 2)
  const claimed = await store.deliveries.claim(removed.id, TERMS)
  const updates = claimed.map(({ delivery, row }) => ({ ...buildDeliveryChange(delivery, 1, DELIVERED), row }))
  t.ok(await store.webhooks.delete('acme', removed.id))
  t.equal(await store.events.deleteBefore(minute(0), 1000), 0)
  const deliveries = await deliveriesTo(store, later, 2)
  const rows = (await store.deliveries.claim(later.id, TERMS)).map(({ row }) => row)
  t.strictSame(
    rows,
    claimed.map(({ row }) => row),
    'the rows of deleted deliveries are used again'
  )
  const ofLater = updates.map((update) => ({ ...update, webhookId: later.id }))
  const failed = ofLater.map((update) => ({ ...update, status: 'failed' as const }))
  await store.deliveries.recordAttempts([...updates, ...ofLater, ...failed])
  t.match(
    await Promise.all(deliveries.map(({ id }) => store.deliveries.find('acme', id))),
    deliveries.map(() => ({ delivery: { status: 'pending', attempts: 0 }, attemptLog: [] }))
  )

  await store.deliveries.recordAttempts(
    deliveries.map((delivery, index) => ({ ...buildDeliveryChange(delivery, 1, DELIVERED), row: rows[index] }))
  )
  t.match(
    await Promise.all(deliveries.map(({ id }) => store.deliveries.find('acme', id))),
    deliveries.map(() => ({ delivery: { status: 'delivered', attempts: 1 }, attemptLog: [{ number: 1 }] }))
  )
})

t.test('many attempts of several webhooks are recorded in steps, in the order of their rows', async (t) => {
  const db = openDatabase(`${t.testdir()}/store.db`)
  const store = createSqliteStore(db)
  t.teardown(() => store.close())
  const webhooks = [buildWebhook(), buildWebhook(), buildWebhook()]
  const deliveries: NewDelivery[][] = []
  for (const webhook of webhooks) deliveries.push(await deliveriesTo(store, webhook, 400))
  const mixed = deliveries[0]!.flatMap((_, index) => deliveries.map((list) => list[index]!))
  let [steps, lookups] = [0, 0]
  const { relaxedTransaction, one } = db
  db.one = (sql, ...values) => {
    lookups += 1
    return one(sql, ...values)
  }
  db.relaxedTransaction = (work) => {
    steps += 1
    return relaxedTransaction(work)
  }
  await store.deliveries.recordAttempts(mixed.map((delivery) => buildDeliveryChange(delivery, 1, DELIVERED)))
  t.equal(steps, 3)
  t.ok(lookups <= 6, `${lookups} times, the attempts of another webhook followed`)
  const counts = db.all<{ count: number }>(
    "SELECT count(*) AS count FROM deliveries WHERE status = 'delivered' GROUP BY webhook_n"
  )
  t.match(counts, [{ count: 400 }, { count: 400 }, { count: 400 }])
  t.match(db.one('SELECT count(*) AS count FROM delivery_attempts'), { count: 1200 })
})

t.test('nothing is recorded for a deleted webhook, although its deliveries are deleted later', async (t) => {
  const db = openDatabase(`${t.testdir()}/store.db`)
  const store = createSqliteStore(db)
  t.teardown(() => store.close())
  const webhook = buildWebhook()
  const deliveries = new Map((await deliveriesTo(store, webhook, 60)).map((delivery) => [delivery.id, delivery]))
  t.ok(await store.webhooks.delete('acme', webhook.id))
  const rows = db.all<{ n: number; id: string }>('SELECT n, id FROM deliveries')
  t.equal(rows.length, 10)
  await store.deliveries.recordAttempts(
    rows.map(({ n, id }) => ({ ...buildDeliveryChange(deliveries.get(id)!, 1, DELIVERED), row: n }))
  )
  t.match(db.one("SELECT count(*) AS count FROM deliveries WHERE status = 'delivered'"), { count: 0 })
  t.match(db.one('SELECT count(*) AS count FROM delivery_attempts'), { count: 0 })
})
