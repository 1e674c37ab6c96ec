import { BSON, type AnyBulkWriteOperation, type Collection } from 'mongodb'
import { duplicatePositions } from '../../../../lib/mongodb.ts'
import type { BlogRevisionHead, BlogRevisionRecord, BlogRevisionStore } from '../../port.ts'
import type { Database } from '../database.ts'
import { compoundId } from '../documents.ts'
import { readInSlices } from '../slices.ts'

/** A revision, or what is left of one that is too old. */
export interface RevisionDocument extends BlogRevisionHead {
  _id: string
  /** Missing if the revision is too old. */
  content?: Buffer
  /** As storage of the account. Missing without content. */
  bytes?: number
}

/** Documents that are revisions. */
export const WITH_CONTENT = { content: { $exists: true } } as const
const SIZED_AT_ONCE = 1_000
const HEAD_FIELDS = { _id: 0, content: 0, bytes: 0 } as const

export const revisionCollection = (database: Database): Collection<RevisionDocument> =>
  database.collection<RevisionDocument>('blog_revisions')

export function toRevisionDocument(revision: BlogRevisionRecord): RevisionDocument {
  const document = { _id: compoundId(revision.blogId, String(revision.number)), ...revision }
  return { ...document, bytes: BSON.calculateObjectSize(document) }
}

export function createBlogRevisions(database: Database): BlogRevisionStore {
  const revisions = revisionCollection(database)

  return {
    put: (revision, keep) =>
      database.run(async () => {
        const operations = putOperations(revision, keep)
        if (operations.length === 0) return
        try {
          await revisions.bulkWrite(operations, { ordered: false })
        } catch (error) {
          // Another process has stored this revision: the same, or a later one of the same number.
          duplicatePositions(error)
        }
      }),
    list: (accountId, blogId, { from, before }) =>
      database.run(
        async () =>
          await readInSlices(
            revisions.find<BlogRevisionHead>(
              { accountId, blogId, number: { $gte: from, $lt: before }, ...WITH_CONTENT },
              { projection: HEAD_FIELDS, sort: { number: -1 } }
            )
          )
      ),
    find: (accountId, blogId, number) =>
      database.run(
        async () =>
          await revisions.findOne<BlogRevisionRecord>(
            { accountId, blogId, number, ...WITH_CONTENT },
            { projection: { _id: 0, bytes: 0 }, promoteBuffers: true }
          )
      )
  }
}

/** All of them are updates, so that they are one command. */
function putOperations(revision: BlogRevisionRecord, keep: number): AnyBulkWriteOperation<RevisionDocument>[] {
  const { accountId, blogId, number, replacedVersion } = revision
  const expired = { accountId, blogId, number: { $lt: number - keep } }
  const { _id, ...fields } = toRevisionDocument(revision)
  return [
    // An update cannot delete a document. An expired one becomes that of the new revision.
    ...(keep > 0 && number - keep > 1
      ? [{ updateOne: { filter: expired, update: { $set: { number, replacedVersion: 0 } } } }]
      : []),
    ...(keep > 0
      ? [
          {
            updateOne: {
              filter: { accountId, blogId, number, replacedVersion: { $lte: replacedVersion } },
              update: { $set: fields, $setOnInsert: { _id } },
              upsert: true
            }
          }
        ]
      : []),
    // There are more of them only after `keep` was lowered.
    ...(number - keep > 1
      ? [
          {
            updateMany: {
              filter: { ...expired, ...WITH_CONTENT },
              update: { $unset: { content: '' as const, bytes: '' as const } }
            }
          }
        ]
      : [])
  ]
}

/** Stores the sizes of revisions of earlier versions of the service. */
export async function addRevisionSizes(database: Database, beforeEach: () => Promise<void>): Promise<void> {
  const revisions = revisionCollection(database)
  for (let last = ''; ; ) {
    const page = await revisions
      .aggregate<{ _id: string; bytes: number }>([
        { $match: { _id: { $gt: last }, ...WITH_CONTENT, bytes: { $exists: false } } },
        { $sort: { _id: 1 } },
        { $limit: SIZED_AT_ONCE },
        { $project: { bytes: { $bsonSize: '$$ROOT' } } }
      ])
      .toArray()
    if (page.length === 0) return
    last = page.at(-1)!._id
    await beforeEach()
    await revisions.bulkWrite(
      page.map(({ _id, bytes }) => ({
        updateOne: { filter: { _id, ...WITH_CONTENT, bytes: { $exists: false } }, update: { $set: { bytes } } }
      })),
      { ordered: false }
    )
  }
}

/** Deletes the revisions of deleted blogs. */
export async function deleteRevisions(database: Database, blogs: { accountId: string; id: string }[]): Promise<void> {
  await revisionCollection(database).deleteMany({ $or: blogs.map(({ accountId, id }) => ({ accountId, blogId: id })) })
}
