import { createYielder } from '../../../lib/async.ts'
import type { AccountRecord, AccountStore, ProjectRecord, ProjectStore } from '../port.ts'
import type { Database } from './database.ts'
import { merge, parseRecord, type RecordRow } from './sql.ts'

/**
 * What products of deleted projects have left. Lists of products read all of it. The last number stays, so that a
 * list that is being read never finds products of another account under a number that was used again.
 */
const UNUSED = `
  SELECT n FROM product_projects pp
  WHERE account_id = ? AND n < (SELECT max(n) FROM product_projects)
    AND NOT EXISTS (SELECT 1 FROM projects p WHERE p.account_id = pp.account_id AND p.id = pp.project_id)
    AND NOT EXISTS (SELECT 1 FROM products WHERE project_n = pp.n)
  LIMIT ?`
const UNUSED_AT_ONCE = 100

export function createAccounts(db: Database): AccountStore {
  const find = (id: string) =>
    parseRecord<AccountRecord>(db.one<RecordRow>('SELECT record FROM accounts WHERE id = ?', id))

  return {
    insertIfAbsent: async (account) => {
      db.run(
        'INSERT INTO accounts (id, record) VALUES (?, ?) ON CONFLICT DO NOTHING',
        account.id,
        JSON.stringify(account)
      )
      return find(account.id) as AccountRecord
    },
    find: async (id) => find(id),
    update: async (id, change) =>
      db.transaction(() => {
        const found = find(id)
        if (found === null) return null
        const account = { ...merge(found, change), id }
        db.run('UPDATE accounts SET record = ? WHERE id = ?', JSON.stringify(account), id)
        return find(id)
      }),
    list: async ({ afterId, limit }) =>
      db
        .all<RecordRow>('SELECT record FROM accounts WHERE id > ? ORDER BY id LIMIT ?', afterId ?? '', limit)
        .map((row) => JSON.parse(row.record) as AccountRecord)
  }
}

/** Projects that one statement reads. */
const LISTED_AT_ONCE = 50

export function createProjects(db: Database): ProjectStore {
  const find = (accountId: string, id: string) =>
    parseRecord<ProjectRecord>(
      db.one<RecordRow>('SELECT record FROM projects WHERE account_id = ? AND id = ?', accountId, id)
    )

  /** Reads them in parts with pauses: an account may have thousands. */
  async function listAll(accountId: string, limit: number): Promise<ProjectRecord[]> {
    const projects: ProjectRecord[] = []
    const pause = createYielder()
    for (;;) {
      await pause()
      const rows = db.all<RecordRow>(
        'SELECT record FROM projects WHERE account_id = ? AND id > ? ORDER BY id LIMIT ?',
        accountId,
        projects.at(-1)?.id ?? '',
        limit === -1 ? LISTED_AT_ONCE : Math.min(limit - projects.length, LISTED_AT_ONCE)
      )
      for (const { record } of rows) projects.push(JSON.parse(record) as ProjectRecord)
      if (rows.length < LISTED_AT_ONCE || projects.length === limit) return projects
    }
  }

  return {
    insertIfAbsent: async (project) => {
      const { accountId, id } = project
      const changes = db.run(
        'INSERT INTO projects (account_id, id, record) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
        accountId,
        id,
        JSON.stringify(project)
      )
      return { project: find(accountId, id) as ProjectRecord, added: changes === 1 }
    },
    find: async (accountId, id) => find(accountId, id),
    // LIMIT -1 is none (https://sqlite.org/lang_select.html#limitoffset).
    list: async (accountId, ids, limit = -1) => {
      if (ids === undefined) return await listAll(accountId, limit)
      return db
        .all<RecordRow>(
          `SELECT record FROM projects
           WHERE account_id = ? AND id IN (SELECT value FROM json_each(?)) ORDER BY id LIMIT ?`,
          accountId,
          JSON.stringify(ids),
          limit
        )
        .map((row) => JSON.parse(row.record) as ProjectRecord)
    },
    dueForCheck: async (now, limit) =>
      db
        .all<RecordRow>(
          'SELECT record FROM projects WHERE next_check_at <= ? ORDER BY next_check_at, account_id, id LIMIT ?',
          now,
          limit
        )
        .map((row) => JSON.parse(row.record) as ProjectRecord),
    count: async (accountId) =>
      db.one<{ count: number }>('SELECT count(*) AS count FROM projects WHERE account_id = ?', accountId)!.count,
    update: async (accountId, id, change) =>
      db.transaction(() => {
        const found = find(accountId, id)
        if (found === null) return null
        const project = { ...merge(found, change), accountId, id }
        db.run('UPDATE projects SET record = ? WHERE account_id = ? AND id = ?', JSON.stringify(project), accountId, id)
        return find(accountId, id)
      }),
    delete: async (accountId, id) =>
      db.transaction(() => {
        const isDeleted = db.run('DELETE FROM projects WHERE account_id = ? AND id = ?', accountId, id) === 1
        for (const { n } of db.all<{ n: number }>(UNUSED, accountId, UNUSED_AT_ONCE)) {
          db.run('DELETE FROM product_search_partitions WHERE project_n = ?', n)
          db.run('DELETE FROM product_projects WHERE n = ?', n)
        }
        return isDeleted
      })
  }
}
