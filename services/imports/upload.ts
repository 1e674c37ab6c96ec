import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { problem, ApiError } from '../../errors.ts'
import { createYielder, takeSteps } from '../../lib/async.ts'
import type { Files } from '../../ports/files/port.ts'
import {
  IMPORT_BYTES,
  MAX_COMPRESSION_RATIO,
  RATIO_EXEMPT_BYTES,
  type ImportFormat
} from '../../schemas/product-import.ts'
import { detectLayout, type Layout } from './rows/layout.ts'
import { createRowCounter } from './rows/read-rows.ts'

/** Number of bytes used to detect the format of a file. */
const HEAD_BYTES = 1024 * 1024
const PIECE_BYTES = 32 * 1024
const GZIP_MAGIC = Buffer.from([0x1f, 0x8b])

export interface Upload {
  format: ImportFormat
  mapping: Record<string, string> | null
  body: Readable
  /** Returns the error if the uncompressed upload must not have this size. */
  check?: (bytes: number) => ApiError | null
}
export interface Received {
  layout: Layout
  bytes: number
  total: number
}

/**
 * Stores a decompress upload under `key` with constant memory, and returns its layout, size and
 * number of rows.
 * Throws `malformed_import`, `unknown_columns`, `payload_too_large` and `request_timeout`; nothing
 * is stored in that case.
 */
export async function receiveUpload(
  files: Files,
  key: string,
  { format, mapping, body, check }: Upload
): Promise<Received> {
  let received: Received | undefined
  const stored = Readable.from(
    inspect(decompress(body), {
      format,
      mapping,
      ...(check === undefined ? {} : { check }),
      done: (result) => {
        received = result
      }
    }),
    { objectMode: false }
  )
  try {
    await files.put(key, stored)
  } catch (error) {
    throw toUploadError(error)
  }
  return received!
}

/** Decompresses gzip, recognized by the first bytes and independent of the request headers. */
async function* decompress(body: Readable): AsyncGenerator<Buffer> {
  const chunks = body.iterator({ destroyOnReturn: false }) as AsyncGenerator<Buffer>
  try {
    let first: Buffer = Buffer.alloc(0)
    // The first chunks may contain a single byte each.
    for (let next; first.length < GZIP_MAGIC.length && (next = await chunks.next()).done !== true; ) {
      first = Buffer.concat([first, next.value])
    }
    if (first.length > 0) {
      yield* first.subarray(0, GZIP_MAGIC.length).equals(GZIP_MAGIC)
        ? decompressGzip(first, chunks)
        : concatenate(first, chunks)
    }
  } finally {
    // The rest of a rejected upload is read and discarded: a client that is still sending then
    // receives the response, and the connection can be reused.
    chunks.return(undefined).then(
      () => body.resume(),
      () => {}
    )
  }
}

async function* concatenate(first: Buffer, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  yield first
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value
}

/**
 * Decompresses gzip. Throws `payload_too_large` when the data expands too much: a few kilobytes may
 * otherwise occupy a gigabyte.
 */
async function* decompressGzip(first: Buffer, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  const gunzip = createGunzip()
  let received = 0
  let decompressed = 0
  const source = Readable.from(
    countBytes(concatenate(first, rest), (bytes) => {
      received += bytes
    }),
    { objectMode: false }
  )
  source.on('error', (error) => gunzip.destroy(error))
  try {
    for await (const chunk of source.pipe(gunzip) as AsyncIterable<Buffer>) {
      decompressed += chunk.length
      if (decompressed > RATIO_EXEMPT_BYTES && decompressed > MAX_COMPRESSION_RATIO * received) {
        throw problem(
          'payload_too_large',
          `The file is more than ${MAX_COMPRESSION_RATIO} times as large as its compressed form. ` +
            'Remove repeated rows, or send the file uncompressed.',
          { members: { limit: MAX_COMPRESSION_RATIO } }
        )
      }
      yield chunk
    }
  } finally {
    source.destroy()
  }
}

async function* countBytes(chunks: AsyncIterable<Buffer>, count: (bytes: number) => void): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    count(chunk.length)
    yield chunk
  }
}

/** Passes the bytes through while it detects their layout and counts the rows. */
async function* inspect(
  bytes: AsyncIterable<Buffer>,
  { format, mapping, check, done }: Omit<Upload, 'body'> & { done: (received: Received) => void }
): AsyncGenerator<Buffer> {
  // Concatenated once: an upload may arrive byte by byte.
  let head: Buffer[] = []
  let layout: Layout | undefined
  let counter: ReturnType<typeof createRowCounter> | undefined
  let size = 0
  const pause = createYielder()
  /** Counts in pieces, because a chunk may consist of very many rows. */
  const count = async (bytes: Buffer) => {
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      await takeSteps(counter!.push(bytes.subarray(at, at + PIECE_BYTES)), pause)
    }
  }
  const detect = async (isComplete: boolean) => {
    const bytes = Buffer.concat(head)
    head = []
    // Many small uploads may end in the same turn of the event loop.
    await pause()
    layout = await detectLayout(bytes, { format, mapping, isComplete })
    counter = createRowCounter(layout)
    await count(bytes)
  }
  for await (const chunk of bytes) {
    size += chunk.length
    const error = check?.(size) ?? null
    if (error !== null) throw error
    if (size > IMPORT_BYTES) {
      throw problem(
        'payload_too_large',
        `An import may have at most ${IMPORT_BYTES} bytes after decompression. Split the file.`,
        {
          members: { limit: IMPORT_BYTES }
        }
      )
    }
    if (counter !== undefined) await count(chunk)
    else {
      head.push(chunk)
      if (size >= HEAD_BYTES) await detect(false)
    }
    yield chunk
  }
  if (counter === undefined) await detect(true)
  await takeSteps(counter!.end(), pause)
  const total = counter!.total()
  if (total === 0) throw problem('malformed_import', 'The file has no rows. Add at least one product.')
  done({ layout: layout!, bytes: size, total })
}

/**
 * Maps upload errors: invalid gzip data must be fixed by the client; an interrupted upload can be
 * sent again unchanged.
 */
function toUploadError(error: unknown): unknown {
  if (error instanceof ApiError) return error
  const code = (error as NodeJS.ErrnoException).code ?? ''
  if (code.startsWith('Z_')) {
    return problem('malformed_import', `The gzip data cannot be decompressed: ${(error as Error).message}.`, {
      cause: error
    })
  }
  if (code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE') {
    return problem('request_timeout', 'The upload was interrupted. Send the file again.', { cause: error })
  }
  return error
}
