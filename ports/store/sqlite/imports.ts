import { mapInSlices } from '../../../lib/async.ts'
import { IMPORT_ERRORS_BYTES } from '../port.ts'
import type { ImportErrorRecord, ImportRecord, ImportStore, RecordRef } from '../port.ts'
import type { Database } from './database.ts'
import { addEvents } from './events.ts'
import { removeRows, type SizedRow } from './removal.ts'
import { inScope, merge, parseRecord, readOldestFirst, type RecordRow } from './sql.ts'
import { newestFirst, readPage, STEP_SIZES } from './steps.ts'

const IN_PROGRESS: ReadonlySet<string> = new Set(['queued', 'running'])

const INSERT = `
  INSERT INTO imports (id, account_id, project_id, status, created_at, finished_at, record)
  VALUES (?, ?, ?, ?, ?, ?, ?)`
const FINISHED_BEFORE = `
  SELECT account_id AS accountId, id FROM imports
  WHERE finished_at < ? ORDER BY finished_at, id LIMIT ?`
/* SQLite knows the size of a text without reading it. */
const LINES_OF_ERRORS = `
  SELECT line, octet_length(record) AS bytes FROM import_errors
  WHERE import_id = ? AND line > ? ORDER BY line LIMIT ?`
const ERRORS = 'SELECT record FROM import_errors WHERE import_id = ? AND line > ? AND line <= ? ORDER BY line'

const SIZES_OF_ERRORS = `
  SELECT line AS n, octet_length(record) AS bytes FROM import_errors WHERE import_id = ? ORDER BY line LIMIT ?`
const DELETE_ERRORS = 'DELETE FROM import_errors WHERE import_id = ? AND line IN (SELECT value FROM json_each(?))'

export function createImports(db: Database, sizes = STEP_SIZES): ImportStore {
  const find = (accountId: string, id: string) =>
    parseRecord<ImportRecord>(
      db.one<RecordRow>('SELECT record FROM imports WHERE id = ? AND account_id = ?', id, accountId)
    )

  function write(record: ImportRecord): ImportRecord | null {
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
      db.run(INSERT, id, accountId, projectId, status, createdAt, finishedAt, JSON.stringify(record))
    },
    find: async (accountId, id) => find(accountId, id),
    list: async (filter, { page, pageSize }) => {
      const list = newestFirst(db, { table: 'imports', columns: inScope(filter, 'imports') }, sizes)
      const { ns, totalCount } = await readPage(list, { skip: (page - 1) * pageSize, limit: pageSize })
      const found = await mapInSlices(ns, (id) =>
        parseRecord<ImportRecord>(db.one<RecordRow>('SELECT record FROM imports WHERE id = ?', id))
      )
      return { imports: found.filter((record) => record !== null), totalCount }
    },
    advance: async ({ accountId, id, fromByte, change, errors, events }) => {
      // Progress need not wait for the disk: the log is in order, so that progress never survives a
      // crash without its products, and the batch of lost progress is repeated with the same results.
      const isProgress = change.status === undefined && events.length === 0
      return db[isProgress ? 'relaxedTransaction' : 'transaction'](() => {
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
        return write(merge(record, change))
      })
    },
    requestCancel: async (accountId, id) =>
      db.transaction(() => {
        const record = find(accountId, id)
        if (record === null || !IN_PROGRESS.has(record.status)) return record
        return write({ ...record, cancelRequested: true })
      }),
    errors: async (id, { afterLine, limit }) => {
      let bytes = 0
      const lines = db
        .all<{ line: number; bytes: number }>(LINES_OF_ERRORS, id, afterLine, limit)
        .filter((row, index) => (bytes += row.bytes) <= IMPORT_ERRORS_BYTES || index === 0)
      return await mapInSlices(
        db.all<RecordRow>(ERRORS, id, afterLine, lines.at(-1)?.line ?? afterLine),
        ({ record }) => JSON.parse(record) as ImportErrorRecord
      )
    },
    unfinished: async (page) =>
      readOldestFirst(db, { table: 'imports', condition: "status IN ('queued', 'running')" }, page),
    finishedBefore: async (time, limit) => db.all<RecordRef>(FINISHED_BEFORE, time, limit).map((row) => ({ ...row })),
    // The rows first: what a crash leaves is found by its import again.
    delete: async (accountId, id) => {
      if (find(accountId, id) === null) return
      await removeRows(
        db,
        (limit) => db.all<SizedRow>(SIZES_OF_ERRORS, id, limit),
        (lines) => db.run(DELETE_ERRORS, id, JSON.stringify(lines))
      )
      db.run('DELETE FROM imports WHERE id = ? AND account_id = ?', id, accountId)
    }
  }
}
