import { createYielder } from '../../../lib/async.ts'
import type { GeneratedFileRef, GeneratedFileStore } from '../port.ts'
import type { Database } from './database.ts'
import { forEachStep } from './steps.ts'

export const GENERATED_FILES_SCHEMA = `
CREATE TABLE generated_files (
  key TEXT PRIMARY KEY,
  id TEXT NOT NULL,
  account_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  bytes INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX generated_files_by_age ON generated_files (account_id, kind, id, bytes);
`

const PUT = `
  INSERT INTO generated_files (key, id, account_id, kind, bytes) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (key) DO UPDATE SET id = excluded.id, account_id = excluded.account_id, kind = excluded.kind,
    bytes = excluded.bytes`
const OF_KIND = 'FROM generated_files WHERE account_id = ? AND kind = ?'
const OLDEST = `SELECT id, key ${OF_KIND} AND id < ? ORDER BY id LIMIT ?`
const DELETE = 'DELETE FROM generated_files WHERE key = ? AND id = ?'
/** The character after `/` ends the range. */
const DELETE_ALL = `
  DELETE FROM generated_files
  WHERE key IN (SELECT key FROM generated_files WHERE key > ? || '/' AND key < ? || '0' LIMIT ?)`

/** Records that one transaction deletes. */
const DELETED_AT_ONCE = 200
/** Greater than any id. */
const LAST = '~'

/** Records of generated files, in transactions that do not wait for the disk. */
export function createGeneratedFiles(db: Database, { rows }: { rows: number }): GeneratedFileStore {
  const endOfStep = `SELECT id ${OF_KIND} AND id < ? ORDER BY id DESC LIMIT 1 OFFSET ${rows - 1}`
  const newest = `SELECT id, bytes ${OF_KIND} AND id < ? AND id >= ? ORDER BY id DESC`

  return {
    put: async ({ key, id, accountId, kind, bytes }) =>
      db.relaxedTransaction(() => {
        db.run(PUT, key, id, accountId, kind, bytes)
      }),
    findFitting: async (accountId, kind, maxBytes) => {
      let [total, oldest] = [0, LAST]
      let isFull = false
      await forEachStep<string>(
        (before) => db.one<{ id: string }>(endOfStep, accountId, kind, before ?? LAST)?.id ?? null,
        ({ after, upTo }) => {
          const step = [accountId, kind, after ?? LAST, upTo ?? ''] as const
          for (const { id, bytes } of db.all<{ id: string; bytes: number }>(newest, ...step)) {
            total += bytes
            isFull = total > maxBytes
            if (isFull) return false
            oldest = id
          }
          return true
        }
      )
      return isFull ? oldest : ''
    },
    oldest: async (accountId, kind, { before, limit }) =>
      db.all<GeneratedFileRef>(OLDEST, accountId, kind, before, limit).map((file) => ({ ...file })),
    delete: async (files) => {
      const pause = createYielder()
      for (let start = 0; start < files.length; start += DELETED_AT_ONCE) {
        await pause()
        db.relaxedTransaction(() => {
          for (const { key, id } of files.slice(start, start + DELETED_AT_ONCE)) db.run(DELETE, key, id)
        })
      }
    },
    deleteAll: async (prefix) => {
      const pause = createYielder()
      do await pause()
      while (db.relaxedTransaction(() => db.run(DELETE_ALL, prefix, prefix, DELETED_AT_ONCE)) === DELETED_AT_ONCE)
    }
  }
}
