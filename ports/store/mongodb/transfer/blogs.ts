import type { Filter } from 'mongodb'
import { ApiError } from '../../../../errors.ts'
import type { BlogRecord, BlogTombstone, ImageRecord, TransferRecord } from '../../port.ts'
import {
  blogCollection,
  slugKey,
  toBlogFields,
  toBlogRecord,
  toTombstoneFields,
  translationSlot,
  type BlogDocument
} from '../blogs/documents.ts'
import { createBlogWrites } from '../blogs/write.ts'
import type { Database } from '../database.ts'
import { compoundId } from '../documents.ts'
import { recoverPendingEvents } from '../events/pending.ts'
import { deletePendingParts, imageCollection, type ImageDocument } from '../images.ts'
import { toCheckDocument, toCheckRecord, visualCheckCollection } from '../visual-checks.ts'
import {
  createDocumentHandler,
  documentsAfter,
  findAny,
  insertWithOwner,
  type InsertOutcome,
  type TransferHandler,
  type TransferHandlers
} from './handler.ts'

const NOT_DELETED = { deleted: false } as const
const DELETED = { deleted: true } as const

const hasIdOf = (records: { id: string }[]) => ({ _id: { $in: records.map(({ id }) => id) } })

/** Transfers blogs and images. Search terms and released slugs are derived from the records. */
export function createBlogHandlers(database: Database): Pick<TransferHandlers, 'blog' | 'tombstone' | 'image'> {
  const blogs = blogCollection(database)
  const writes = createBlogWrites(database)
  // A tombstone occupies the id of a blog. Any value that differs from the blog reports a conflict.
  const toBlogOrTombstone = (document: BlogDocument): BlogRecord =>
    document.deleted ? (document.tombstone as unknown as BlogRecord) : toBlogRecord(document)
  const blogHandler = createDocumentHandler<BlogRecord, BlogDocument>({
    collection: blogs,
    filter: NOT_DELETED,
    order: ['_id'],
    label: ({ id }) => [id],
    toDocument: (blog) => ({ _id: blog.id, accountId: blog.accountId, ...NOT_DELETED, ...toBlogFields(blog) }),
    toRecord: toBlogOrTombstone,
    existingFilters: (records) => [
      hasIdOf(records),
      { slugKey: { $in: records.map(slugKey) }, ...NOT_DELETED },
      { translationSlot: { $in: records.map(translationSlot).filter((slot) => slot !== null), $gt: '' } }
    ],
    collides: (stored, blog) =>
      stored.id === blog.id ||
      (stored.body !== undefined &&
        (slugKey(stored) === slugKey(blog) ||
          (blog.translationKey !== null && translationSlot(stored) === translationSlot(blog))))
  })
  const tombstoneHandler = createDocumentHandler<BlogTombstone, BlogDocument>({
    collection: blogs,
    filter: DELETED,
    order: ['_id'],
    label: ({ id }) => [id],
    toDocument: (tombstone) => {
      const { imagesToDelete, ...fields } = toTombstoneFields(tombstone)
      return { _id: tombstone.id, accountId: tombstone.accountId, ...fields }
    },
    toRecord: ({ tombstone }) => tombstone!,
    existingFilters: (records) => [{ ...hasIdOf(records), ...DELETED }]
  })
  const imageHandler = createDocumentHandler<ImageRecord, ImageDocument>({
    collection: imageCollection(database),
    order: ['_id'],
    label: ({ blogId, filename }) => [blogId, filename],
    toDocument: (image) => ({ _id: compoundId(image.blogId, image.filename), ...image }),
    toRecord: ({ _id, ...image }) => image
  })

  async function addBlog(blog: BlogRecord): Promise<InsertOutcome> {
    try {
      await writes.add(blog)
      return 'added'
    } catch (error) {
      if (error instanceof ApiError && ['slug_taken', 'translation_exists'].includes(error.code)) return 'conflict'
      throw error
    }
  }

  return {
    blog: {
      label: blogHandler.label,
      page: blogHandler.page,
      findExisting: blogHandler.findExisting,
      insert: async (records) => await Promise.all(records.map(addBlog))
    },
    tombstone: {
      label: tombstoneHandler.label,
      page: tombstoneHandler.page,
      findExisting: tombstoneHandler.findExisting,
      // A blog that was deleted during the transfer is kept as it was read.
      insert: async (records) => {
        const existing = await blogs.find({ ...hasIdOf(records), ...NOT_DELETED }, { projection: { _id: 1 } }).toArray()
        const existingIds = new Set(existing.map(({ _id }) => _id))
        return await insertWithOwner(records, ({ id }) => !existingIds.has(id), tombstoneHandler.insert)
      }
    },
    image: {
      label: imageHandler.label,
      page: async (after, limit) => {
        if (after === null) await deleteAllPendingParts(database)
        return await imageHandler.page(after, limit)
      },
      findExisting: imageHandler.findExisting,
      insert: imageHandler.insert
    }
  }
}

async function deleteAllPendingParts(database: Database): Promise<void> {
  const hasPending = async () =>
    (await blogCollection(database).findOne({ imagesToDelete: true }, { projection: { _id: 1 } })) !== null
  while (await hasPending()) await deletePendingParts(database)
}

/** Transfers data that is stored in the documents of blogs but not part of the blog's record. */
export function createRelatedHandlers(database: Database): Pick<TransferHandlers, 'pendingRelated' | 'related'> {
  return {
    pendingRelated: createBlogFieldHandler<TransferRecord<'pendingRelated'>>(database, {
      owners: {},
      withFields: { relatedPending: true },
      fields: ['relatedVersion'],
      toRecord: ({ _id, accountId, relatedVersion = 0 }) => ({ accountId, id: _id, version: relatedVersion }),
      toFields: ({ version }) => ({ relatedPending: true, relatedVersion: version })
    }),
    related: createBlogFieldHandler<TransferRecord<'related'>>(database, {
      owners: NOT_DELETED,
      withFields: { ...NOT_DELETED, related: { $exists: true } },
      fields: ['related'],
      toRecord: ({ _id, accountId, related }) => ({ accountId, id: _id, related: related! }),
      toFields: ({ related }) => ({ related })
    })
  }
}

interface BlogFieldSource<Item> {
  /** Blogs that may have the fields. */
  owners: Filter<BlogDocument>
  /** Blogs that have the fields. */
  withFields: Filter<BlogDocument>
  fields: (keyof BlogDocument)[]
  toRecord: (document: BlogDocument) => Item
  toFields: (record: Item) => Partial<BlogDocument>
}

function createBlogFieldHandler<Item extends { accountId: string; id: string }>(
  database: Database,
  { owners, withFields, fields, toRecord, toFields }: BlogFieldSource<Item>
): TransferHandler<Item> {
  const blogs = blogCollection(database)
  // Leaves out the content, which is large.
  const projection = Object.fromEntries(['accountId', ...fields].map((field) => [field, 1]))

  return {
    label: ({ id }) => [id],
    page: async (after, limit) => {
      const source = { collection: blogs, filter: withFields, order: ['_id'] as [string], projection }
      const { found, at } = await documentsAfter(source, after, limit)
      return { records: found.map(toRecord), at }
    },
    findExisting: async (records) => {
      const documents = await findAny(blogs, [{ ...hasIdOf(records), ...withFields }], projection)
      const found = new Map(documents.map((document) => [document._id, toRecord(document)]))
      return records.map(({ id }) => [found.get(id)].filter((record) => record !== undefined))
    },
    insert: async (records) => {
      const found = await blogs.find({ ...hasIdOf(records), ...owners }, { projection: { accountId: 1 } }).toArray()
      const accountIds = new Map(found.map(({ _id, accountId }) => [_id, accountId]))
      return await insertWithOwner(
        records,
        ({ id, accountId }) => accountIds.get(id) === accountId,
        async (owned) => {
          if (owned.length > 0) {
            await blogs.bulkWrite(
              owned.map((record) => ({
                updateOne: { filter: { _id: record.id, ...owners }, update: { $set: toFields(record) } }
              })),
              { ordered: false }
            )
          }
          return owned.map(() => 'added')
        }
      )
    }
  }
}

/**
 * Transfers visual checks with their results. Unfinished checks get no slots, so that an account
 * may exceed its limit until they end.
 */
export function createVisualCheckHandler(database: Database): TransferHandlers['visualCheck'] {
  const handler = createDocumentHandler({
    collection: visualCheckCollection(database),
    order: ['_id'],
    label: ({ id }) => [id],
    toDocument: toCheckDocument,
    toRecord: toCheckRecord
  })
  return {
    label: handler.label,
    page: async (after, limit) => {
      if (after === null) await recoverPendingEvents(database, null)
      return await handler.page(after, limit)
    },
    findExisting: handler.findExisting,
    insert: handler.insert
  }
}
