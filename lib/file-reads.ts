import { close, createReadStream, read } from 'node:fs'
import type { Readable } from 'node:stream'

/*
 * Thousands of clients may download files at the same time. The system completes all reads that are ready in one turn
 * of the event loop, and each one is followed by a write to a socket: so only a few are in progress.
 */

/** Reads in progress: a turn writes up to a megabyte. */
const MAX_READS = 16
/** What is read ahead of a file, and what of each one while many are read: a client that reads nothing keeps it. */
const CHUNK_BYTES = 64 * 1024
const SMALL_CHUNK_BYTES = 16 * 1024
const MANY_STREAMS = 200

type Callback = (error: NodeJS.ErrnoException | null, bytes: number, buffer: Buffer) => void
type ReadParameters = [offset: number, length: number, position: number | null, callback: Callback]

let running = 0
let streams = 0
const waiting: (() => void)[] = []

function end(): void {
  running -= 1
  waiting.shift()?.()
}

/** Like `read` of node:fs, after the reads before it. */
function readInTurn(fd: number, buffer: Buffer, ...[offset, length, position, callback]: ReadParameters): void {
  const start = (): void => {
    running += 1
    read(fd, buffer, offset, length, position, (error, bytes, data) => {
      end()
      callback(error, bytes, data)
    })
  }
  if (running < MAX_READS) start()
  else waiting.push(start)
}

/** Reads an open file, or a range of its bytes, and closes it at the end. Streams of all files take turns. */
export function createFileStream(fd: number, range: { start: number; end: number } | undefined): Readable {
  streams += 1
  const highWaterMark = streams > MANY_STREAMS ? SMALL_CHUNK_BYTES : CHUNK_BYTES
  const stream = createReadStream('', { fd, highWaterMark, ...range, fs: { read: readInTurn as typeof read, close } })
  return stream.once('close', () => {
    streams -= 1
  })
}
