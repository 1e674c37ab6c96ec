import type { Database } from './database.ts'
import { settleLeftEvents } from './events-pending.ts'
import { documentMover, type Movers } from './transfer-mover.ts'
import { checkOf, documentOf, visualChecks } from './visual-check-documents.ts'

/**
 * Moves visual checks with what came of them. Those that go on have no seat afterwards, and may be
 * over the number that an account may have at once until they end.
 */
export function createCheckMover(database: Database): Movers['visualCheck'] {
  const mover = documentMover({
    collection: visualChecks(database),
    order: ['_id'],
    name: ({ id }) => [id],
    documentOf,
    recordOf: checkOf
  })
  return {
    ...mover,
    page: async (after, limit) => {
      if (after === null) await settleLeftEvents(database, null)
      return await mover.page(after, limit)
    }
  }
}
