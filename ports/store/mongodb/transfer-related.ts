import type { Filter } from 'mongodb'
import type { TransferRecord } from '../port.ts'
import { blogsOf, type BlogDocument } from './blogs-documents.ts'
import type { Database } from './database.ts'
import { anyOf, documentsAfter, insertOwned, type Mover, type Movers } from './transfer-mover.ts'

/** What stands in the documents of blogs beside the blog itself. */
interface Beside<Moved> {
  /** Blogs that may have it, and those of them that do. */
  owners: Filter<BlogDocument>
  holders: Filter<BlogDocument>
  fields: (keyof BlogDocument)[]
  recordOf: (document: BlogDocument) => Moved
  valuesOf: (record: Moved) => Partial<BlogDocument>
}

/** Moves what blogs have to do with one another. */
export function createRelatedMovers(database: Database): Pick<Movers, 'pendingRelated' | 'related'> {
  return {
    pendingRelated: beside<TransferRecord<'pendingRelated'>>(database, {
      owners: {},
      holders: { pendingRelatedAccounts: true },
      fields: ['relatedVersion'],
      recordOf: ({ _id, accountId, relatedVersion = 0 }) => ({ accountId, id: _id, version: relatedVersion }),
      valuesOf: ({ version }) => ({ pendingRelatedAccounts: true, relatedVersion: version })
    }),
    related: beside<TransferRecord<'related'>>(database, {
      owners: { deleted: false },
      holders: { deleted: false, related: { $exists: true } },
      fields: ['related'],
      recordOf: ({ _id, accountId, related }) => ({ accountId, id: _id, related: related! }),
      valuesOf: ({ related }) => ({ related })
    })
  }
}

function beside<Moved extends { accountId: string; id: string }>(
  database: Database,
  { owners, holders, fields, recordOf, valuesOf }: Beside<Moved>
): Mover<Moved> {
  const blogs = blogsOf(database)
  // Contents are large, and not what is asked for.
  const projection = Object.fromEntries(['accountId', ...fields].map((field) => [field, 1]))
  const these = (records: Moved[]) => ({ _id: { $in: records.map(({ id }) => id) } })

  return {
    name: ({ id }) => [id],
    page: async (after, limit) => {
      const { found, at } = await documentsAfter(
        { collection: blogs, filter: holders, order: ['_id'], projection },
        after,
        limit
      )
      return { records: found.map(recordOf), at }
    },
    near: async (records) => {
      const found = new Map(
        (await anyOf(blogs, [{ ...these(records), ...holders }], projection)).map((document) => [
          document._id,
          recordOf(document)
        ])
      )
      return records.map(({ id }) => [found.get(id)].filter((record) => record !== undefined))
    },
    insert: async (records) => {
      const found = await blogs.find({ ...these(records), ...owners }, { projection: { accountId: 1 } }).toArray()
      const accounts = new Map(found.map(({ _id, accountId }) => [_id, accountId]))
      return await insertOwned(
        records,
        ({ id, accountId }) => accounts.get(id) === accountId,
        async (owned) => {
          if (owned.length > 0) {
            await blogs.bulkWrite(
              owned.map((record) => ({
                updateOne: { filter: { _id: record.id, ...owners }, update: { $set: valuesOf(record) } }
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
