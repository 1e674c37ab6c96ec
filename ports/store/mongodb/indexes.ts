import type { IndexSpecification, CreateIndexesOptions } from 'mongodb'
import { ACCOUNT_INDEXES } from './account-indexes.ts'
import { BLOG_INDEXES } from './blog-indexes.ts'
import { PRODUCT_INDEXES } from './product-indexes.ts'
import { VISUAL_CHECK_INDEXES } from './visual-check-indexes.ts'
import { WEBHOOK_INDEXES } from './webhook-indexes.ts'

/** One index: of which collection, over which fields, how. `name` is its identity: an index that changes gets a new name. */
export interface IndexRow { collection: string, name: string, key: IndexSpecification, options?: Omit<CreateIndexesOptions, 'name'> }

/** Every index that the store needs. `_id` has its own. */
export const INDEXES: readonly IndexRow[] = [...ACCOUNT_INDEXES, ...BLOG_INDEXES, ...PRODUCT_INDEXES, ...VISUAL_CHECK_INDEXES, ...WEBHOOK_INDEXES]
