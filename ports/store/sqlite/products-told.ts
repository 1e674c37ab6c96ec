import type { Database } from './database.ts'
import { inAccount } from './products-places.ts'

/**
 * Marks these products of the account as told with these outputs, one version on; does nothing when
 * one of them has nothing to tell any more
 * or is not of this version: false. To be called inside `db.atomically`.
 */
export function markTold(
  db: Database,
  accountId: string,
  told: { id: string; ifVersion: number; digest: string }[]
): boolean {
  const { sql, values } = inAccount(accountId)
  const ready = told.every(
    ({ id, ifVersion }) =>
      db.one(
        `SELECT p.n FROM products p WHERE p.id = ? AND p.version = ? AND p.untold_at IS NOT NULL AND ${sql}`,
        id,
        ifVersion,
        ...values
      ) !== undefined
  )
  if (!ready) return false
  for (const { id, ifVersion, digest } of told) {
    db.run(
      'UPDATE products SET told = ?, untold_at = NULL, version = version + 1 WHERE id = ? AND version = ?',
      digest,
      id,
      ifVersion
    )
  }
  return true
}
