import { DatabaseSync } from 'node:sqlite'
import t from 'tap'
import type { BlogRecord, NewDelivery } from '../../../../ports/store/port.ts'
import { openStore } from '../../../../ports/store/open.ts'
import { openDatabase, type Database } from '../../../../ports/store/sqlite/database.ts'
import { createSqliteStore, openSqliteStore } from '../../../../ports/store/sqlite/index.ts'
import { REVISIONS_SCHEMA } from '../../../../ports/store/sqlite/revisions-schema.ts'
import {
  ACME,
  buildBlog,
  buildProject,
  buildRevision,
  minute,
  tombstoneOf
} from '../../../contracts/store/fixtures/content.ts'
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
    [
      'delivery_attempts (record)',
      'import_errors (record)',
      'event_bodies (tail)',
      'idempotency (response)',
      'blog_revisions (content)'
    ]
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

  const [blog, changed] = [buildBlog(), buildBlog()]
  const addRevision = (of: BlogRecord, number: number, keep = 500) =>
    store.blogRevisions.put(buildRevision(of, number, { content: Buffer.alloc(100_000, number) }), keep)
  for (const each of [blog, changed]) {
    await store.blogs.add(each)
    for (let number = 1; number <= 25; number++) await addRevision(each, number)
  }

  const rest = bytes()
  t.ok(rest > 23_000_000, `${rest}`)
  await store.webhooks.delete('acme', webhook.id)
  await store.events.deleteBefore(minute(9999), 1000)
  await store.imports.delete('acme', record.id)
  await store.blogs.delete(tombstoneOf(blog), 1)
  await addRevision(changed, 26, 0)
  t.equal(bytes(), 0)
  t.ok(largest > 500_000 && largest <= 1_000_000, `${largest} bytes in one transaction`)
})

t.test('revisions that a crash left of a deleted blog are deleted later, and not exported', async (t) => {
  const db = openDatabase(`${t.testdir()}/store.db`)
  t.teardown(db.close)
  let isDown = false
  const failing: Database = {
    ...db,
    relaxedTransaction: (work) => {
      if (isDown) throw new Error('The process was killed.')
      return db.relaxedTransaction(work)
    }
  }
  const store = createSqliteStore(failing)
  const [blog, other] = [buildBlog(), buildBlog()]
  for (const each of [blog, other]) {
    await store.blogs.add(each)
    for (const number of [1, 2]) await store.blogRevisions.put(buildRevision(each, number), 50)
  }
  isDown = true
  await t.rejects(store.blogs.delete(tombstoneOf(blog), 1), { message: 'The process was killed.' })
  isDown = false
  t.equal(await store.blogs.findMetadataById(blog.id), null)
  const blogIds = () => db.all<{ id: string }>('SELECT blog_id AS id FROM blog_revisions').map(({ id }) => id)
  t.equal(blogIds().length, 4)
  const { records } = await store.transfer.page('blogRevision', { after: null, limit: 10 })
  t.same(
    records.map(({ blogId }) => blogId),
    [other.id, other.id]
  )
  const { bytes } = await store.storage.measure('acme')
  await store.maintain(AbortSignal.timeout(10_000))
  t.same(blogIds(), [other.id, other.id])
  t.ok((await store.storage.measure('acme')).bytes < bytes, 'and are no longer counted')
  t.equal(db.one<{ count: number }>('SELECT count(*) AS count FROM revision_deletions')!.count, 0)
})

t.test('the revisions of an earlier version are deleted in steps, too', async (t) => {
  const file = `${t.testdir()}/store.db`
  const filled = await openSqliteStore({ path: file })
  const blog = buildBlog()
  await filled.blogs.add(blog)
  for (const number of [1, 2, 3]) await filled.blogRevisions.put(buildRevision(blog, number), 50)
  const { bytes } = await filled.storage.measure('acme')
  await filled.close()
  const earlier = new DatabaseSync(file)
  earlier.exec(`
    PRAGMA foreign_keys = OFF;
    CREATE TEMP TABLE saved AS SELECT * FROM blog_revisions;
    CREATE TEMP TABLE usage AS SELECT * FROM storage_usage;
    DROP TABLE blog_revisions;
    DROP TABLE revision_deletions;
    ${REVISIONS_SCHEMA}
    INSERT INTO blog_revisions SELECT * FROM saved;
    DELETE FROM storage_usage;
    INSERT INTO storage_usage SELECT * FROM usage;
    PRAGMA user_version = 23`)
  t.equal(earlier.prepare('PRAGMA foreign_key_list(blog_revisions)').all().length, 1)
  earlier.close()

  const migrated = await openSqliteStore({ path: file })
  t.equal((await migrated.storage.measure('acme')).bytes, bytes)
  t.same((await migrated.blogRevisions.list('acme', blog.id, { from: 1, before: 9 })).length, 3)
  t.equal(await migrated.blogs.delete(tombstoneOf(blog), 1), true)
  t.same(await migrated.blogRevisions.list('acme', blog.id, { from: 1, before: 9 }), [])
  t.equal((await migrated.storage.measure('acme')).blogs, 0)
  await migrated.close()
  const checked = new DatabaseSync(file)
  t.teardown(() => checked.close())
  t.same(checked.prepare('PRAGMA foreign_key_list(blog_revisions)').all(), [])
  t.equal(checked.prepare('PRAGMA integrity_check').get()?.integrity_check, 'ok')
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
