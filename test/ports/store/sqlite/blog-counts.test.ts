import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import t from 'tap'
import { openDatabase } from '../../../../ports/store/sqlite/database.ts'
import { createSqliteStore, openSqliteStore } from '../../../../ports/store/sqlite/index.ts'
import { blogTotalCases } from '../../../contracts/store/blogs/totals.ts'
import { fill } from '../../../contracts/store/fixtures/transfer.ts'
import { temporaryFolder } from '../../../helper.ts'

const TABLES = ['blog_counts', 'blog_times'] as const
/** All counts, ordered by all of their columns. */
const countsOf = (db: Pick<DatabaseSync, 'prepare'>) =>
  TABLES.map((table) =>
    db
      .prepare(`SELECT * FROM ${table} ORDER BY 1, 2, 3, 4, 5, 6`)
      .all()
      .map((row) => ({ ...row }))
  )

t.test('nothing is left of the counts of deleted blogs', async (t) => {
  const db = openDatabase(`${t.testdir()}/store.db`)
  t.teardown(db.close)
  const store = createSqliteStore(db)
  for (const { run } of blogTotalCases) await run({ store, reopen: async () => store })
  for (const table of TABLES) t.same(db.all(`SELECT * FROM ${table}`), [], table)
})

t.test('blogs of a store of an earlier version are counted when it is opened', async (t) => {
  const file = path.join(temporaryFolder(t), 'store.db')
  const filled = await openSqliteStore({ path: file })
  await fill(filled)
  await filled.close()
  const db = new DatabaseSync(file)
  const before = countsOf(db)
  t.ok(before.every((rows) => rows.length > 0))
  const { user_version: version } = db.prepare('PRAGMA user_version').get() as { user_version: number }
  for (const { name } of db
    .prepare("SELECT name FROM sqlite_schema WHERE name GLOB 'blog_*' AND type = 'trigger'")
    .all()) {
    db.exec(`DROP TRIGGER ${String(name)}`)
  }
  for (const table of TABLES) db.exec(`DROP TABLE ${table}`)
  db.exec(`PRAGMA user_version = ${version - 1}`)
  db.close()
  await (await openSqliteStore({ path: file })).close()
  const migrated = new DatabaseSync(file)
  t.teardown(() => migrated.close())
  t.same(countsOf(migrated), before)
})
