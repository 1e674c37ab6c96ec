import type { IndexRow } from './index-row.ts'

export const VISUAL_CHECK_INDEXES: readonly IndexRow[] = [
  { collection: 'visual_checks', name: 'list', key: { accountId: 1, blogId: 1, createdAt: -1, _id: -1 } },
  {
    collection: 'visual_checks',
    name: 'of_page',
    key: { accountId: 1, blogId: 1, url: 1, _id: -1 },
    options: { partialFilterExpression: { status: 'completed' } }
  },
  { collection: 'visual_checks', name: 'unfinished', key: { status: 1, createdAt: 1, _id: 1, startedAt: 1 } },
  { collection: 'visual_checks', name: 'finished', key: { finishedAt: 1, _id: 1 } }
]
