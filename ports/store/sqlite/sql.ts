import type { SQLInputValue } from 'node:sqlite'
import type { ReadScope } from '../port.ts'

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
