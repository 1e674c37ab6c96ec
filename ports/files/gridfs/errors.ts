import { MongoError, MongoNetworkError, MongoServerError } from 'mongodb'
import { problem } from '../../../errors.ts'

/**
 * Errors of the driver itself that mean no server could be reached, or the connection was closed.
 */
const UNREACHED =
  /ServerSelection|NotConnected|TopologyClosed|ClientClosed|ExpiredSession|PoolCleared|PoolClosed|WaitQueueTimeout|Timeout/

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
 * What to throw instead of an error of the driver: `unavailable` when the server cannot answer;
 * every other error itself, such as one of the stream that was to be kept.
 */
export function translated(error: unknown): unknown {
  if (!(error instanceof MongoError)) return error
  const unreached = error instanceof MongoNetworkError || UNREACHED.test(error.name)
  const refused =
    error instanceof MongoServerError &&
    (UNAVAILABLE.has(Number(error.code)) || error.hasErrorLabel('RetryableWriteError'))
  return unreached || refused
    ? problem('unavailable', 'The files cannot be reached just now.', { headers: { 'Retry-After': '2' }, cause: error })
    : error
}

/** True when there is a document of this key already. */
export const isDuplicate = (error: unknown): boolean => error instanceof MongoServerError && error.code === 11000
