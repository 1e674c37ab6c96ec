import type { GeneratedFile, GeneratedFileRef, GeneratedFileStore } from '../port.ts'
import { commandSizesOf } from './command-sizes.ts'
import type { Database } from './database.ts'
import { deleteInParts } from './deletions.ts'
import { REPLY_SIZE } from './slices.ts'

const COLLECTION = 'generated_files'
/** Fewer than a reply may have, so that a last reply is not followed by an empty one. */
const PAGE_SIZE = 1_500
/** Greater than any id. */
const LAST = '~'

/** The key of the file is the id of the document. */
interface GeneratedFileDocument extends Omit<GeneratedFile, 'id' | 'key'> {
  _id: string
  fileId: string
}

/** Records of generated files. Sizes are added up in the index `by_age` alone, from the newest file on. */
export function createGeneratedFiles(database: Database): GeneratedFileStore {
  const files = database.collection<GeneratedFileDocument>(COLLECTION)

  return {
    put: ({ id, key, ...file }) =>
      database.run(async () => {
        await files.replaceOne({ _id: key }, { ...file, fileId: id }, { upsert: true })
      }),
    findFitting: (accountId, kind, maxBytes) =>
      database.run(async () => {
        let total = 0
        for (let oldest = LAST; ; ) {
          const page = await files
            .find<Pick<GeneratedFileDocument, 'fileId' | 'bytes'>>(
              { accountId, kind, fileId: { $lt: oldest } },
              {
                ...{ projection: { _id: 0, fileId: 1, bytes: 1 }, sort: { fileId: -1 } },
                ...{ limit: PAGE_SIZE, batchSize: REPLY_SIZE }
              }
            )
            .toArray()
          for (const { fileId, bytes } of page) {
            total += bytes
            if (total > maxBytes) return oldest
            oldest = fileId
          }
          if (page.length < PAGE_SIZE) return ''
        }
      }),
    oldest: (accountId, kind, { before, limit }) =>
      database.run(async () => {
        const found = await files
          .find<{ _id: string; fileId: string }>(
            { accountId, kind, fileId: { $lt: before } },
            { projection: { fileId: 1 }, sort: { fileId: 1 }, limit, batchSize: REPLY_SIZE }
          )
          .toArray()
        return found.map(({ _id, fileId }): GeneratedFileRef => ({ id: fileId, key: _id }))
      }),
    delete: (removed) =>
      database.run(async () => {
        await commandSizesOf(database, COLLECTION).inParts(removed, async (part) => {
          // Ids are unique: a file that was put again has another one.
          const replaced = { $in: part.map(({ id }) => id) }
          await files.deleteMany({ _id: { $in: part.map(({ key }) => key) }, fileId: replaced })
        })
      }),
    deleteAll: (prefix) =>
      database.run(async () => {
        // The character after `/` ends the range.
        await deleteInParts<GeneratedFileDocument>(database, COLLECTION, {
          _id: { $gt: `${prefix}/`, $lt: `${prefix}0` }
        })
      })
  }
}
