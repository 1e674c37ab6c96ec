import type { Readable } from 'node:stream'
import type { ByteRange } from './port.ts'

const SEGMENT = /^[A-Za-z0-9._-]+$/
const MAX_KEY_LENGTH = 512

/**
 * Throws an Error for a key or prefix that port.ts does not allow. Keys are built by the service,
 * so that an invalid one is a bug.
 */
export function checkKey(key: string): void {
  const valid =
    key.length <= MAX_KEY_LENGTH &&
    key.split('/').every((segment) => SEGMENT.test(segment) && segment !== '.' && segment !== '..')
  if (!valid) throw new Error(`Invalid file key: ${JSON.stringify(key.slice(0, MAX_KEY_LENGTH + 1))}`)
}

/**
 * Throws a RangeError for an invalid range. Ranges are built by the service: an invalid one is a
 * bug.
 */
export function checkRange({ start, end }: ByteRange): void {
  const valid = Number.isInteger(start) && Number.isInteger(end) && start >= 0 && start <= end
  if (!valid) throw new RangeError(`Invalid byte range: ${start}–${end}`)
}

/**
 * Handles the errors of a stream that is not being read yet, so that they do not crash the process.
 * Returns a function that destroys the stream, unless it was read to its end.
 */
export function guardStream(stream: Readable): () => void {
  const ignore = (): void => {}
  stream.on('error', ignore)
  return () => {
    stream.destroy()
    stream.off('error', ignore)
  }
}
