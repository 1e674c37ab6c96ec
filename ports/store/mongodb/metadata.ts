import { isDuplicateKey } from '../../../lib/mongodb.ts'
import type { MetadataStore } from '../port.ts'
import type { Database } from './database.ts'

interface MetadataDocument {
  _id: string
  value: string
}

export function createMetadata(database: Database): MetadataStore {
  const metadata = database.collection<MetadataDocument>('metadata')

  return {
    find: (name) => database.run(async () => (await metadata.findOne({ _id: name }))?.value ?? null),
    replace: (name, expected, value) =>
      database.run(async () => {
        if (expected !== null) {
          const { matchedCount } = await metadata.updateOne({ _id: name, value: expected }, { $set: { value } })
          return matchedCount > 0
        }
        try {
          await metadata.insertOne({ _id: name, value })
          return true
        } catch (error) {
          if (isDuplicateKey(error)) return false
          throw error
        }
      })
  }
}
