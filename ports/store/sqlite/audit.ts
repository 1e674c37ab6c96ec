import type { SQLInputValue } from 'node:sqlite'
import { createYielder } from '../../../lib/async.ts'
import { firstUuid7 } from '../../../lib/uuid7.ts'
import type { AuditFilter, AuditRecord, AuditStore } from '../port.ts'
import type { Database } from './database.ts'
import { and, type Condition, type RecordRow } from './sql.ts'
import { forEachStep, STEP_SIZES } from './steps.ts'

/**
 * The audit log. Ids begin with their time, so the primary key serves the retention. The other index
 * contains what lists filter by, so that entries are read only if they match.
 */
export const AUDIT_SCHEMA = `
CREATE TABLE audit_entries (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL,
  action TEXT NOT NULL,
  actor_id TEXT,
  target_id TEXT,
  record TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX audit_entries_of_account ON audit_entries (account_id, id, action, actor_id, target_id);
`

const INSERT = `
  INSERT INTO audit_entries (id, account_id, action, actor_id, target_id, record) VALUES (?, ?, ?, ?, ?, ?)
  ON CONFLICT DO NOTHING`
const DELETE_BEFORE = `
  DELETE FROM audit_entries WHERE id IN (SELECT id FROM audit_entries WHERE id < ? ORDER BY id LIMIT ?)`
const OF_ACTIONS = 'action IN (SELECT value FROM json_each(?))'
const DELETE_EXCESS = `
  DELETE FROM audit_entries WHERE id IN (
    SELECT id FROM audit_entries WHERE account_id = ? AND id <= ? AND ${OF_ACTIONS} ORDER BY id LIMIT ?
  )`
/** Entries that one statement deletes. */
const DELETED_AT_ONCE = 200
/** Greater than any id. */
const LAST = '~'

export function createAudit(db: Database, { rows: entries } = STEP_SIZES): AuditStore {
  /** The last id of the step of the account's entries, newest first, that begins before this id. */
  const endOfStep = (accountId: string, first: string) => (before: string | null) =>
    db.one<{ id: string }>(
      `SELECT id FROM audit_entries WHERE account_id = ? AND id < ? ORDER BY id DESC LIMIT 1 OFFSET ${entries - 1}`,
      accountId,
      before ?? first
    )?.id ?? null

  /** The newest of the account's entries with these actions that follows the first `keep` of them. */
  async function findExcess(accountId: string, actions: string, keep: number): Promise<string | null> {
    let excess: string | null = null
    let seen = 0
    await forEachStep(endOfStep(accountId, LAST), ({ after, upTo }) => {
      const step = [accountId, after ?? LAST, upTo ?? '', actions] as const
      const matches = `account_id = ? AND id < ? AND id >= ? AND ${OF_ACTIONS}`
      const { count } = db.one<{ count: number }>(
        `SELECT count(*) AS count FROM audit_entries WHERE ${matches}`,
        ...step
      )!
      if (seen + count > keep) {
        excess = db.one<{ id: string }>(
          `SELECT id FROM audit_entries WHERE ${matches} ORDER BY id DESC LIMIT 1 OFFSET ?`,
          ...step,
          keep - seen
        )!.id
      }
      seen += count
      return excess === null
    })
    return excess
  }

  return {
    // The log does not wait for the disk: that would take as long as the change itself.
    add: async (added) =>
      db.relaxedTransaction(() => {
        for (const entry of added) {
          const { id, accountId, action, actor, target } = entry
          db.run(INSERT, id, accountId, action, actor.id, target.id, JSON.stringify(entry))
        }
      }),
    list: async (accountId, filter, { beforeId, limit }) => {
      const first = [beforeId, filter.until === undefined ? null : firstUuid7(filter.until)]
        .filter((id) => id !== null)
        .reduce((a, b) => (a < b ? a : b), LAST)
      const { sql, values } = conditionOf(accountId, filter)
      const found: AuditRecord[] = []
      await forEachStep(endOfStep(accountId, first), ({ after, upTo }) => {
        const rows = db.all<RecordRow>(
          // First the ids, from the index alone: without row numbers, SQLite would read each entry to filter it.
          `WITH found AS MATERIALIZED (
             SELECT id FROM audit_entries WHERE ${sql} AND id < ? AND id >= ? ORDER BY id DESC LIMIT ?
           ) SELECT record FROM found CROSS JOIN audit_entries USING (id) ORDER BY id DESC`,
          ...values,
          after ?? first,
          upTo ?? '',
          limit - found.length
        )
        for (const { record } of rows) found.push(JSON.parse(record) as AuditRecord)
        const isPastStart = filter.since !== undefined && upTo !== null && upTo < firstUuid7(filter.since)
        return found.length < limit && !isPastStart
      })
      return found
    },
    deleteBefore: async (before, limit) =>
      db.relaxedTransaction(() => db.run(DELETE_BEFORE, firstUuid7(before), limit)),
    trim: async (accountId, actions, keep) => {
      const list = JSON.stringify(actions)
      const pause = createYielder()
      const excess = await findExcess(accountId, list, keep)
      if (excess === null) return 0
      for (let total = 0; ; ) {
        await pause()
        // What a crash of the machine restores is deleted again.
        const deleted = db.relaxedTransaction(() => db.run(DELETE_EXCESS, accountId, excess, list, DELETED_AT_ONCE))
        total += deleted
        if (deleted < DELETED_AT_ONCE) return total
      }
    }
  }
}

function conditionOf(accountId: string, { actor, action, target, since }: AuditFilter): Condition {
  const conditions: [string, SQLInputValue | undefined][] = [
    ['account_id = ?', accountId],
    ['actor_id = ?', actor],
    ['action = ?', action],
    ['target_id = ?', target],
    ['id >= ?', since === undefined ? undefined : firstUuid7(since)]
  ]
  return and(conditions.flatMap(([sql, value]) => (value === undefined ? [] : [{ sql, values: [value] }])))
}
