import type { ProductStore } from '../port.ts'
import type { Database } from './database.ts'
import { createProductClaimReads } from './products-claims.ts'
import { createProductLists } from './products-list.ts'
import { createProductReads } from './products-read.ts'
import { createProductWork } from './products-work.ts'
import { createProductWrites } from './products-write.ts'

/** Keeps products. */
export function createProducts(db: Database): ProductStore {
  return {
    ...createProductWrites(db),
    ...createProductReads(db),
    ...createProductLists(db),
    ...createProductClaimReads(db),
    ...createProductWork(db)
  }
}
