import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import t from 'tap'
import { openSqliteStore } from '../../../../ports/store/sqlite/index.ts'
import { fill, readAll } from '../../../contracts/store/fixtures/transfer.ts'
import { temporaryFolder } from '../../../helper.ts'

t.test('a store of schema version 2 is measured when it is opened, and loses no data', async (t) => {
  const file = path.join(temporaryFolder(t), 'store.db')
  const filled = await openSqliteStore({ path: file })
  await fill(filled)
  await filled.close()
  // Revisions are newer.
  const later = new DatabaseSync(file)
  later.exec('DELETE FROM blog_revisions')
  later.close()
  const store = await openSqliteStore({ path: file })
  const accounts = ['acme', 'zeta']
  const measure = async (from: typeof store) => await Promise.all(accounts.map((id) => from.storage.measure(id)))
  const scope = { accountId: 'acme', projectIds: null }
  const search = async (from: typeof store) => ({
    products: await from.products.list({ ...scope, terms: ['kettle'] }, { page: 1, pageSize: 100 }),
    blogs: await from.blogs.list(
      { ...scope, status: 'any', terms: ['ke'] },
      { page: 1, pageSize: 100, withBody: false }
    )
  })
  const before = { records: await readAll(store), usage: await measure(store), found: await search(store) }
  t.ok(before.found.products.totalCount > 0 && before.found.blogs.totalCount > 0)
  t.ok(before.usage[0]!.blogs > 0 && before.usage[0]!.products > 0 && before.usage[0]!.images > 0)
  await store.close()

  const db = new DatabaseSync(file)
  for (const { name } of db
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name NOT LIKE 'delete%'")
    .all()) {
    db.exec(`DROP TRIGGER ${String(name)}`)
  }
  db.exec(`
    DROP TABLE blog_revisions;
    DROP TABLE revision_deletions;
    DROP TABLE blog_counts;
    DROP TABLE blog_times;
    DROP INDEX blogs_facts;
    DROP TABLE product_counts;
    DROP TABLE audit_entries;
    DROP TABLE blog_responses;
    DROP TABLE related_indexes;
    DROP TABLE related_groups;
    DROP TABLE related_entries;
    DROP TABLE related_search;
    DROP TABLE related_term_counts;
    DROP INDEX projects_with_schedule;
    ALTER TABLE projects DROP COLUMN next_check_at;
    DROP INDEX visual_checks_of_url;
    DROP INDEX visual_checks_of_page;
    CREATE INDEX visual_checks_of_page ON visual_checks (account_id, blog_id, url, id);
    ALTER TABLE visual_checks DROP COLUMN score;
    DROP TABLE storage_usage;
    ALTER TABLE idempotency DROP COLUMN operation_id;
    DROP TABLE product_search_partitions;
    DROP TABLE blog_search_partitions;
    DELETE FROM product_search;
    DELETE FROM blog_search;
    ALTER TABLE product_records DROP COLUMN search_partition;
    ALTER TABLE product_records DROP COLUMN search_terms;
    ALTER TABLE blogs DROP COLUMN search_partition;
    ALTER TABLE blogs DROP COLUMN search_terms;
    DROP INDEX former_slugs_by_project;
    DROP TABLE blog_departures;
    DROP TABLE generated_files;
    PRAGMA user_version = 2`)
  db.close()

  const migrated = await openSqliteStore({ path: file })
  t.teardown(() => migrated.close())
  t.same(await measure(migrated), before.usage)
  t.same(await search(migrated), before.found)
  const withoutOperations = before.records.idempotency.map((claim) => ({ ...claim, operationId: null }))
  t.same(await readAll(migrated), { ...before.records, idempotency: withoutOperations })
})
