import type { Collection } from 'mongodb'
import type { Database } from './database.ts'

/** Since this version, every change of a blog marks it for the stored totals (decision 40). */
export const TOTALS_VERSION = 2
/** Since this version, stored totals contain counts by time (decision 40). */
export const TIMES_VERSION = 3
/** Since this version, every change of a product marks it, and stored totals contain sizes (decision 40). */
export const PRODUCT_TOTALS_VERSION = 4
/** The oldest version whose documents this version of the service reads and writes. */
export const OLDEST_VERSION = 1
/** Grows when stored documents must be converted. Indexes are compared by name and key instead. */
export const SCHEMA_VERSION = PRODUCT_TOTALS_VERSION

interface SchemaDocument {
  _id: 'schema'
  version: number
}

export const schemaCollection = (database: Database): Collection<SchemaDocument> =>
  database.collection<SchemaDocument>('meta')

/** Null: `svc migrate` has never run. */
export async function readSchemaVersion(database: Database): Promise<number | null> {
  return (await schemaCollection(database).findOne({ _id: 'schema' }))?.version ?? null
}
