import t from 'tap'
import type { NewDelivery } from '../../../../ports/store/port.ts'
import { openStore } from '../../../../ports/store/open.ts'
import { openDatabase, type Database } from '../../../../ports/store/sqlite/database.ts'
import { createSqliteStore } from '../../../../ports/store/sqlite/index.ts'
import { ACME, buildBlog, buildProject, minute, tombstoneOf } from '../../../contracts/store/fixtures/content.ts'
import {
  buildImport,
  buildImportError,
  buildImportStep,
  buildProduct,
  fresh
} from '../../../contracts/store/fixtures/products.ts'
import {
  buildAttempt,
  buildDeliveryChange,
  buildEvent,
  buildWebhook,
  deliveriesTo
} from '../../../contracts/store/fixtures/webhooks.ts'
import { temporaryFolder } from '../../../helper.ts'

t.test('blogs can be deleted in any order and at any age', async (t) => {
  const store = await openStore({ dataDir: temporaryFolder(t) })
  t.teardown(() => store.close())
  const blogs = Array.from({ length: 120 }, (_, n) => buildBlog({ slug: `slug-${n}` }))
  for (const blog of blogs) await store.blogs.add(blog)
  for (const [n, blog] of blogs.entries()) {
    if (n % 2 === 0) t.equal(await store.blogs.delete(tombstoneOf(blog), blog.version), true)
  }
  t.equal(
    (await store.blogs.list({ ...ACME, status: 'any' }, { page: 1, pageSize: 1, withBody: false })).totalCount,
    60
  )
})

t.test('nothing is left of the products of deleted projects, and numbers are not used again', async (t) => {
  const db = openDatabase(`${t.testdir()}/store.db`)
  t.teardown(db.close)
  const store = createSqliteStore(db)
  const numbers = new Set<number>()
  const rows = (table: string) => db.one<{ count: number }>(`SELECT count(*) AS count FROM ${table}`)!.count
  for (const projectId of ['a', 'b', 'c', 'd', 'e', 'f']) {
    await store.projects.insertIfAbsent(buildProject('acme', projectId))
    const product = buildProduct({ projectId, claims: [] })
    await store.products.saveMany([fresh(product)])
    numbers.add(db.one<{ n: number }>('SELECT max(n) AS n FROM product_projects')!.n)
    if (projectId === 'c') continue
    await store.products.delete({ accountId: 'acme', id: product.id, ifVersion: product.version })
    t.equal(await store.projects.delete('acme', projectId), true)
  }
  t.equal(numbers.size, 6)
  t.equal(rows('product_projects'), 2, 'the project with a product, and the last one')
  t.equal(rows('product_search_partitions'), 1)
  t.equal((await store.products.list(ACME, { page: 1, pageSize: 10 })).totalCount, 1)
})

t.test('no transaction deletes more than a megabyte of long records', async (t) => {
  const db = openDatabase(`${t.testdir()}/store.db`)
  t.teardown(db.close)
  const bytes = () =>
    ['delivery_attempts (record)', 'import_errors (record)', 'event_bodies (tail)', 'idempotency (response)']
      .map((name) => /^(?<table>\w+) \((?<column>\w+)\)$/.exec(name)!.groups!)
      .map(({ table, column }) => `SELECT ifnull(sum(octet_length(${column})), 0) AS bytes FROM ${table}`)
      .reduce((sum, sql) => sum + db.one<{ bytes: number }>(sql)!.bytes, 0)
  let largest = 0
  const measured = <Result>(work: () => Result): Result => {
    const before = bytes()
    const result = work()
    largest = Math.max(largest, before - bytes())
    return result
  }
  const watched: Database = {
    ...db,
    run: (...call) => measured(() => db.run(...call)),
    transaction: (work) => measured(() => db.transaction(work)),
    relaxedTransaction: (work) => measured(() => db.relaxedTransaction(work))
  }
  const store = createSqliteStore(watched)
  const long = '\u0001'.repeat(10_000)

  const webhook = buildWebhook()
  const deliveries = await deliveriesTo(store, webhook, 60)
  const [first, ...others] = deliveries as [NewDelivery, ...NewDelivery[]]
  const respond = (delivery: NewDelivery, number: number) =>
    buildDeliveryChange(delivery, number, { attempt: buildAttempt(number, { response: long }) })
  await store.deliveries.recordAttempts(Array.from({ length: 50 }, (_, at) => respond(first, at + 1)))
  for (const delivery of others) await store.deliveries.recordAttempts([1, 2, 3].map((at) => respond(delivery, at)))
  await store.events.add(Array.from({ length: 40 }, (_, at) => buildEvent({ tail: long.repeat(at % 10) })))
  await store.events.markFannedOut(
    'acme',
    (await store.events.list('acme', { after: 0, limit: 1000 })).map(({ id }) => id)
  )

  const record = buildImport()
  await store.imports.add(record)
  const errors = Array.from({ length: 100 }, (_, at) => buildImportError(record, at + 2, { row: long }))
  await store.imports.advance(buildImportStep(record, { errors }))

  const rest = bytes()
  t.ok(rest > 18_000_000, `${rest}`)
  await store.webhooks.delete('acme', webhook.id)
  await store.events.deleteBefore(minute(9999), 1000)
  await store.imports.delete('acme', record.id)
  t.equal(bytes(), 0)
  t.ok(largest > 500_000 && largest <= 1_000_000, `${largest} bytes in one transaction`)
})

t.test('an old event whose body is missing is deleted like others, and not found again', async (t) => {
  const db = openDatabase(`${t.testdir()}/store.db`)
  t.teardown(db.close)
  const store = createSqliteStore(db)
  const events = [buildEvent(), buildEvent()]
  await store.events.add(events)
  await store.events.markFannedOut(
    'acme',
    events.map(({ id }) => id)
  )
  db.run('DELETE FROM event_bodies WHERE n = (SELECT min(n) FROM events)')
  t.equal(await store.events.deleteBefore(minute(9999), 1000), 2)
  t.equal(await store.events.deleteBefore(minute(9999), 1000), 0)
})
