import type { IndexRow } from './indexes.ts'

/** Documents whose events wait to be moved, or whose products wait to be marked; there are hardly ever any. */
const PENDING = { partialFilterExpression: { pendingAt: { $gt: '' } } }
const pending = (collection: string): IndexRow => ({ collection, name: 'pending', key: { pendingAt: 1, accountId: 1 }, options: PENDING })

export const WEBHOOK_INDEXES: readonly IndexRow[] = [
  ...['blogs', 'imports', 'event_batches'].map(pending),
  { collection: 'events', name: 'in_order', key: { accountId: 1, sequence: 1 }, options: { unique: true } },
  { collection: 'events', name: 'of_types', key: { accountId: 1, type: 1, sequence: 1 } },
  { collection: 'events', name: 'not_fanned_out', key: { fannedOut: 1, accountId: 1, sequence: 1 }, options: { partialFilterExpression: { fannedOut: false } } },
  { collection: 'events', name: 'by_age', key: { timestamp: 1 }, options: { partialFilterExpression: { fannedOut: true } } },
  { collection: 'events', name: 'to_mark', key: { marksAt: 1, accountId: 1, projectId: 1 }, options: { partialFilterExpression: { marksAt: { $gt: '' } } } },
  { collection: 'events', name: 'told_once', key: { accountId: 1, tells: 1 }, options: { unique: true, partialFilterExpression: { tells: { $gt: '' } } } }
]
