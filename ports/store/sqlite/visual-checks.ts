import { mapInSlices } from '../../../lib/async.ts'
import type {
  RecordRef,
  VisualCheckMetadata,
  VisualCheckRecord,
  VisualCheckResult,
  VisualCheckRun,
  VisualCheckStore
} from '../port.ts'
import type { Database } from './database.ts'
import { addEvents } from './events.ts'
import { merge, parseRecord, readOldestFirst, type RecordRow } from './sql.ts'
import { newestFirst, readPage, STEP_SIZES } from './steps.ts'

export interface CheckRow extends RecordRow {
  result: string | null
}

/** Selects complete checks, up to the condition. `c` is the check. */
export const SELECT_CHECKS = `
  SELECT c.record, r.record AS result
  FROM visual_checks c LEFT JOIN visual_check_results r ON r.id = c.id WHERE`
const INSERT = `
  INSERT INTO visual_checks
    (id, account_id, blog_id, url, status, score, created_at, started_at, finished_at, record)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
const COUNT_UNFINISHED = 'SELECT count(*) AS count FROM visual_checks WHERE account_id = ? AND finished_at IS NULL'
const HISTORY = `
  SELECT record FROM visual_checks
  WHERE account_id = ? AND blog_id = ? AND url = ? AND score IS NOT NULL AND id <= ? ORDER BY id DESC LIMIT ?`

export function toCheck({ record, result }: CheckRow): VisualCheckRecord {
  return {
    ...(JSON.parse(record) as VisualCheckMetadata),
    result: result === null ? null : (JSON.parse(result) as VisualCheckResult)
  }
}

const toMetadata = ({ record }: RecordRow) => JSON.parse(record) as VisualCheckMetadata

function writeResult(db: Database, id: string, result: VisualCheckResult | null): void {
  if (result !== null) {
    db.run('INSERT OR REPLACE INTO visual_check_results (id, record) VALUES (?, ?)', id, JSON.stringify(result))
  }
}

/** Inserts a check. Call inside a transaction. */
export function insertCheck(db: Database, { result, ...metadata }: VisualCheckRecord): boolean {
  const { id, accountId, blogId, url, status, overallScore, createdAt, startedAt, finishedAt } = metadata
  const record = JSON.stringify(metadata)
  const times = [createdAt, startedAt, finishedAt] as const
  const changes = db.run(INSERT, id, accountId, blogId, url, status, overallScore, ...times, record)
  writeResult(db, id, result)
  return changes === 1
}

export function createVisualChecks(db: Database, sizes = STEP_SIZES): VisualCheckStore {
  function findOne(condition: string, ...values: string[]): VisualCheckRecord | null {
    const row = db.one<CheckRow>(`${SELECT_CHECKS} ${condition}`, ...values)
    return row === undefined ? null : toCheck(row)
  }

  const find = (accountId: string, id: string) => findOne('c.id = ? AND c.account_id = ?', id, accountId)

  const findRefs = (condition: string, ...values: (string | number)[]) =>
    db
      .all<RecordRef>(`SELECT account_id AS accountId, id FROM visual_checks WHERE ${condition}`, ...values)
      .map((row) => ({ ...row }))

  function write(check: VisualCheckRecord, change: Partial<VisualCheckRecord>): VisualCheckRecord {
    const { result, ...metadata } = merge(check, change)
    db.run(
      'UPDATE visual_checks SET status = ?, score = ?, started_at = ?, finished_at = ?, record = ? WHERE id = ?',
      metadata.status,
      metadata.overallScore,
      metadata.startedAt,
      metadata.finishedAt,
      JSON.stringify(metadata),
      metadata.id
    )
    writeResult(db, metadata.id, result)
    return { ...metadata, result }
  }

  /** The check, if this run is the current one. */
  function findRunning({ accountId, id, attempt }: VisualCheckRun): VisualCheckRecord | null {
    const check = find(accountId, id)
    return check?.status === 'running' && check.attempts === attempt ? check : null
  }

  return {
    add: async (check, maxUnfinished) =>
      db.transaction(() => {
        const unfinished = db.one<{ count: number }>(COUNT_UNFINISHED, check.accountId)?.count ?? 0
        return (check.finishedAt !== null || unfinished < maxUnfinished) && insertCheck(db, check)
      }),
    find: async (accountId, id) => find(accountId, id),
    list: async ({ accountId, blogId, url }, { page, pageSize }) => {
      const columns =
        url === undefined
          ? { sql: 'account_id = ? AND blog_id = ?', values: [accountId, blogId] }
          : { sql: 'account_id = ? AND blog_id = ? AND url = ?', values: [accountId, blogId, url] }
      const slice = { skip: (page - 1) * pageSize, limit: pageSize }
      const { ns, totalCount } = await readPage(newestFirst(db, { table: 'visual_checks', columns }, sizes), slice)
      const checks = await mapInSlices(ns, (id) =>
        parseRecord<VisualCheckMetadata>(db.one<RecordRow>('SELECT record FROM visual_checks WHERE id = ?', id))
      )
      return { checks: checks.filter((check) => check !== null), totalCount }
    },
    history: async ({ accountId, blogId, url, id }, limit) =>
      db.all<RecordRow>(HISTORY, accountId, blogId, url, id, limit).map(toMetadata),
    findPrevious: async ({ accountId, blogId, url, id }) =>
      findOne(
        `c.account_id = ? AND c.blog_id = ? AND c.url = ? AND c.score IS NOT NULL AND c.id < ?
         ORDER BY c.id DESC LIMIT 1`,
        accountId,
        blogId,
        url,
        id
      ),
    start: async ({ accountId, id, at, staleBefore }) =>
      db.transaction(() => {
        const check = find(accountId, id)
        const startable = check?.status === 'queued' || (check?.status === 'running' && check.startedAt! < staleBefore)
        if (check === null || !startable) return null
        return write(check, { status: 'running', startedAt: at, attempts: check.attempts + 1 })
      }),
    release: async (run) =>
      db.transaction(() => {
        const check = findRunning(run)
        if (check !== null) write(check, { status: 'queued', startedAt: null })
        return check !== null
      }),
    finish: async (run, outcome, events) =>
      db.transaction(() => {
        const check = findRunning(run)
        if (check === null) return null
        addEvents(db, events)
        return write(check, outcome)
      }),
    unfinished: async (staleBefore, page) =>
      readOldestFirst(
        db,
        {
          table: 'visual_checks',
          condition: 'finished_at IS NULL AND (started_at IS NULL OR started_at < ?)',
          values: [staleBefore]
        },
        page
      ),
    finishedBefore: async (time, limit) => findRefs('finished_at < ? ORDER BY finished_at, id LIMIT ?', time, limit),
    delete: async (accountId, id) => {
      db.run('DELETE FROM visual_checks WHERE id = ? AND account_id = ?', id, accountId)
    }
  }
}
