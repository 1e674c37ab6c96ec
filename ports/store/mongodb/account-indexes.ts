import type { IndexRow } from './indexes.ts'

export const ACCOUNT_INDEXES: readonly IndexRow[] = []
