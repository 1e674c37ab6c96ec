import type { SQLInputValue } from 'node:sqlite'
import type { ReadScope, RecordRef, SweepCursor, SweepPage } from '../port.ts'
import type { Database } from './database.ts'

/** Part of a WHERE clause, and the values of its question marks in order. */
export interface Condition {
  sql: string
  values: SQLInputValue[]
}

/** A condition that holds when all of the given ones hold. */
export function and(conditions: Condition[]): Condition {
  return { sql: conditions.map(({ sql }) => sql).join(' AND '), values: conditions.flatMap(({ values }) => values) }
}

/**
 * Restricts a table (or its alias) to an account, to the projects of the scope, and to one project
 * if `projectId` is given.
 */
export function inScope(scope: ReadScope & { projectId?: string | undefined }, table: string): Condition {
  const { accountId, projectIds, projectId } = scope
  const conditions: Condition[] = [{ sql: `${table}.account_id = ?`, values: [accountId] }]
  if (projectId !== undefined) conditions.push({ sql: `${table}.project_id = ?`, values: [projectId] })
  // A single project is by far the most common case. As an equality, it lets an index return the
  // rows in order.
  if (projectIds?.length === 1) conditions.push({ sql: `${table}.project_id = ?`, values: [projectIds[0] as string] })
  else if (projectIds !== null) {
    conditions.push({
      sql: `${table}.project_id IN (SELECT value FROM json_each(?))`,
      values: [JSON.stringify(projectIds)]
    })
  }
  return and(conditions)
}

/** `?, ?, ?` for this many values. */
export function placeholders(count: number): string {
  return Array.from({ length: count }, () => '?').join(', ')
}

/**
 * The distinct values of an integer or text column in ascending order, as a table `pending (value)`
 * for a WITH RECURSIVE clause. Needs one index lookup for each value, however many rows have it. Its
 * parameters are the value to start after, and the maximum number of values. The last row may be null.
 */
export function distinctValues(table: string, column: string, condition: string): string {
  return `
    pending (value) AS (
      SELECT min(${column}) FROM ${table} WHERE ${condition} AND ${column} > ?
      UNION ALL
      SELECT (SELECT min(d.${column}) FROM ${table} d WHERE d.${condition} AND d.${column} > pending.value)
      FROM pending WHERE pending.value IS NOT NULL LIMIT ?
    )`
}

/** The page of a sweep that was read with its `limit`. `keyOf`: the text that `after` of the next page is. */
export function toSweepPage<Row, Item>(
  rows: Row[],
  limit: number,
  { keyOf, toItem }: { keyOf: (row: Row) => string; toItem: (row: Row) => Item }
): SweepPage<Item> {
  const last = rows.length < limit ? undefined : rows.at(-1)
  return { items: rows.map(toItem), next: last === undefined ? null : keyOf(last) }
}

/** A page of records of all accounts, in order of `created_at`, then of id. */
export function readOldestFirst(
  db: Database,
  { table, condition, values = [] }: { table: string; condition: string; values?: SQLInputValue[] },
  { after, limit }: SweepCursor
): SweepPage<RecordRef> {
  const [at, id] = after === null ? ['', ''] : (JSON.parse(after) as [string, string])
  const rows = db.all<RecordRef & { createdAt: string }>(
    `SELECT account_id AS accountId, id, created_at AS createdAt FROM ${table}
     WHERE ${condition} AND (created_at, id) > (?, ?) ORDER BY created_at, id LIMIT ?`,
    ...values,
    at,
    id,
    limit
  )
  return toSweepPage(rows, limit, {
    keyOf: (row) => JSON.stringify([row.createdAt, row.id]),
    toItem: ({ accountId, id }) => ({ accountId, id })
  })
}

/** A row that holds a record as JSON. */
export interface RecordRow {
  record: string
}

/** The record of the row, or null when there is no row. */
export function parseRecord<T>(row: RecordRow | undefined): T | null {
  return row === undefined ? null : (JSON.parse(row.record) as T)
}

/** The record with the changed fields. Fields that are undefined in the change are kept. */
export function merge<T extends object>(record: T, change: Partial<NoInfer<T>>): T {
  return { ...record, ...Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) }
}
