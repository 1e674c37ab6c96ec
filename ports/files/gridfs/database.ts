import type { Db, MongoClient } from 'mongodb'
import { problem, StartError } from '../../../errors.ts'
import { connectToDatabase, createMongoClient, isUnavailable } from '../../../lib/mongodb.ts'

export const FILES = 'files'
export const UNREFERENCED_BLOBS = 'files_unreferenced_blobs'
/** The name of the GridFS bucket. */
export const BLOBS = 'files_blobs'

/** Required indexes. Those of the bucket have the names that the driver expects. */
const INDEXES = [
  { collection: FILES, name: 'by_blob', key: { blob: 1 }, unique: true },
  { collection: UNREFERENCED_BLOBS, name: 'by_expiry', key: { expiresAt: 1 }, unique: false },
  { collection: `${BLOBS}.files`, name: 'filename_1_uploadDate_1', key: { filename: 1, uploadDate: 1 }, unique: false },
  { collection: `${BLOBS}.chunks`, name: 'files_id_1_n_1', key: { files_id: 1, n: 1 }, unique: true }
] as const

/**
 * Connects to the database named in the URL, or `content_service`. Throws a StartError when no
 * server answers within 3 seconds.
 */
export async function openDatabase(url: string): Promise<{ client: MongoClient; db: Db }> {
  let client: MongoClient | null = null
  try {
    client = createMongoClient(url, 'blog-product-content-service files')
    return { client, db: await connectToDatabase(client, url) }
  } catch (error) {
    await client?.close()
    throw new StartError(`The MongoDB at MONGODB_URL cannot be used for files: ${(error as Error).message}`, {
      cause: error
    })
  }
}

/** Creates missing indexes. Resolves with their names, as `collection.name`. */
export async function prepare(db: Db): Promise<string[]> {
  const created: string[] = []
  for (const { collection, name, key, unique } of await missingIndexes(db)) {
    await db.collection(collection).createIndex(key, { name, unique })
    created.push(`${collection}.${name}`)
  }
  return created
}

/** Throws a StartError unless `prepare` has run. Opening files never creates indexes. */
export async function assertPrepared(db: Db): Promise<void> {
  if ((await missingIndexes(db)).length > 0) {
    throw new StartError(
      'The MongoDB database has no indexes for files. Run `npm run svc -- migrate`, then start the service again.'
    )
  }
}

async function missingIndexes(db: Db): Promise<(typeof INDEXES)[number][]> {
  const collections = await db.listCollections({}, { nameOnly: true }).toArray()
  const existing = new Set(collections.map(({ name }) => name))
  const missing: (typeof INDEXES)[number][] = []
  for (const index of INDEXES) {
    const names = existing.has(index.collection)
      ? (await db.collection(index.collection).listIndexes().toArray()).map(({ name }) => String(name))
      : []
    if (!names.includes(index.name)) missing.push(index)
  }
  return missing
}

/**
 * `unavailable` when the server cannot answer now. Any other error unchanged, such as an error of
 * the stream that is being put.
 */
export function translateError(error: unknown): unknown {
  if (!isUnavailable(error)) return error
  return problem('unavailable', 'The file storage is not reachable. Retry the request later.', {
    headers: { 'Retry-After': '2' },
    cause: error
  })
}
