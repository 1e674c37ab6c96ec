import type { ProductStore } from '../port.ts'
import type { Database } from './database.ts'
import { createProductBatches } from './products-batch-save.ts'
import { createProductLists } from './products-list.ts'
import { createProductReads } from './products-read.ts'
import { createProductSaves } from './products-save.ts'
import { createProductTitles } from './products-titles.ts'
import { createProductWork } from './products-work.ts'

/** Keeps products. */
export function createProducts(database: Database): ProductStore {
  return {
    ...createProductSaves(database),
    ...createProductBatches(database),
    ...createProductReads(database),
    ...createProductTitles(database),
    ...createProductLists(database),
    ...createProductWork(database)
  }
}
