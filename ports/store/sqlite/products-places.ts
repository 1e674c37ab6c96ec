import type { ProjectRef } from '../port.ts'
import { seenBy, type Condition } from './conditions.ts'
import type { Database } from './database.ts'

/**
 * The number of a project that has, or once had, a product. The condition of one that never had is
 * never true.
 */
export function inPlace({ accountId, projectId }: ProjectRef): Condition {
  return {
    sql: 'p.place = (SELECT place FROM product_places WHERE account_id = ? AND project_id = ?)',
    values: [accountId, projectId]
  }
}

/** The condition that the product is of the account. */
export function inAccount(accountId: string): Condition {
  return { sql: 'p.place IN (SELECT place FROM product_places WHERE account_id = ?)', values: [accountId] }
}

/** The numbers of all projects that the reader may see. */
export function placesSeenBy(
  db: Database,
  reader: { accountId: string; projectIds: string[] | null; projectId?: string }
): number[] {
  const seen = seenBy(reader, 'l')
  return db
    .all<{ place: number }>(`SELECT l.place FROM product_places l WHERE ${seen.sql}`, ...seen.values)
    .map(({ place }) => place)
}

/**
 * The number of the project, which it is given where it has none. To be called inside `atomically`.
 */
export function ensurePlace(db: Database, { accountId, projectId }: ProjectRef): number {
  const found = db.one<{ place: number }>(
    'SELECT place FROM product_places WHERE account_id = ? AND project_id = ?',
    accountId,
    projectId
  )
  const row =
    found ??
    db.one<{ place: number }>(
      'INSERT INTO product_places (account_id, project_id) VALUES (?, ?) RETURNING place',
      accountId,
      projectId
    )
  return (row as { place: number }).place
}
