import type { ProductStore } from '../../port.ts'
import type { Database } from '../database.ts'
import type { StepSizes } from '../steps.ts'
import { createProductLists } from './list.ts'
import { createPendingProducts } from './pending.ts'
import { createProductQueries } from './queries.ts'
import { createProductWrites } from './write.ts'

export function createProducts(db: Database, stepSizes: StepSizes): ProductStore {
  const writes = createProductWrites(db)
  const queries = createProductQueries(db)
  const lists = createProductLists(db, stepSizes)
  const pending = createPendingProducts(db, stepSizes)

  return {
    saveMany: writes.saveMany,
    saveAll: writes.saveAll,
    delete: writes.delete,
    find: queries.find,
    findByExternalIds: queries.findByExternalIds,
    list: lists.list,
    listAfter: queries.listAfter,
    existsInProject: queries.existsInProject,
    findByTitles: queries.findByTitles,
    findClaimOwners: queries.findClaimOwners,
    findGroupLeaders: queries.findGroupLeaders,
    listGroup: queries.listGroup,
    markOptimizePending: pending.markOptimizePending,
    pending: pending.pending,
    hasPending: pending.hasPending,
    pendingProjects: pending.pendingProjects,
    pendingEvents: pending.pendingEvents
  }
}
