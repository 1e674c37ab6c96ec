import type { IndexSpecification, CreateIndexesOptions } from 'mongodb'

/**
 * One index: of which collection, over which fields, how. `name` is its identity: an index that
 * changes gets a new name.
 */
export interface IndexRow {
  collection: string
  name: string
  key: IndexSpecification
  options?: Omit<CreateIndexesOptions, 'name'>
}
