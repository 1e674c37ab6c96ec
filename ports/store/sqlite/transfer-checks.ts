import type { Database } from './database.ts'
import { rowsAfter, type Movers } from './transfer-mover.ts'
import { checkOf, CHECKS, insertCheck, type CheckRow } from './visual-checks.ts'

/** Moves visual checks with what came of them. */
export function createCheckMover(db: Database): Movers['visualCheck'] {
  return {
    position: ({ id }) => [id],
    page: (after, limit) =>
      rowsAfter<CheckRow>(db, { select: `${CHECKS} 1`, columns: ['c.id'] }, { after, limit }).map(checkOf),
    near: ({ id }) => db.all<CheckRow>(`${CHECKS} c.id = ?`, id).map(checkOf),
    insert: (check) => insertCheck(db, check)
  }
}
