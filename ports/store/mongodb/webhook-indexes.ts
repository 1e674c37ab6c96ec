import type { IndexRow } from './index-row.ts'

/**
 * Documents whose events wait to be moved, or whose products wait to be marked; there are hardly
 * ever any.
 */
const PENDING = { partialFilterExpression: { pendingAt: { $gt: '' } } }
const pending = (collection: string): IndexRow => ({
  collection,
  name: 'pending',
  key: { pendingAt: 1, accountId: 1 },
  options: PENDING
})

export const WEBHOOK_INDEXES: readonly IndexRow[] = [
  ...['blogs', 'imports', 'visual_checks', 'event_batches'].map(pending),
  { collection: 'events', name: 'in_order', key: { accountId: 1, sequence: 1 }, options: { unique: true } },
  { collection: 'events', name: 'of_types', key: { accountId: 1, type: 1, sequence: 1 } },
  {
    collection: 'events',
    name: 'not_fanned_out',
    key: { fannedOut: 1, accountId: 1, sequence: 1 },
    options: { partialFilterExpression: { fannedOut: false } }
  },
  {
    collection: 'events',
    name: 'by_age',
    key: { timestamp: 1 },
    options: { partialFilterExpression: { fannedOut: true } }
  },
  {
    collection: 'events',
    name: 'to_mark',
    key: { marksAt: 1, accountId: 1, projectId: 1 },
    options: { partialFilterExpression: { marksAt: { $gt: '' } } }
  },
  {
    collection: 'events',
    name: 'told_once',
    key: { accountId: 1, tells: 1 },
    options: { unique: true, partialFilterExpression: { tells: { $gt: '' } } }
  },
  { collection: 'webhooks', name: 'of_account', key: { accountId: 1, createdAt: 1, _id: 1 } },
  {
    collection: 'webhooks',
    name: 'removed',
    key: { removed: 1 },
    options: { partialFilterExpression: { removed: true } }
  },
  { collection: 'deliveries', name: 'in_order', key: { webhookId: 1, sequence: 1 }, options: { unique: true } },
  { collection: 'deliveries', name: 'of_event', key: { eventId: 1, webhookId: 1 }, options: { unique: true } },
  // The last two have all that lists look at, so that a search reads no attempts of those that it
  // passes over.
  {
    collection: 'deliveries',
    name: 'due',
    key: { webhookId: 1, nextAttemptAt: 1, _id: 1 },
    options: { partialFilterExpression: { status: 'pending' } }
  },
  {
    collection: 'deliveries',
    name: 'by_status',
    key: { webhookId: 1, status: 1, sequence: 1, eventAt: 1, event: 1, nextAttemptAt: 1 }
  },
  { collection: 'deliveries', name: 'listed', key: { webhookId: 1, sequence: 1, eventAt: 1, event: 1 } },
  { collection: 'recoveries', name: 'of_webhook', key: { webhookId: 1 } },
  {
    collection: 'recoveries',
    name: 'running',
    key: { createdAt: 1, _id: 1 },
    options: { partialFilterExpression: { status: 'running' } }
  },
  {
    collection: 'recoveries',
    name: 'done',
    key: { finishedAt: 1 },
    options: { partialFilterExpression: { status: 'done' } }
  },
  {
    collection: 'recoveries',
    name: 'reopening',
    key: { 'reopening.at': 1 },
    options: { partialFilterExpression: { 'reopening.at': { $gt: '' } } }
  }
]
