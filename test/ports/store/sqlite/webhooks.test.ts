import { statSync } from 'node:fs'
import t from 'tap'
import { openDatabase } from '../../../../ports/store/sqlite/database.ts'
import { createSqliteStore, openSqliteStore } from '../../../../ports/store/sqlite/index.ts'
import { minute } from '../../../contracts/store/fixtures/content.ts'
import {
  buildDeliveryChange,
  buildWebhook,
  deliveriesTo,
  sequencesOf
} from '../../../contracts/store/fixtures/webhooks.ts'

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
  const terms = { now: minute(9), leaseUntil: minute(99), limit: 10, maxInFlight: 10 }
  t.equal((await store.deliveries.claim(webhook.id, terms)).length, 2)
  t.equal((await store.deliveries.claim(webhook.id, terms)).length, 0)
  await store.close()
  const next = await openSqliteStore({ path })
  t.teardown(() => next.close())
  t.match(await next.deliveries.dueWebhooks(minute(9), { after: null, limit: 10 }), {
    items: [{ webhookId: webhook.id }]
  })
  t.equal((await next.deliveries.claim(webhook.id, terms)).length, 2)
})

t.test('claims are in memory: claiming and releasing deliveries writes nothing to the file', async (t) => {
  const path = `${t.testdir()}/store.db`
  const store = await openSqliteStore({ path })
  t.teardown(() => store.close())
  const webhook = buildWebhook()
  const deliveries = await deliveriesTo(store, webhook, 3)
  const written = () => statSync(`${path}-wal`).size
  const before = written()
  const terms = { now: minute(9), leaseUntil: minute(99), limit: 10, maxInFlight: 10 }
  t.equal((await store.deliveries.claim(webhook.id, terms)).length, 3)
  await store.deliveries.release(webhook.id, [deliveries[0]!.id])
  t.equal((await store.deliveries.claim(webhook.id, terms)).length, 1)
  t.equal(written(), before)
  await store.deliveries.recordAttempts([buildDeliveryChange(deliveries[0]!, 1)])
  t.ok(written() > before)
})
