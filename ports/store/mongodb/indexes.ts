import { ACCOUNT_INDEXES } from './account-indexes.ts'
import { BLOG_INDEXES } from './blog-indexes.ts'
import type { IndexRow } from './index-row.ts'
import { PRODUCT_INDEXES } from './product-indexes.ts'
import { VISUAL_CHECK_INDEXES } from './visual-check-indexes.ts'
import { WEBHOOK_INDEXES } from './webhook-indexes.ts'

/** Every index that the store needs. `_id` has its own. */
export const INDEXES: readonly IndexRow[] = [
  ...ACCOUNT_INDEXES,
  ...BLOG_INDEXES,
  ...PRODUCT_INDEXES,
  ...VISUAL_CHECK_INDEXES,
  ...WEBHOOK_INDEXES
]
