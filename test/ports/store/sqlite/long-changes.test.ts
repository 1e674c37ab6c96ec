import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import t, { type Test } from 'tap'
import { openStore } from '../../../../ports/store/open.ts'
import { minute } from '../../../contracts/store/fixtures/content.ts'
import {
  buildAttempt,
  buildDelivery,
  buildDeliveryChange,
  buildEvent,
  buildRecovery,
  buildWebhook,
  deliveriesTo
} from '../../../contracts/store/fixtures/webhooks.ts'
import { temporaryFolder } from '../../../helper.ts'

async function openTestStore(t: Test) {
  const store = await openStore({ dataDir: temporaryFolder(t) })
  t.teardown(() => store.close())
  return store
}

/** The turns of the event loop in which others could do something while work is in progress. */
async function countTurns(work: Promise<unknown>): Promise<number> {
  let turns = 0
  let isRunning = true
  const count = (): void => {
    turns += 1
    if (isRunning) setImmediate(count)
  }
  setImmediate(count)
  await work
  isRunning = false
  return turns
}

t.test('large stored responses are deleted in several turns of the event loop', async (t) => {
  const store = await openTestStore(t)
  const response = { status: 200, headers: {}, body: 'x'.repeat(2_000_000) }
  for (let index = 0; index < 40; index++) {
    const claim = { scope: `scope ${index}`, bodyHash: 'hash', operationId: 'id', at: minute(1), expiresAt: minute(2) }
    await store.idempotency.claim({ ...claim, staleBefore: minute(0) })
    await store.idempotency.complete(claim.scope, response)
  }
  let deleted = 0
  const turns = await countTurns(store.idempotency.deleteExpired(minute(3)).then((count) => (deleted = count)))
  t.equal(deleted, 40)
  t.ok(turns >= 2, `${turns} turns`)
})

t.test('so are old events with many deliveries, and the deliveries of deleted webhooks', async (t) => {
  const store = await openTestStore(t)
  const webhooks = Array.from({ length: 10 }, () => buildWebhook())
  for (const webhook of webhooks) await store.webhooks.add(webhook, 50)
  const events = Array.from({ length: 1_000 }, () => buildEvent({ timestamp: minute(1) }))
  await store.events.add(events)
  for (const webhook of webhooks) {
    await store.deliveries.add(events.map((event) => buildDelivery(webhook, event)))
  }
  const ids = events.map(({ id }) => id)
  await store.events.markFannedOut('acme', ids)
  for (const { id } of webhooks.slice(0, 4)) await store.webhooks.delete('acme', id)
  let deleted = 0
  const turns = await countTurns(store.events.deleteBefore(minute(2), 1_000).then((count) => (deleted = count)))
  t.equal(deleted, 1_000)
  t.ok(turns >= 10, `${turns} turns`)
  t.same(await store.events.list('acme', { after: 0, limit: 10 }), [])
})

t.test('the event log of an account is measured and trimmed in several turns', async (t) => {
  const store = await openTestStore(t)
  const large = Array.from({ length: 100 }, () => buildEvent({ tail: 'x'.repeat(250_000) }))
  const events = [...large, ...Array.from({ length: 20_000 }, () => buildEvent())]
  await store.events.add(events)
  const ids = events.map(({ id }) => id)
  await store.events.markFannedOut('acme', ids)
  let trimmed: unknown = null
  const trim = async (maxBytes: number) => {
    const trimming = store.events.trim('acme', { maxBytes, upTo: 99_999, limit: 200 })
    return await countTurns(trimming.then((result) => (trimmed = result)))
  }
  const measuring = await trim(2 ** 30)
  t.same(trimmed, { deleted: 0, fitting: 20_100 })
  t.ok(measuring >= 4, `${measuring} turns`)
  const removing = await trim(0)
  t.same(trimmed, { deleted: 200, fitting: 0 })
  t.ok(removing >= 5, `${removing} turns`)
  t.match(await store.events.list('acme', { after: 0, limit: 1 }), [{ sequence: 201 }])
})

t.test('recoveries of a deleted webhook disappear at once, and are deleted in steps', async (t) => {
  const dataDir = temporaryFolder(t)
  let store = await openStore({ dataDir })
  t.teardown(() => store.close())
  /** The rows of the file, which only one connection may use at a time. */
  async function countRows(): Promise<unknown> {
    await store.close()
    const database = new DatabaseSync(path.join(dataDir, 'store.db'))
    const { count } = database.prepare('SELECT count(*) AS count FROM recoveries').get()!
    database.close()
    store = await openStore({ dataDir })
    return count
  }
  const webhook = buildWebhook()
  await store.webhooks.add(webhook, 50)
  const recoveries = Array.from({ length: 1_200 }, () => buildRecovery(webhook))
  for (const recovery of recoveries) await store.recoveries.add(recovery)
  t.ok(await store.webhooks.delete('acme', webhook.id))
  const found = await Promise.all(recoveries.map(async ({ id }) => await store.recoveries.find('acme', id)))
  t.same(new Set(found), new Set([null]))
  t.same((await store.recoveries.unfinished({ after: null, limit: 10 })).items, [])
  t.equal(await countRows(), 700)
  await store.events.deleteBefore(minute(2), 1_000)
  t.equal(await countRows(), 0)
})

t.test('attempts with large responses are recorded in several turns', async (t) => {
  const store = await openTestStore(t)
  const deliveries = await deliveriesTo(store, buildWebhook(), 200)
  const updates = deliveries.map((delivery) => ({
    ...buildDeliveryChange(delivery, 1),
    attempt: buildAttempt(1, { response: '\u0001'.repeat(16_000) })
  }))
  const turns = await countTurns(store.deliveries.recordAttempts(updates))
  t.ok(turns >= 5, `${turns} turns`)
  const last = deliveries.at(-1)!
  t.match(await store.deliveries.find(last.accountId, last.id), { delivery: { attempts: 1 } })
})

t.test('tables without row numbers have small entries only', async (t) => {
  const folder = temporaryFolder(t)
  await (await openStore({ dataDir: folder })).close()
  const db = new DatabaseSync(path.join(folder, 'store.db'))
  t.teardown(() => db.close())
  const tables = db.prepare("SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND wr = 1")
  // To compare keys, SQLite reads whole entries of such tables. `idempotency` has responses of megabytes.
  const LARGE = ['idempotency', 'blog_bodies', 'blog_responses', 'product_records', 'event_bodies', 'delivery_attempts']
  const names = tables.all().map(({ name }) => name)
  t.ok(names.includes('metadata'))
  t.same(
    LARGE.filter((name) => names.includes(name)),
    []
  )
  const existing = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all()
  t.same(
    LARGE.filter((large) => !existing.some(({ name }) => name === large)),
    [],
    'all of them exist'
  )
})
