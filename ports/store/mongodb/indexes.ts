import type { CreateIndexesOptions, IndexDirection } from 'mongodb'

export interface IndexDefinition {
  collection: string
  /** The identity of the index: a changed definition needs a new name. */
  name: string
  key: Record<string, IndexDirection>
  options?: Omit<CreateIndexesOptions, 'name'>
}

/**
 * An index of the documents that have this string field. The condition must be used in queries too.
 */
const withField = (field: string) => ({ partialFilterExpression: { [field]: { $gt: '' } } })

const ACCOUNT_INDEXES: readonly IndexDefinition[] = [
  { collection: 'projects', name: 'by_account', key: { accountId: 1, id: 1 } },
  {
    collection: 'projects',
    name: 'with_schedule',
    key: { nextCheckAt: 1, accountId: 1, id: 1 },
    options: withField('nextCheckAt')
  },
  { collection: 'api_keys', name: 'by_hash', key: { hash: 1 }, options: { unique: true } },
  { collection: 'api_keys', name: 'by_account', key: { accountId: 1, createdAt: 1, id: 1 } },
  { collection: 'api_keys', name: 'by_slot', key: { accountId: 1, slotId: 1 } },
  { collection: 'idempotency_keys', name: 'by_expiry', key: { expiresAt: 1 } },
  // Sizes are added up in these indexes alone.
  { collection: 'images', name: 'sizes', key: { accountId: 1, bytes: 1, originalBytes: 1 } },
  { collection: 'generated_files', name: 'by_age', key: { accountId: 1, kind: 1, fileId: 1, bytes: 1 } },
  {
    collection: 'blog_revisions',
    name: 'sizes',
    key: { accountId: 1, bytes: 1 },
    options: { partialFilterExpression: { bytes: { $gt: 0 } } }
  },
  { collection: 'idempotency_keys', name: 'sizes', key: { _id: 1, 'answer.status': 1, 'answer.bytes': 1 } },
  { collection: 'usage', name: 'by_account', key: { accountId: 1, hour: 1 } }
]

const STATUS = 'metadata.status'

/** Lists read this order backwards. */
const OLDEST_FIRST = { 'metadata.publishedAt': 1, _id: 1 } as const

const LIST_FILTERS = {
  projectId: 1,
  'keys.locale': 1,
  'keys.category': 1,
  'metadata.updatedAt': 1
} as const

/** An index of an account's blogs. */
const listIndex = (name: string, key: Record<string, 1>): IndexDefinition => ({
  collection: 'blogs',
  name,
  key: { accountId: 1, ...key }
})

/**
 * Lists read ids in order from one of these indexes alone. The fields after the order let the index
 * skip blogs that other filters exclude. A deleted blog has no metadata, so that it is in few
 * indexes.
 */
const BLOG_INDEXES: readonly IndexDefinition[] = [
  {
    collection: 'blog_revisions',
    name: 'by_blog',
    key: { accountId: 1, blogId: 1, number: 1 },
    options: { unique: true }
  },
  { collection: 'blogs', name: 'by_slug', key: { slugKey: 1 }, options: { unique: true } },
  listIndex('list_by_date', { [STATUS]: 1, ...OLDEST_FIRST, ...LIST_FILTERS }),
  listIndex('list_any_status_by_date', { deleted: 1, ...OLDEST_FIRST, ...LIST_FILTERS }),
  listIndex('list_of_project', {
    projectId: 1,
    [STATUS]: 1,
    ...OLDEST_FIRST,
    'keys.language': 1,
    'keys.locale': 1,
    'keys.category': 1
  }),
  listIndex('by_project', { projectId: 1, deleted: 1 }),
  listIndex('list_of_category', { [STATUS]: 1, 'keys.category': 1, ...OLDEST_FIRST, projectId: 1, 'keys.locale': 1 }),
  listIndex('list_of_locale', { [STATUS]: 1, 'keys.locale': 1, ...OLDEST_FIRST, projectId: 1 }),
  listIndex('list_of_author', { [STATUS]: 1, 'keys.authors': 1, ...OLDEST_FIRST, projectId: 1 }),
  listIndex('list_of_tag', { 'keys.tags': 1, [STATUS]: 1, ...OLDEST_FIRST, projectId: 1 }),
  listIndex('list_by_update', { [STATUS]: 1, 'metadata.updatedAt': 1, _id: 1, projectId: 1 }),
  listIndex('list_any_status_by_update', { deleted: 1, 'metadata.updatedAt': 1, _id: 1, projectId: 1 }),
  listIndex('list_by_title', { [STATUS]: 1, 'keys.title': 1, _id: 1, projectId: 1 }),
  listIndex('list_any_status_by_title', { deleted: 1, 'keys.title': 1, _id: 1, projectId: 1 }),
  listIndex('list_by_schedule', { [STATUS]: 1, 'metadata.publishAt': 1, _id: 1, projectId: 1 }),
  {
    collection: 'blogs',
    name: 'by_translation',
    key: { translationSlot: 1 },
    options: { unique: true, ...withField('translationSlot') }
  },
  {
    collection: 'blogs',
    name: 'translations',
    key: { accountId: 1, projectId: 1, 'metadata.translationKey': 1, [STATUS]: 1, _id: 1 },
    options: withField('metadata.translationKey')
  },
  { collection: 'blogs', name: 'by_term', key: { accountId: 1, terms: 1, 'metadata.status': 1 } },
  { collection: 'blogs', name: 'by_title_term', key: { accountId: 1, 'body.titleTerms': 1, 'metadata.status': 1 } },
  // Any number of deleted projects may have had a slug.
  listIndex('by_former_slug', { 'releasedSlugs.slug': 1, projectId: 1, deleted: 1 }),
  { collection: 'blogs', name: 'removed', key: { accountId: 1, removedAt: 1, _id: 1, projectId: 1 } },
  // Few blogs have departures, and only those are in a sparse index.
  {
    collection: 'blogs',
    name: 'departed',
    key: { 'departures.from': 1, 'departures.at': 1 },
    options: { sparse: true }
  },
  {
    collection: 'blogs',
    name: 'due',
    key: { 'metadata.publishAt': 1, _id: 1, accountId: 1 },
    options: { partialFilterExpression: { 'metadata.status': 'scheduled' } }
  },
  { collection: 'blogs', name: 'totals', key: { totalsKey: 1 }, options: withField('totalsKey') },
  { collection: 'blogs', name: 'by_rules', key: { 'metadata.rulesVersion': 1, _id: 1, accountId: 1 } },
  { collection: 'blogs', name: 'published_by_id', key: { accountId: 1, 'metadata.status': 1, _id: 1 } },
  {
    collection: 'blogs',
    name: 'related_pending',
    key: { accountId: 1 },
    options: { partialFilterExpression: { relatedPending: true } }
  },
  { collection: 'related_entries', name: 'by_term', key: { groupId: 1, terms: 1, _id: -1 } },
  { collection: 'related_entries', name: 'by_age', key: { groupId: 1, computedAt: 1, _id: 1 } },
  {
    collection: 'related_groups',
    name: 'pending',
    key: { accountId: 1 },
    options: { partialFilterExpression: { pending: true } }
  },
  {
    collection: 'blogs',
    name: 'images_to_delete',
    key: { imagesToDelete: 1 },
    options: { partialFilterExpression: { imagesToDelete: true } }
  },
  { collection: 'images', name: 'by_blog', key: { blogId: 1, accountId: 1, createdAt: 1, filename: 1 } },
  { collection: 'visual_checks', name: 'list', key: { accountId: 1, blogId: 1, createdAt: -1, _id: -1 } },
  {
    collection: 'visual_checks',
    name: 'history',
    key: { accountId: 1, blogId: 1, url: 1, _id: -1 },
    options: { partialFilterExpression: { overallScore: { $gte: 0 } } }
  },
  { collection: 'visual_checks', name: 'of_url', key: { accountId: 1, blogId: 1, url: 1, createdAt: -1, _id: -1 } },
  { collection: 'visual_checks', name: 'unfinished', key: { status: 1, createdAt: 1, _id: 1, startedAt: 1 } },
  { collection: 'visual_checks', name: 'finished', key: { finishedAt: 1, _id: 1 } }
]

const OF_PROJECT = { accountId: 1, projectId: 1 } as const

/**
 * The order of a list, after the field that narrows it. The keys of a page come from the index
 * alone, so that skipped products are not read.
 */
const LIST_ORDER = { projectId: 1, externalId: 1 } as const

/** An index of products with pending work: see PENDING_FIELDS in products/documents.ts. */
const pendingWork = (name: string, field: string): IndexDefinition => ({
  collection: 'products',
  name,
  key: { ...OF_PROJECT, [field]: 1, _id: 1 },
  options: withField(field)
})

const PRODUCT_INDEXES: readonly IndexDefinition[] = [
  {
    collection: 'products',
    name: 'unique_external_id',
    key: { ...OF_PROJECT, externalId: 1 },
    options: { unique: true }
  },
  {
    collection: 'products',
    name: 'unique_claim',
    key: { ...OF_PROJECT, claims: 1 },
    options: { unique: true, partialFilterExpression: { claims: { $exists: true } } }
  },
  { collection: 'products', name: 'list', key: { accountId: 1, externalId: 1, projectId: 1 } },
  { collection: 'products', name: 'list_by_status', key: { accountId: 1, status: 1, ...LIST_ORDER } },
  { collection: 'products', name: 'list_by_sku', key: { accountId: 1, sku: 1, ...LIST_ORDER } },
  { collection: 'products', name: 'list_by_category', key: { accountId: 1, category: 1, ...LIST_ORDER } },
  { collection: 'products', name: 'list_by_update', key: { accountId: 1, updatedAt: 1, ...LIST_ORDER } },
  { collection: 'products', name: 'list_by_term', key: { accountId: 1, terms: 1, ...LIST_ORDER } },
  { collection: 'products', name: 'list_by_group', key: { accountId: 1, groupId: 1, ...LIST_ORDER } },
  { collection: 'products', name: 'list_by_handle', key: { accountId: 1, 'seo.handle.value': 1, ...LIST_ORDER } },
  { collection: 'products', name: 'list_by_quality', key: { accountId: 1, quality: 1, ...LIST_ORDER } },
  { collection: 'products', name: 'by_group', key: { ...OF_PROJECT, groupId: 1, _id: 1 } },
  { collection: 'products', name: 'by_title', key: { ...OF_PROJECT, titleHash: 1, _id: 1 } },
  pendingWork('optimize_pending', 'optimizePendingSince'),
  pendingWork('image_check_pending', 'imageCheckPendingSince'),
  pendingWork('suggestion_due', 'suggestionDueAt'),
  pendingWork('event_pending', 'eventPendingSince'),
  {
    collection: 'products',
    name: 'by_batch',
    key: { 'pending.batch': 1, accountId: 1 },
    options: withField('pending.batch')
  },
  { collection: 'products', name: 'totals', key: { totalsKey: 1 }, options: withField('totalsKey') },
  { collection: 'product_batches', name: 'by_heartbeat', key: { heartbeatAt: 1 } },
  { collection: 'imports', name: 'list', key: { accountId: 1, createdAt: -1, _id: -1, projectId: 1 } },
  { collection: 'imports', name: 'list_by_project', key: { ...OF_PROJECT, createdAt: -1, _id: -1 } },
  { collection: 'imports', name: 'unfinished', key: { status: 1, createdAt: 1, _id: 1 } },
  { collection: 'imports', name: 'finished', key: { finishedAt: 1, _id: 1 } },
  {
    collection: 'import_errors',
    name: 'list',
    key: { importId: 1, line: 1 },
    options: { partialFilterExpression: { visible: true } }
  },
  { collection: 'import_errors', name: 'by_step', key: { importId: 1, step: 1 } }
]

/** Documents whose events must still be moved to `events`: of all accounts, and of one. There are few at a time. */
const pendingEvents = (collection: string): IndexDefinition[] => [
  {
    collection,
    name: 'events_pending',
    key: { eventsPendingSince: 1 },
    options: withField('eventsPendingSince')
  },
  {
    collection,
    name: 'account_events_pending',
    key: { accountId: 1, eventsPendingSince: 1 },
    options: withField('eventsPendingSince')
  }
]

const WEBHOOK_INDEXES: readonly IndexDefinition[] = [
  ...['blogs', 'imports', 'visual_checks', 'event_batches'].flatMap(pendingEvents),
  { collection: 'events', name: 'by_sequence', key: { accountId: 1, sequence: 1 }, options: { unique: true } },
  { collection: 'events', name: 'by_type', key: { accountId: 1, type: 1, sequence: 1 } },
  // Sizes are added up in this index alone.
  { collection: 'events', name: 'sizes', key: { accountId: 1, sequence: 1, bytes: 1 } },
  {
    collection: 'events',
    name: 'fan_out_pending',
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
    name: 'marks_pending',
    key: { marksPendingSince: 1, accountId: 1, projectId: 1 },
    options: withField('marksPendingSince')
  },
  {
    collection: 'events',
    name: 'unique_product_version',
    key: { accountId: 1, productVersions: 1 },
    options: { unique: true, ...withField('productVersions') }
  },
  { collection: 'webhooks', name: 'by_account', key: { accountId: 1, createdAt: 1, _id: 1 } },
  {
    collection: 'webhooks',
    name: 'deleted',
    key: { deleted: 1 },
    options: { partialFilterExpression: { deleted: true } }
  },
  { collection: 'deliveries', name: 'by_sequence', key: { webhookId: 1, sequence: 1 }, options: { unique: true } },
  { collection: 'deliveries', name: 'by_event', key: { eventId: 1, webhookId: 1 }, options: { unique: true } },
  {
    collection: 'deliveries',
    name: 'due',
    key: { webhookId: 1, nextAttemptAt: 1, _id: 1 },
    options: { partialFilterExpression: { status: 'pending' } }
  },
  // The next two include every field that lists filter by, so that skipped deliveries are not read.
  {
    collection: 'deliveries',
    name: 'by_status',
    key: { webhookId: 1, status: 1, sequence: 1, eventAt: 1, event: 1, nextAttemptAt: 1 }
  },
  { collection: 'deliveries', name: 'list', key: { webhookId: 1, sequence: 1, eventAt: 1, event: 1 } },
  { collection: 'recoveries', name: 'by_webhook', key: { webhookId: 1 } },
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
    name: 'requeue',
    key: { 'requeue.at': 1 },
    options: withField('requeue.at')
  }
]

/** Lists read this order backwards. The fields after it let the index skip what filters exclude. */
const AUDIT_INDEXES: readonly IndexDefinition[] = [
  {
    collection: 'audit_entries',
    name: 'of_account',
    key: { accountId: 1, _id: 1, action: 1, 'actor.id': 1, 'target.id': 1 }
  }
]

/** All indexes of the store, except for the built-in indexes on `_id`. */
export const INDEXES: readonly IndexDefinition[] = [
  ...ACCOUNT_INDEXES,
  ...BLOG_INDEXES,
  ...PRODUCT_INDEXES,
  ...WEBHOOK_INDEXES,
  ...AUDIT_INDEXES
]
