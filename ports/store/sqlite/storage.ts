import type { StorageStore, StorageUsage } from '../port.ts'
import type { Database } from './database.ts'

const MEASURE = `
  SELECT
    coalesce(sum(bytes), 0) AS bytes,
    coalesce(sum(records) FILTER (WHERE kind = 'blogs'), 0) AS blogs,
    coalesce(sum(records) FILTER (WHERE kind = 'products'), 0) AS products,
    coalesce(sum(records) FILTER (WHERE kind = 'images'), 0) AS images
  FROM storage_usage WHERE account_id = ?`

/** Triggers keep the counts current in the transaction of each change: see storage-schema.ts. */
export const createStorage = (db: Database): StorageStore => ({
  measure: async (accountId) => ({ ...db.one<StorageUsage>(MEASURE, accountId)! })
})
