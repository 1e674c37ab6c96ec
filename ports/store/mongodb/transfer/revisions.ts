import type { TransferRecord } from '../../port.ts'
import { blogCollection } from '../blogs/documents.ts'
import { revisionCollection, toRevisionDocument, WITH_CONTENT, type RevisionDocument } from '../blogs/revisions.ts'
import type { Database } from '../database.ts'
import { createDocumentHandler, insertWithOwner, type TransferHandler } from './handler.ts'

type Moved = TransferRecord<'blogRevision'>

function toMoved({ _id, content, bytes: _bytes, ...head }: RevisionDocument): Moved {
  // The driver returns bytes as Binary by default.
  const binary = content as unknown as { buffer: Uint8Array }
  return { ...head, content: Buffer.from(binary.buffer).toString('base64') }
}

const toDocument = ({ content, ...head }: Moved): RevisionDocument =>
  toRevisionDocument({ ...head, content: Buffer.from(content, 'base64') })

export function createRevisionHandler(database: Database): TransferHandler<Moved> {
  const blogs = blogCollection(database)
  const handler = createDocumentHandler<Moved, RevisionDocument>({
    collection: revisionCollection(database),
    filter: WITH_CONTENT,
    order: ['_id'],
    label: ({ blogId, number }) => [blogId, number],
    toDocument,
    toRecord: toMoved,
    existingFilters: (records) => [
      { $or: records.map(({ accountId, blogId, number }) => ({ accountId, blogId, number, ...WITH_CONTENT })) }
    ]
  })

  return {
    label: handler.label,
    page: handler.page,
    findExisting: handler.findExisting,
    insert: async (records) => {
      const ids = [...new Set(records.map(({ blogId }) => blogId))]
      const owners = await blogs.find({ _id: { $in: ids }, deleted: false }, { projection: { accountId: 1 } }).toArray()
      const accountIds = new Map(owners.map(({ _id, accountId }) => [_id, accountId]))
      return await insertWithOwner(
        records,
        ({ blogId, accountId }) => accountIds.get(blogId) === accountId,
        handler.insert
      )
    }
  }
}
