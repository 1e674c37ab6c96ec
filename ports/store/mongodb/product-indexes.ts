import type { IndexRow } from './indexes.ts'

export const PRODUCT_INDEXES: readonly IndexRow[] = []
