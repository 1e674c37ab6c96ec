import { MongoBulkWriteError, MongoError, MongoNetworkError, MongoServerError } from 'mongodb'
import { problem } from '../../../errors.ts'

const DUPLICATE_KEY = 11000

/**
 * Codes that say the server cannot do it now, whatever is asked of it: a failover, a shutdown, no
 * majority, no room, an interrupted operation
 * (https://www.mongodb.com/docs/manual/reference/error-codes/).
 */
const UNAVAILABLE: ReadonlySet<number> = new Set([
  6, 7, 50, 64, 89, 91, 100, 133, 134, 189, 202, 262, 317, 8000, 9001, 10058, 10107, 11600, 11601, 11602, 13388, 13435,
  13436, 14031
])

/**
 * Errors of the driver itself that mean no server could be reached, or the connection was closed.
 */
const UNREACHED = [
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
]

/**
 * True when a document with these values is there already. With `key`, the first field of the
 * unique index that says so.
 */
export function isDuplicate(error: unknown, key?: string): boolean {
  if (!(error instanceof MongoServerError) || error.code !== DUPLICATE_KEY) return false
  return key === undefined || Object.hasOwn((error.keyPattern as object | undefined) ?? {}, key)
}

/**
 * The places in an unordered bulk write that were refused as duplicates. Throws the error again
 * when anything else went wrong.
 */
export function duplicatesOf(error: unknown): number[] {
  if (!(error instanceof MongoBulkWriteError)) throw error
  const failures = [error.writeErrors].flat()
  if (failures.some(({ code }) => code !== DUPLICATE_KEY) || error.result.getWriteConcernError() !== undefined) {
    throw error
  }
  return failures.map(({ index }) => index)
}

/**
 * A bulk write that the server did not judge: the driver wraps what broke it off, and only its
 * message and its labels are left of it.
 */
const isBrokenBulk = (error: MongoError): boolean =>
  error instanceof MongoBulkWriteError &&
  error.code === undefined &&
  [error.writeErrors].flat().length === 0 &&
  error.result.getWriteConcernError() === undefined

/**
 * What to throw instead of an error of the driver: `unavailable` when the server cannot answer, the
 * error itself when it is a bug.
 */
export function translated(error: unknown): unknown {
  if (!(error instanceof MongoError)) return error
  const unreached = error instanceof MongoNetworkError || UNREACHED.includes(error.name) || isBrokenBulk(error)
  const refused =
    error instanceof MongoServerError &&
    (UNAVAILABLE.has(Number(error.code)) || error.hasErrorLabel('RetryableWriteError'))
  if (!unreached && !refused) return error
  return problem('unavailable', 'The store cannot be reached just now.', {
    headers: { 'Retry-After': '2' },
    cause: error
  })
}
