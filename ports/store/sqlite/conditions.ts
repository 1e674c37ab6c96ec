import type { SQLInputValue } from 'node:sqlite'
import type { ReadScope } from '../port.ts'

/** A part of a WHERE clause with its values, in the order of its question marks. */
export interface Condition {
  sql: string
  values: SQLInputValue[]
}

/** One condition that holds when all do. */
export function allOf(conditions: Condition[]): Condition {
  return { sql: conditions.map(({ sql }) => sql).join(' AND '), values: conditions.flatMap(({ values }) => values) }
}

/**
 * Account and projects of what the reader may see, in the table or alias of this name; of one
 * project alone when that is given.
 */
export function seenBy(reader: ReadScope & { projectId?: string | undefined }, table: string): Condition {
  const { accountId, projectIds, projectId } = reader
  const conditions: Condition[] = [{ sql: `${table}.account_id = ?`, values: [accountId] }]
  if (projectId !== undefined) conditions.push({ sql: `${table}.project_id = ?`, values: [projectId] })
  // One project, by far the most usual, is an equation, so that an index gives its blogs in order.
  if (projectIds?.length === 1) conditions.push({ sql: `${table}.project_id = ?`, values: [projectIds[0] as string] })
  else if (projectIds !== null) {
    conditions.push({
      sql: `${table}.project_id IN (SELECT value FROM json_each(?))`,
      values: [JSON.stringify(projectIds)]
    })
  }
  return allOf(conditions)
}
