import type { ProductStore } from '../../port.ts'
import type { Database } from '../database.ts'
import { createProductBatches } from './batch-save.ts'
import { createProductLists, createProductReads } from './read.ts'
import { createProductSaves } from './save.ts'
import { createProductWork } from './work.ts'

export function createProducts(database: Database): ProductStore {
  const saves = createProductSaves(database)
  const batches = createProductBatches(database)
  const reads = createProductReads(database)
  const lists = createProductLists(database)
  const work = createProductWork(database)

  return {
    saveMany: saves.saveMany,
    saveAll: batches.saveAll,
    delete: saves.delete,
    find: reads.find,
    findByExternalIds: reads.findByExternalIds,
    listAfter: lists.listAfter,
    existsInProject: reads.existsInProject,
    findClaimOwners: reads.findClaimOwners,
    findGroupLeaders: reads.findGroupLeaders,
    listGroup: lists.listGroup,
    findByTitles: reads.findByTitles,
    list: lists.list,
    markOptimizePending: work.markOptimizePending,
    pending: work.pending,
    hasPending: work.hasPending,
    pendingProjects: work.pendingProjects,
    pendingEvents: work.pendingEvents
  }
}
