import { MongoError, MongoNetworkError, MongoServerError } from 'mongodb'
import { refuse } from '../../../errors.ts'

/** Errors that mean the server cannot do it now, whatever is asked of it. */
const UNREACHED = /ServerSelection|NotConnected|TopologyClosed|ClientClosed|PoolCleared|PoolClosed|WaitQueueTimeout|Timeout/

/** What to throw instead of an error of the driver: `unavailable` when the server cannot answer; every other error itself, such as one of the stream that was to be kept. */
export function translated (error: unknown): unknown {
  if (!(error instanceof MongoError)) return error
  const gone = error instanceof MongoNetworkError || UNREACHED.test(error.name) || (error instanceof MongoServerError && error.hasErrorLabel('RetryableWriteError'))
  return gone ? refuse('unavailable', 'The files cannot be reached just now.', { headers: { 'Retry-After': '2' }, cause: error }) : error
}

/** True when there is a document of this key already. */
export const isDuplicate = (error: unknown): boolean => error instanceof MongoServerError && error.code === 11000
