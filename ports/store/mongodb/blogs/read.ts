import type { Filter } from 'mongodb'
import { mergeSpellings } from '../../../../lib/labels.ts'
import type { BlogLabel, BlogStore, BlogVector } from '../../port.ts'
import type { Database } from '../database.ts'
import { distinctValues, findByIds, toSweepPage, visibleTo } from '../documents.ts'
import { readInSlices, REPLY_SIZE } from '../slices.ts'
import {
  blogCollection,
  METADATA_FIELDS,
  RECORD_FIELDS,
  toBlogMetadata,
  toBlogRecord,
  type BlogDocument
} from './documents.ts'
import { readRemoved } from './removed.ts'
import { blogTotalsOf } from './totals/read.ts'

const VECTOR_FIELDS = {
  _id: 0,
  'metadata.id': 1,
  'metadata.projectId': 1,
  'metadata.locale': 1,
  'metadata.category': 1,
  'metadata.tags': 1,
  'metadata.publishedAt': 1,
  'body.vector': 1
} as const

/** Reads blogs by id or project. */
export function createBlogReads(
  database: Database
): Pick<
  BlogStore,
  'find' | 'findMetadata' | 'findMetadataById' | 'findTombstone' | 'findPublished' | 'existsInProject'
> {
  const blogs = blogCollection(database)
  const findMetadata = async (filter: Filter<BlogDocument>) => {
    const found = await database.run(() =>
      blogs.findOne({ ...filter, deleted: false }, { projection: METADATA_FIELDS })
    )
    return found === null ? null : toBlogMetadata(found)
  }

  return {
    find: async (accountId, id) => {
      const found = await database.run(() =>
        blogs.findOne({ _id: id, accountId, deleted: false }, { projection: RECORD_FIELDS })
      )
      return found === null ? null : toBlogRecord(found)
    },
    findMetadata: (accountId, id) => findMetadata({ _id: id, accountId }),
    findMetadataById: (id) => findMetadata({ _id: id }),
    findTombstone: async (accountId, id) => {
      const found = await database.run(() =>
        blogs.findOne({ _id: id, accountId, deleted: true }, { projection: { tombstone: 1 } })
      )
      return found?.tombstone ?? null
    },
    findPublished: async (reader, ids) => {
      if (ids.length === 0) return []
      const conditions: Filter<BlogDocument> = { ...visibleTo(reader), 'metadata.status': 'published' }
      const found = await database.run(() =>
        findByIds(blogs, ids, { conditions, projection: METADATA_FIELDS }).toArray()
      )
      return found.map(toBlogMetadata)
    },
    existsInProject: async (accountId, projectId) => {
      const found = await database.run(() =>
        blogs.findOne({ accountId, projectId, deleted: false }, { projection: { _id: 1 } })
      )
      return found !== null
    }
  }
}

/** The field that is filtered, the field that is counted, and the list that it is in. */
const LABEL_FIELDS: Readonly<Record<BlogLabel, { key: string; value: string; list: string | null }>> = {
  category: { key: 'keys.category', value: 'metadata.category', list: null },
  tag: { key: 'keys.tags', value: 'metadata.tags', list: 'metadata.tags' },
  author: { key: 'keys.authors', value: 'metadata.authors.name', list: 'metadata.authors' }
}

/** Counts blogs, and finds blogs for sweeps and feeds. */
export function createBlogOverviews(
  database: Database
): Pick<BlogStore, 'countByLabel' | 'removedSince' | 'dueToPublish' | 'renderedByOtherRules'> {
  const blogs = blogCollection(database)

  return {
    countByLabel: (by, scope) =>
      database.run(async () => {
        const stored = await blogTotalsOf(database).countByLabel(by, scope)
        if (stored !== null) return stored
        const { key, value, list } = LABEL_FIELDS[by]
        const found = await readInSlices(
          blogs.aggregate<{ _id: string; count: number }>([
            {
              $match: {
                ...visibleTo(scope),
                'metadata.status': 'published',
                [key]: { $gte: '' },
                ...(scope.locale === undefined ? {} : { 'keys.locale': scope.locale.toLowerCase() })
              }
            },
            { $project: { [value]: 1 } },
            ...(list === null ? [] : [{ $unwind: `$${list}` }]),
            { $group: { _id: `$${value}`, count: { $sum: 1 } } }
          ])
        )
        return await mergeSpellings(found.map(({ _id: label, count }) => ({ label, count })))
      }),
    removedSince: (scope, since, page) => database.run(() => readRemoved(blogs, { scope, since }, page)),
    dueToPublish: (now, { after, limit }) =>
      database.run(async () => {
        const [at, id] = after === null ? ['', ''] : (JSON.parse(after) as [string, string])
        const field = 'metadata.publishAt'
        const found = await blogs
          .find(
            {
              'metadata.status': 'scheduled',
              [field]: { $gte: at, $lte: now },
              $or: [{ [field]: { $gt: at } }, { _id: { $gt: id } }]
            },
            { projection: { accountId: 1, [field]: 1 }, sort: { [field]: 1, _id: 1 }, limit, batchSize: REPLY_SIZE }
          )
          .toArray()
        return toSweepPage(found, limit, {
          keyOf: ({ _id, metadata }) => JSON.stringify([metadata?.publishAt, _id]),
          toItem: ({ _id, accountId, metadata }) => ({ accountId, id: _id, publishAt: metadata?.publishAt ?? '' })
        })
      }),
    renderedByOtherRules: (rulesVersion, { after, limit }) =>
      database.run(async () => {
        const [version, id] = after === null ? ['', ''] : (JSON.parse(after) as [string, string])
        const field = 'metadata.rulesVersion'
        const found = await blogs
          .find(
            // A deleted blog has no rulesVersion. `$gte` excludes it. `$ne` excludes a range of the index.
            {
              [field]: { $gte: version, $ne: rulesVersion },
              $or: [{ [field]: { $gt: version } }, { _id: { $gt: id } }]
            },
            { projection: { accountId: 1, [field]: 1 }, sort: { [field]: 1, _id: 1 }, limit, batchSize: REPLY_SIZE }
          )
          .toArray()
        return toSweepPage(found, limit, {
          keyOf: ({ _id, metadata }) => JSON.stringify([metadata?.rulesVersion, _id]),
          toItem: ({ _id, accountId }) => ({ accountId, id: _id })
        })
      })
  }
}

/**
 * Related entries. `setRelated` replaces the entries of each blog separately, because they can be
 * recomputed at any time.
 */
export function createRelatedEntries(
  database: Database
): Pick<
  BlogStore,
  | 'vectors'
  | 'vectorsOf'
  | 'setRelated'
  | 'related'
  | 'pendingRelatedAccounts'
  | 'pendingRelated'
  | 'clearPendingRelated'
> {
  const blogs = blogCollection(database)
  const toVector = (document: Pick<BlogDocument, 'metadata' | 'body'>): BlogVector => ({
    ...toBlogMetadata(document),
    vector: document.body?.vector ?? []
  })

  return {
    vectors: (accountId, { afterId, limit }) =>
      database.run(async () => {
        const found = await blogs
          .find(
            { accountId, 'metadata.status': 'published', _id: { $gt: afterId ?? '' } },
            { projection: VECTOR_FIELDS, sort: { _id: 1 }, limit }
          )
          .toArray()
        return found.map(toVector)
      }),
    vectorsOf: (accountId, ids) =>
      database.run(async () => {
        if (ids.length === 0) return []
        const conditions: Filter<BlogDocument> = { accountId, 'metadata.status': 'published' }
        return (await findByIds(blogs, ids, { conditions, projection: VECTOR_FIELDS }).toArray()).map(toVector)
      }),
    setRelated: async (accountId, lists) => {
      if (lists.length === 0) return 0
      const updates = lists.map(({ id, related }) => ({
        updateOne: {
          filter: { _id: id, accountId, deleted: false },
          update: { $set: { related: related.toSorted((a, b) => b.score - a.score) } }
        }
      }))
      const { modifiedCount } = await database.run(() => blogs.bulkWrite(updates, { ordered: false }))
      return modifiedCount
    },
    related: async (accountId, id) => {
      const found = await database.run(() =>
        blogs.findOne({ _id: id, accountId, deleted: false }, { projection: { related: 1 } })
      )
      return found?.related ?? []
    },
    pendingRelatedAccounts: (page) =>
      database.run(async () => {
        const pages = await Promise.all([
          distinctValues(database, {
            collection: 'blogs',
            field: 'accountId',
            filter: { relatedPending: true },
            index: 'related_pending',
            ...page
          }),
          distinctValues(database, {
            collection: 'related_groups',
            field: 'accountId',
            filter: { pending: true },
            index: 'pending',
            ...page
          })
        ])
        // The first values of both are the first ones of all.
        const values = [...new Set(pages.flatMap(({ items }) => items))].sort().slice(0, page.limit)
        return toSweepPage(values, page.limit, { keyOf: (value) => value, toItem: (value) => value })
      }),
    pendingRelated: (accountId, limit) =>
      database.run(async () => {
        const found = await blogs
          .find({ accountId, relatedPending: true }, { projection: { relatedVersion: 1 }, limit })
          .toArray()
        return found.map(({ _id: id, relatedVersion = 0 }) => ({ id, version: relatedVersion }))
      }),
    clearPendingRelated: async (accountId, pending) => {
      if (pending.length === 0) return
      const updates = pending.map(({ id, version }) => ({
        updateOne: {
          filter: { _id: id, accountId, relatedVersion: version },
          update: { $unset: { relatedPending: '' as const, relatedVersion: '' as const } }
        }
      }))
      await database.run(() => blogs.bulkWrite(updates, { ordered: false }))
    }
  }
}
