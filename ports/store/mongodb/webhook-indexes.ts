import type { IndexRow } from './indexes.ts'

export const WEBHOOK_INDEXES: readonly IndexRow[] = []
