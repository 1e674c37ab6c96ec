import type { IndexRow } from './indexes.ts'

export const BLOG_INDEXES: readonly IndexRow[] = []
