import { Readable } from 'node:stream'
import type { Binary, Collection, ObjectId } from 'mongodb'
import type { ByteRange } from '../port.ts'
import { translated } from './errors.ts'

/**
 * A piece of a blob, as GridFS keeps it
 * (https://github.com/mongodb/specifications/blob/master/source/gridfs/gridfs-spec.md).
 */
export interface Chunk {
  _id: ObjectId
  files_id: ObjectId
  n: number
  data: Binary
}

/** So many chunks are asked for at once: a reader of a large file has no more of it in memory. */
const AT_ONCE = 2

/** Where the bytes of a file are. */
export interface Bytes {
  blob: ObjectId
  size: number
  chunkBytes: number
}

/**
 * Streams the bytes of a blob, the range where one is given, which may go past the end. Not the
 * driver's own stream, which leaves its cursor open on the server when it is destroyed,
 * and takes in 16 MB at a time. The stream fails when a part is missing, and with `unavailable`
 * when the server does not answer.
 */
export function readChunks(chunks: Collection<Chunk>, bytes: Bytes, range?: ByteRange): Readable {
  const start = range?.start ?? 0
  const end = Math.min(range?.end ?? Infinity, bytes.size - 1)
  return Readable.from(start > end ? [] : parts(chunks, bytes, { start, end }), { objectMode: false })
}

async function* parts(
  chunks: Collection<Chunk>,
  { blob, size, chunkBytes }: Bytes,
  { start, end }: ByteRange
): AsyncGenerator<Uint8Array> {
  const [first, last] = [Math.floor(start / chunkBytes), Math.floor(end / chunkBytes)]
  const cursor = chunks.find(
    { files_id: blob, n: { $gte: first, $lte: last } },
    { projection: { n: 1, data: 1 }, sort: { n: 1 }, batchSize: AT_ONCE }
  )
  let next = first
  try {
    // Leaving the loop, also because the stream was destroyed, closes the cursor.
    for await (const { n, data } of cursor) {
      const whole = data.value()
      const from = n * chunkBytes
      if (n !== next || whole.length !== Math.min(chunkBytes, size - from)) {
        throw new Error(`Part ${next} of the blob ${blob.toHexString()} is missing or not whole`)
      }
      next += 1
      yield whole.subarray(Math.max(0, start - from), end - from + 1)
    }
    if (next <= last) throw new Error(`Part ${next} of the blob ${blob.toHexString()} is missing or not whole`)
  } catch (error) {
    throw translated(error)
  }
}
