import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import t from 'tap'
import { openDatabase } from '../../../../ports/store/sqlite/database.ts'
import { createSqliteStore, openSqliteStore } from '../../../../ports/store/sqlite/index.ts'
import { blogTotalCases } from '../../../contracts/store/blogs/totals.ts'
import { productTotalCases } from '../../../contracts/store/products/totals.ts'
import { fill } from '../../../contracts/store/fixtures/transfer.ts'
import { undoRelatedTerms } from '../../../fixtures/sqlite/migrations.ts'
import { temporaryFolder } from '../../../helper.ts'

const TABLES = ['blog_counts', 'blog_times', 'product_counts'] as const
/** Migrations that created these tables, and later ones. */
const MIGRATIONS = 4
/** All counts, ordered by all of their columns. */
const countsOf = (db: Pick<DatabaseSync, 'prepare'>) =>
  TABLES.map((table) =>
    db
      .prepare(`SELECT * FROM ${table} ORDER BY ${table === 'product_counts' ? '1, 2, 3' : '1, 2, 3, 4, 5, 6, 7'}`)
      .all()
      .map((row) => ({ ...row }))
  )

t.test('nothing is left of the counts of deleted blogs and products', async (t) => {
  const db = openDatabase(`${t.testdir()}/store.db`)
  t.teardown(db.close)
  const store = createSqliteStore(db)
  for (const { run } of [...blogTotalCases, ...productTotalCases]) await run({ store, reopen: async () => store })
  for (const table of TABLES) t.same(db.all(`SELECT * FROM ${table}`), [], table)
})

t.test('blogs and products of a store of an earlier version are counted when it is opened', async (t) => {
  const file = path.join(temporaryFolder(t), 'store.db')
  const filled = await openSqliteStore({ path: file })
  await fill(filled)
  await filled.close()
  const db = new DatabaseSync(file)
  const before = countsOf(db)
  t.ok(before.every((rows) => rows.length > 0))
  undoRelatedTerms(db)
  const { user_version: version } = db.prepare('PRAGMA user_version').get() as { user_version: number }
  for (const { name } of db
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger' AND (name GLOB 'blog_*' OR name GLOB 'product_*')")
    .all()) {
    db.exec(`DROP TRIGGER ${String(name)}`)
  }
  for (const table of TABLES) db.exec(`DROP TABLE ${table}`)
  db.exec('DROP INDEX blogs_facts')
  db.exec(`PRAGMA user_version = ${version - MIGRATIONS}`)
  db.close()
  await (await openSqliteStore({ path: file })).close()
  const migrated = new DatabaseSync(file)
  t.teardown(() => migrated.close())
  t.same(countsOf(migrated), before)
})
