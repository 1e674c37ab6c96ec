import { MongoClient, type Collection, type Db, type Document } from 'mongodb'
import { problem, StartError } from '../../../errors.ts'
import { translated } from './driver-errors.ts'

/**
 * How long a request waits for a server to be found, at most; after it the store is unavailable.
 */
const SELECTION_MS = 3_000
/**
 * A server that is busy answers its own heartbeat late; that is no reason to cut off everything
 * that waits for it.
 */
const HEARTBEAT_MS = 15_000
const SOCKET_MS = 60_000
const DEFAULT_NAME = 'content_service'

/**
 * An open database. Everything that talks to the driver goes through `act`, which translates its
 * errors.
 */
export interface Database {
  db: Db
  collection: <Stored extends Document>(name: string) => Collection<Stored>
  /**
   * Does the act; throws `unavailable` where the server cannot answer, or the database is closed.
   */
  act: <T>(act: () => Promise<T>) => Promise<T>
  close: () => Promise<void>
}

/**
 * Opens the database that the URL names (`content_service` where it names none). Writes are
 * acknowledged by a majority and its journals, reads go to the primary,
 * unless the URL itself says otherwise. Throws a StartError when the URL cannot be read or no
 * server answers within 3 seconds.
 */
export async function openDatabase(url: string): Promise<Database> {
  const client = createClient(url)
  try {
    await client.connect()
    await client.db().command({ ping: 1 })
  } catch (error) {
    await client.close()
    throw new StartError(`The MongoDB of MONGODB_URL cannot be used: ${(error as Error).message}`, { cause: error })
  }
  const named = /^mongodb(?:\+srv)?:\/\/[^/]+\/[^?]+/.test(url)
  const db = client.db(named ? undefined : DEFAULT_NAME)
  let closed = false

  return {
    db,
    collection: (name) => db.collection(name),
    async act(act) {
      if (closed) throw problem('unavailable', 'The store is closed.')
      try {
        return await act()
      } catch (error) {
        throw translated(error)
      }
    },
    async close() {
      closed = true
      await client.close()
    }
  }
}

function createClient(url: string): MongoClient {
  try {
    return new MongoClient(url, {
      appName: 'blog-product-content-service',
      writeConcern: { w: 'majority', journal: true },
      serverSelectionTimeoutMS: SELECTION_MS,
      connectTimeoutMS: HEARTBEAT_MS,
      socketTimeoutMS: SOCKET_MS,
      ignoreUndefined: true
    })
  } catch (error) {
    throw new StartError(`MONGODB_URL cannot be read: ${(error as Error).message}`, { cause: error })
  }
}
