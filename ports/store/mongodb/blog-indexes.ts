import type { IndexRow } from './index-row.ts'

/** The order of lists is read backwards. */
const OLDEST_FIRST = { 'head.publishedAt': 1, _id: 1 } as const

/**
 * Ids are read in order from one of these alone: what stands behind the order lets it pass over
 * blogs that other filters leave out.
 * A deleted blog has no head, so that of all of these it is in few.
 */
export const BLOG_INDEXES: readonly IndexRow[] = [
  { collection: 'blogs', name: 'by_slug', key: { slugKey: 1 }, options: { unique: true } },
  {
    collection: 'blogs',
    name: 'listed',
    key: {
      accountId: 1,
      'head.status': 1,
      ...OLDEST_FIRST,
      projectId: 1,
      'head.locale': 1,
      'head.category': 1,
      'head.author.name': 1,
      'head.updatedAt': 1
    }
  },
  {
    collection: 'blogs',
    name: 'of_any_status',
    key: {
      accountId: 1,
      deleted: 1,
      ...OLDEST_FIRST,
      projectId: 1,
      'head.locale': 1,
      'head.category': 1,
      'head.author.name': 1,
      'head.updatedAt': 1
    }
  },
  {
    collection: 'blogs',
    name: 'of_project',
    key: { accountId: 1, projectId: 1, 'head.status': 1, ...OLDEST_FIRST, 'head.locale': 1, 'head.category': 1 }
  },
  { collection: 'blogs', name: 'any_of_project', key: { accountId: 1, projectId: 1, deleted: 1 } },
  {
    collection: 'blogs',
    name: 'by_category',
    key: { accountId: 1, 'head.status': 1, 'head.category': 1, ...OLDEST_FIRST, projectId: 1, 'head.locale': 1 }
  },
  {
    collection: 'blogs',
    name: 'by_locale',
    key: { accountId: 1, 'head.status': 1, 'head.locale': 1, ...OLDEST_FIRST, projectId: 1 }
  },
  {
    collection: 'blogs',
    name: 'by_author',
    key: { accountId: 1, 'head.status': 1, 'head.author.name': 1, ...OLDEST_FIRST, projectId: 1 }
  },
  {
    collection: 'blogs',
    name: 'by_tag',
    key: { accountId: 1, 'head.tags': 1, 'head.status': 1, ...OLDEST_FIRST, projectId: 1 }
  },
  { collection: 'blogs', name: 'by_update', key: { accountId: 1, 'head.status': 1, 'head.updatedAt': 1 } },
  { collection: 'blogs', name: 'by_word', key: { accountId: 1, words: 1, 'head.status': 1 } },
  { collection: 'blogs', name: 'by_title_word', key: { accountId: 1, 'body.titleTerms': 1, 'head.status': 1 } },
  { collection: 'blogs', name: 'by_former_slug', key: { accountId: 1, 'exits.slug': 1 } },
  { collection: 'blogs', name: 'removed', key: { accountId: 1, removedAt: 1, _id: 1, projectId: 1 } },
  {
    collection: 'blogs',
    name: 'due',
    key: { 'head.publishAt': 1, _id: 1, accountId: 1 },
    options: { partialFilterExpression: { 'head.status': 'scheduled' } }
  },
  { collection: 'blogs', name: 'by_rules', key: { _id: 1, 'head.rulesVersion': 1, accountId: 1 } },
  { collection: 'blogs', name: 'published_by_id', key: { accountId: 1, 'head.status': 1, _id: 1 } },
  {
    collection: 'blogs',
    name: 'related_due',
    key: { accountId: 1 },
    options: { partialFilterExpression: { pendingRelatedAccounts: true } }
  },
  {
    collection: 'blogs',
    name: 'images_left',
    key: { imagesLeft: 1 },
    options: { partialFilterExpression: { imagesLeft: true } }
  },
  { collection: 'images', name: 'of_blog', key: { blogId: 1, accountId: 1, createdAt: 1, filename: 1 } }
]
