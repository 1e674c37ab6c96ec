import type { IndexRow } from './index-row.ts'

const PLACE = { accountId: 1, projectId: 1 } as const
/**
 * The order of a list, behind what narrows it: so the keys of a page are read off the index, and no
 * product that is skipped is looked at.
 */
const LISTED = { projectId: 1, externalId: 1 } as const
/** An index that holds only what has this mark; see MARKS in products-documents.ts. */
const marked = (name: string, mark: string): IndexRow => ({
  collection: 'products',
  name,
  key: { ...PLACE, [mark]: 1, _id: 1 },
  options: { partialFilterExpression: { [mark]: { $gt: '' } } }
})

export const PRODUCT_INDEXES: readonly IndexRow[] = [
  { collection: 'products', name: 'one_of_external_id', key: { ...PLACE, externalId: 1 }, options: { unique: true } },
  {
    collection: 'products',
    name: 'one_of_claim',
    key: { ...PLACE, claims: 1 },
    options: { unique: true, partialFilterExpression: { claims: { $exists: true } } }
  },
  { collection: 'products', name: 'list', key: { accountId: 1, externalId: 1, projectId: 1 } },
  { collection: 'products', name: 'list_by_status', key: { accountId: 1, status: 1, ...LISTED } },
  { collection: 'products', name: 'list_by_sku', key: { accountId: 1, sku: 1, ...LISTED } },
  { collection: 'products', name: 'list_by_category', key: { accountId: 1, category: 1, ...LISTED } },
  { collection: 'products', name: 'list_by_update', key: { accountId: 1, updatedAt: 1, ...LISTED } },
  { collection: 'products', name: 'list_by_word', key: { accountId: 1, terms: 1, ...LISTED } },
  { collection: 'products', name: 'same_title', key: { ...PLACE, titleKey: 1, _id: 1 } },
  marked('to_optimize', 'optimizePendingSince'),
  marked('to_picture', 'imageCheckPendingSince'),
  marked('to_tell', 'eventPendingSince'),
  {
    collection: 'products',
    name: 'in_batch',
    key: { 'pending.batch': 1, accountId: 1 },
    options: { partialFilterExpression: { 'pending.batch': { $gt: '' } } }
  },
  { collection: 'product_batches', name: 'by_age', key: { at: 1 } },
  { collection: 'imports', name: 'list', key: { accountId: 1, createdAt: -1, _id: -1, projectId: 1 } },
  { collection: 'imports', name: 'list_of_project', key: { ...PLACE, createdAt: -1, _id: -1 } },
  { collection: 'imports', name: 'unfinished', key: { status: 1, createdAt: 1, _id: 1 } },
  { collection: 'imports', name: 'finished', key: { finishedAt: 1, _id: 1 } },
  {
    collection: 'import_errors',
    name: 'report',
    key: { importId: 1, line: 1 },
    options: { partialFilterExpression: { shown: true } }
  },
  { collection: 'import_errors', name: 'step', key: { importId: 1, step: 1 } }
]
