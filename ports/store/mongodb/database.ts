import type { Collection, Db, Document, MongoClient } from 'mongodb'
import { problem, StartError } from '../../../errors.ts'
import { connectToDatabase, createDeadline, createMongoClient, isUnavailable } from '../../../lib/mongodb.ts'

/** An open database. Every call to the driver goes through `run`, which translates its errors. */
export interface Database {
  db: Db
  collection: <Stored extends Document>(name: string) => Collection<Stored>
  /**
   * Runs the operation. Throws `unavailable` when the server cannot answer or the database is
   * closed.
   */
  run: <T>(operation: () => Promise<T>) => Promise<T>
  close: () => Promise<void>
}

/**
 * Opens the database named in the URL (`content_service` by default). Writes are acknowledged by a
 * majority and journaled, reads go to the primary, unless the URL says otherwise. Throws a
 * StartError when the URL is invalid or no server answers within 3 seconds.
 *
 * `timeoutMs`: operations throw `unavailable` when the server stops responding for this time.
 * Without it they take as long as they need: to build an index of a large collection takes minutes.
 */
export async function openDatabase(url: string, { timeoutMs }: { timeoutMs?: number } = {}): Promise<Database> {
  const client = createClient(url, timeoutMs)
  const db = await connectToDatabase(client, url).catch(async (error: Error) => {
    await client.close()
    throw new StartError(`The MongoDB at MONGODB_URL cannot be used: ${error.message}`, { cause: error })
  })
  const withDeadline =
    timeoutMs === undefined ? <T>(operation: () => Promise<T>) => operation() : createDeadline(db, timeoutMs)
  let closed = false

  return {
    db,
    collection: (name) => db.collection(name),
    async run(operation) {
      if (closed) throw problem('unavailable', 'The store is closed.')
      try {
        return await withDeadline(operation)
      } catch (error) {
        throw translateError(error)
      }
    },
    async close() {
      closed = true
      await client.close()
    }
  }
}

function createClient(url: string, timeoutMs?: number): MongoClient {
  try {
    return createMongoClient(
      url,
      'blog-product-content-service',
      // An operation that was given up must not be sent later.
      timeoutMs === undefined ? { socketTimeoutMS: 0 } : { waitQueueTimeoutMS: timeoutMs }
    )
  } catch (error) {
    throw new StartError(`MONGODB_URL is not a valid MongoDB connection string: ${(error as Error).message}`, {
      cause: error
    })
  }
}

/**
 * `unavailable` when the server cannot answer now; any other error unchanged, because it is a bug.
 */
export function translateError(error: unknown): unknown {
  if (!isUnavailable(error)) return error
  return problem('unavailable', 'The database is not reachable. Retry the request later.', {
    headers: { 'Retry-After': '2' },
    cause: error
  })
}
