import type { VisualCheckMetadata, VisualCheckRecord, VisualCheckResult, VisualCheckStore } from '../port.ts'
import type { Database } from './database.ts'
import { addEvents } from './events.ts'
import { changed, type RecordRow } from './records.ts'

/** A check with what came of it. */
export interface CheckRow extends RecordRow {
  result: string | null
}
export const CHECKS =
  'SELECT c.record, r.record AS result FROM visual_checks c LEFT JOIN visual_check_results r ON r.id = c.id WHERE'

export function checkOf({ record, result }: CheckRow): VisualCheckRecord {
  return {
    ...(JSON.parse(record) as VisualCheckMetadata),
    result: result === null ? null : (JSON.parse(result) as VisualCheckResult)
  }
}

/** Adds a check; to be called inside `db.atomically`. */
export function insertCheck(db: Database, { result, ...head }: VisualCheckRecord): boolean {
  const { id, accountId, blogId, url, status, createdAt, startedAt, finishedAt } = head
  const added =
    db.run(
      'INSERT INTO visual_checks (id, account_id, blog_id, url, status, created_at, started_at, finished_at, record) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
      id,
      accountId,
      blogId,
      url,
      status,
      createdAt,
      startedAt,
      finishedAt,
      JSON.stringify(head)
    ) === 1
  putResult(db, id, result)
  return added
}

function putResult(db: Database, id: string, result: VisualCheckResult | null): void {
  if (result !== null) {
    db.run('INSERT OR REPLACE INTO visual_check_results (id, record) VALUES (?, ?)', id, JSON.stringify(result))
  }
}

/** Keeps visual checks. */
export function createVisualChecks(db: Database): VisualCheckStore {
  const one = (where: string, ...values: string[]) => {
    const row = db.one<CheckRow>(`${CHECKS} ${where}`, ...values)
    return row === undefined ? null : checkOf(row)
  }
  const find = (accountId: string, id: string) => one('c.id = ? AND c.account_id = ?', id, accountId)
  const places = (sql: string, ...values: (string | number)[]) =>
    db
      .all<{ accountId: string; id: string }>(
        `SELECT account_id AS accountId, id FROM visual_checks WHERE ${sql}`,
        ...values
      )
      .map((row) => ({ ...row }))

  function write(check: VisualCheckRecord, change: Partial<VisualCheckRecord>): VisualCheckRecord {
    const { result, ...head } = changed(check, change)
    db.run(
      'UPDATE visual_checks SET status = ?, started_at = ?, finished_at = ?, record = ? WHERE id = ?',
      head.status,
      head.startedAt,
      head.finishedAt,
      JSON.stringify(head),
      head.id
    )
    putResult(db, head.id, result)
    return { ...head, result }
  }

  function going({
    accountId,
    id,
    attempt
  }: {
    accountId: string
    id: string
    attempt: number
  }): VisualCheckRecord | null {
    const check = find(accountId, id)
    return check?.status === 'running' && check.attempts === attempt ? check : null
  }

  return {
    add: async (check, most) =>
      db.atomically(() => {
        const unfinished =
          db.one<{ count: number }>(
            'SELECT count(*) AS count FROM visual_checks WHERE account_id = ? AND finished_at IS NULL',
            check.accountId
          )?.count ?? 0
        return (check.finishedAt !== null || unfinished < most) && insertCheck(db, check)
      }),
    find: async (accountId, id) => find(accountId, id),
    list: async ({ accountId, blogId }, { page, pageSize }) => {
      const total = db.one<{ count: number }>(
        'SELECT count(*) AS count FROM visual_checks WHERE account_id = ? AND blog_id = ?',
        accountId,
        blogId
      )
      const rows = db.all<RecordRow>(
        'SELECT record FROM visual_checks WHERE account_id = ? AND blog_id = ? ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?',
        accountId,
        blogId,
        pageSize,
        (page - 1) * pageSize
      )
      return {
        checks: rows.map(({ record }) => JSON.parse(record) as VisualCheckMetadata),
        totalCount: total?.count ?? 0
      }
    },
    findPrevious: async ({ accountId, blogId, url, id }) =>
      one(
        "c.account_id = ? AND c.blog_id = ? AND c.url = ? AND c.status = 'completed' AND c.id < ? ORDER BY c.id DESC LIMIT 1",
        accountId,
        blogId,
        url,
        id
      ),
    start: async ({ accountId, id, at, staleBefore }) =>
      db.atomically(() => {
        const check = find(accountId, id)
        const free = check?.status === 'queued' || (check?.status === 'running' && check.startedAt! < staleBefore)
        return check === null || !free
          ? null
          : write(check, { status: 'running', startedAt: at, attempts: check.attempts + 1 })
      }),
    release: async (run) =>
      db.atomically(() => {
        const check = going(run)
        if (check !== null) write(check, { status: 'queued', startedAt: null })
        return check !== null
      }),
    finish: async (run, end, events) =>
      db.atomically(() => {
        const check = going(run)
        if (check === null) return null
        addEvents(db, events)
        return write(check, end)
      }),
    unfinished: async (staleBefore, limit) =>
      places(
        'finished_at IS NULL AND (started_at IS NULL OR started_at < ?) ORDER BY created_at, id LIMIT ?',
        staleBefore,
        limit
      ),
    finishedBefore: async (time, limit) => places('finished_at < ? ORDER BY finished_at, id LIMIT ?', time, limit),
    delete: async (accountId, id) => {
      db.run('DELETE FROM visual_checks WHERE id = ? AND account_id = ?', id, accountId)
    }
  }
}
