import type { ImportErrorRecord, ImportRecord, ImportStore } from '../port.ts'
import { seenBy } from './conditions.ts'
import type { Database } from './database.ts'
import { addEvents } from './events.ts'
import { changed, recordOf, type RecordRow } from './records.ts'

const IN_PROGRESS: ReadonlySet<string> = new Set(['queued', 'running'])

/** Keeps imports and the rows that failed. */
export function createImports(db: Database): ImportStore {
  const find = (accountId: string, id: string) =>
    recordOf<ImportRecord>(
      db.one<RecordRow>('SELECT record FROM imports WHERE id = ? AND account_id = ?', id, accountId)
    )
  const write = (record: ImportRecord) => {
    db.run(
      'UPDATE imports SET status = ?, finished_at = ?, record = ? WHERE id = ?',
      record.status,
      record.finishedAt,
      JSON.stringify(record),
      record.id
    )
    return find(record.accountId, record.id)
  }

  return {
    add: async (record) => {
      const { id, accountId, projectId, status, createdAt, finishedAt } = record
      db.run(
        'INSERT INTO imports (id, account_id, project_id, status, created_at, finished_at, record) VALUES (?, ?, ?, ?, ?, ?, ?)',
        id,
        accountId,
        projectId,
        status,
        createdAt,
        finishedAt,
        JSON.stringify(record)
      )
    },
    find: async (accountId, id) => find(accountId, id),
    list: async (filter, { page, pageSize }) => {
      const { sql, values } = seenBy(filter, 'i')
      const total = db.one<{ count: number }>(`SELECT count(*) AS count FROM imports i WHERE ${sql}`, ...values)
      const rows = db.all<RecordRow>(
        `SELECT i.record FROM imports i WHERE ${sql} ORDER BY i.created_at DESC, i.id DESC LIMIT ? OFFSET ?`,
        ...values,
        pageSize,
        (page - 1) * pageSize
      )
      return { imports: rows.map(({ record }) => JSON.parse(record) as ImportRecord), totalCount: total?.count ?? 0 }
    },
    advance: async ({ accountId, id, fromByte, change, errors, events }) =>
      db.atomically(() => {
        const record = find(accountId, id)
        if (record?.nextByte !== fromByte || !IN_PROGRESS.has(record.status)) return null
        for (const error of errors) {
          db.run(
            'INSERT OR REPLACE INTO import_errors (import_id, line, record) VALUES (?, ?, ?)',
            id,
            error.line,
            JSON.stringify(error)
          )
        }
        addEvents(db, events)
        return write(changed(record, change))
      }),
    requestCancel: async (accountId, id) =>
      db.atomically(() => {
        const record = find(accountId, id)
        return record === null || !IN_PROGRESS.has(record.status) ? record : write({ ...record, cancelRequested: true })
      }),
    errors: async (id, { afterLine, limit }) =>
      db
        .all<RecordRow>(
          'SELECT record FROM import_errors WHERE import_id = ? AND line > ? ORDER BY line LIMIT ?',
          id,
          afterLine,
          limit
        )
        .map(({ record }) => JSON.parse(record) as ImportErrorRecord),
    unfinished: async (limit) =>
      db
        .all<{ accountId: string; id: string }>(
          `SELECT account_id AS accountId, id FROM imports
      WHERE status IN ('queued', 'running') ORDER BY created_at, id LIMIT ?`,
          limit
        )
        .map((row) => ({ ...row })),
    finishedBefore: async (time, limit) =>
      db
        .all<{ accountId: string; id: string }>(
          `SELECT account_id AS accountId, id FROM imports
      WHERE finished_at < ? ORDER BY finished_at, id LIMIT ?`,
          time,
          limit
        )
        .map((row) => ({ ...row })),
    delete: async (accountId, id) =>
      db.atomically(() => {
        if (db.run('DELETE FROM imports WHERE id = ? AND account_id = ?', id, accountId) === 1) {
          db.run('DELETE FROM import_errors WHERE import_id = ?', id)
        }
      })
  }
}
