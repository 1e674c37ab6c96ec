import { MongoBulkWriteError, MongoClient, MongoError, MongoNetworkError, MongoServerError, type Db } from 'mongodb'
import { createResponseDeadline } from './response-deadline.ts'

/** A request waits at most this long for a server to be selected. */
const SERVER_SELECTION_TIMEOUT_MS = 3_000
/**
 * Longer than the driver's default: a busy server answers heartbeats late, and a missed heartbeat
 * would abort every request in progress.
 */
const CONNECT_TIMEOUT_MS = 15_000
const SOCKET_TIMEOUT_MS = 60_000
const DEFAULT_DATABASE = 'content_service'

const DUPLICATE_KEY = 11000

/**
 * Server codes that mean "try again later", whatever the operation: failover, shutdown, no
 * majority, no disk space, an interrupted operation.
 * Source: https://www.mongodb.com/docs/manual/reference/error-codes/
 */
const UNAVAILABLE_CODES: ReadonlySet<number> = new Set([
  6, 7, 50, 64, 89, 91, 100, 133, 134, 189, 202, 262, 317, 8000, 9001, 10058, 10107, 11600, 11601, 11602, 13388, 13435,
  13436, 14031
])

/** Names of driver errors that mean no server was reached or the connection was closed. */
const CONNECTION_ERRORS: ReadonlySet<string> = new Set([
  'MongoServerSelectionError',
  'MongoNotConnectedError',
  'MongoTopologyClosedError',
  'MongoClientClosedError',
  'MongoExpiredSessionError',
  'MongoWaitQueueTimeoutError',
  'MongoOperationTimeoutError',
  'PoolClearedError',
  'MongoPoolClearedError',
  'MongoPoolClosedError',
  'PoolClosedError'
])

export interface MongoClientOptions {
  /** The maximum wait for a free connection. */
  waitQueueTimeoutMS?: number
  /** How long a command may take. 0: any time. Default: a minute. */
  socketTimeoutMS?: number
}

/**
 * Creates a client that is not connected yet. Writes are acknowledged by a majority and journaled
 * unless the URL says otherwise. Throws the driver's error for an invalid URL.
 */
export function createMongoClient(url: string, appName: string, options: MongoClientOptions = {}): MongoClient {
  return new MongoClient(url, {
    appName,
    writeConcern: { w: 'majority', journal: true },
    serverSelectionTimeoutMS: SERVER_SELECTION_TIMEOUT_MS,
    connectTimeoutMS: CONNECT_TIMEOUT_MS,
    socketTimeoutMS: SOCKET_TIMEOUT_MS,
    ignoreUndefined: true,
    ...options
  })
}

/**
 * Returns a function that runs an operation on the database and rejects with a MongoNetworkError
 * when the server does not respond for `timeoutMs` milliseconds.
 */
export function createDeadline(db: Db, timeoutMs: number): <T>(operation: () => Promise<T>) => Promise<T> {
  return createResponseDeadline({
    timeoutMs,
    ping: () => db.command({ ping: 1 }),
    createError: () => new MongoNetworkError(`The server did not respond for ${timeoutMs} ms`)
  })
}

/** Connects the client and returns the database named in the URL, or `content_service`. */
export async function connectToDatabase(client: MongoClient, url: string): Promise<Db> {
  await client.connect()
  const db = client.db(/^mongodb(?:\+srv)?:\/\/[^/]+\/[^?]+/.test(url) ? undefined : DEFAULT_DATABASE)
  await db.command({ ping: 1 })
  return db
}

/**
 * True when a unique index rejected the write. With `field`, only when `field` belongs to the key
 * of that index.
 */
export function isDuplicateKey(error: unknown, field?: string): boolean {
  if (!(error instanceof MongoServerError) || error.code !== DUPLICATE_KEY) return false
  return field === undefined || Object.hasOwn((error.keyPattern as object | undefined) ?? {}, field)
}

/**
 * The positions of the operations that an unordered bulk write rejected as duplicates. Rethrows the
 * error when anything else went wrong.
 */
export function duplicatePositions(error: unknown): number[] {
  if (!(error instanceof MongoBulkWriteError)) throw error
  const failures = [error.writeErrors].flat()
  if (failures.some(({ code }) => code !== DUPLICATE_KEY) || error.result.getWriteConcernError() !== undefined) {
    throw error
  }
  return failures.map(({ index }) => index)
}

/** True when the server cannot answer now, so that the same request may succeed later. */
export function isUnavailable(error: unknown): error is MongoError {
  if (!(error instanceof MongoError)) return false
  if (error instanceof MongoNetworkError || CONNECTION_ERRORS.has(error.name) || isAbortedBulkWrite(error)) return true
  return (
    error instanceof MongoServerError &&
    (UNAVAILABLE_CODES.has(Number(error.code)) || error.hasErrorLabel('RetryableWriteError'))
  )
}

/**
 * A bulk write that the server never evaluated. The driver wraps the cause and keeps only its
 * message and labels.
 */
const isAbortedBulkWrite = (error: MongoError): boolean =>
  error instanceof MongoBulkWriteError &&
  error.code === undefined &&
  [error.writeErrors].flat().length === 0 &&
  error.result.getWriteConcernError() === undefined
