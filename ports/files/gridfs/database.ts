import { MongoClient, type Db } from 'mongodb'
import { StartError } from '../../../errors.ts'
import { BUCKET, FILES, LOOSE } from './blobs.ts'

const SELECTION_MS = 3_000
/**
 * A server that is busy answers its own heartbeat late; that is no reason to cut off everything
 * that waits for it.
 */
const HEARTBEAT_MS = 15_000
const DEFAULT_NAME = 'content_service'

/** The indexes that files need; those of GridFS by the names that its driver looks for. */
const INDEXES = [
  { collection: FILES, name: 'blob', key: { blob: 1 }, unique: true },
  { collection: LOOSE, name: 'until', key: { until: 1 }, unique: false },
  {
    collection: `${BUCKET}.files`,
    name: 'filename_1_uploadDate_1',
    key: { filename: 1, uploadDate: 1 },
    unique: false
  },
  { collection: `${BUCKET}.chunks`, name: 'files_id_1_n_1', key: { files_id: 1, n: 1 }, unique: true }
] as const

/**
 * Connects to the database that the URL names (`content_service` where it names none), as the store
 * does. Throws a StartError when no server answers within 3 seconds.
 */
export async function openDatabase(url: string): Promise<{ client: MongoClient; db: Db }> {
  let client: MongoClient | null = null
  try {
    client = new MongoClient(url, {
      appName: 'blog-product-content-service files',
      writeConcern: { w: 'majority', journal: true },
      serverSelectionTimeoutMS: SELECTION_MS,
      connectTimeoutMS: HEARTBEAT_MS,
      socketTimeoutMS: 60_000,
      ignoreUndefined: true
    })
    await client.connect()
    const db = client.db(/^mongodb(?:\+srv)?:\/\/[^/]+\/[^?]+/.test(url) ? undefined : DEFAULT_NAME)
    await db.command({ ping: 1 })
    return { client, db }
  } catch (error) {
    await client?.close()
    throw new StartError(`The MongoDB of MONGODB_URL cannot be used for files: ${(error as Error).message}`, {
      cause: error
    })
  }
}

/** Makes the indexes that are missing; resolves with their names, as `collection.name`. */
export async function prepare(db: Db): Promise<string[]> {
  const made: string[] = []
  for (const { collection, name, key, unique } of await missingIndexes(db)) {
    await db.collection(collection).createIndex(key, { name, unique })
    made.push(`${collection}.${name}`)
  }
  return made
}

/**
 * Throws a StartError unless `prepare` has run: indexes are never made behind an operator's back.
 */
export async function assertPrepared(db: Db): Promise<void> {
  if ((await missingIndexes(db)).length > 0) {
    throw new StartError(
      'The MongoDB has not been prepared for files: run `npm run svc -- migrate` once, then start again.'
    )
  }
}

async function missingIndexes(db: Db): Promise<(typeof INDEXES)[number][]> {
  const there = new Set((await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name))
  const missing: (typeof INDEXES)[number][] = []
  for (const index of INDEXES) {
    const names = there.has(index.collection)
      ? (await db.collection(index.collection).listIndexes().toArray()).map(({ name }) => String(name))
      : []
    if (!names.includes(index.name)) missing.push(index)
  }
  return missing
}
