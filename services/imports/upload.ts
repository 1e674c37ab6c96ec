import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { problem, ApiError } from '../../errors.ts'
import type { Files } from '../../ports/files/port.ts'
import { IMPORT_BYTES, type ImportFormat } from '../../schemas/product-import.ts'
import { detectLayout, type Layout } from './rows/layout.ts'
import { createRowCounter } from './rows/read-rows.ts'

/** How much of a file is looked at to tell what it is. */
const HEAD_BYTES = 1024 * 1024
const GZIP_MAGIC = Buffer.from([0x1f, 0x8b])

export interface Upload {
  format: ImportFormat
  mapping: Record<string, string> | null
  body: Readable
}
export interface Received {
  layout: Layout
  bytes: number
  total: number
}

/**
 * Keeps an upload under `key`, unpacked, whatever its size in little memory, and tells what it is
 * and how many rows it has.
 * Throws `malformed_import`, `unknown_columns`, `payload_too_large` and `request_timeout`; then
 * nothing is kept.
 */
export async function receiveUpload(files: Files, key: string, { format, mapping, body }: Upload): Promise<Received> {
  let received: Received | undefined
  const stored = Readable.from(
    inspect(decompressed(body), {
      format,
      mapping,
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

/**
 * The bytes as they are after unpacking; packed ones are known by their first bytes, whatever the
 * headers say.
 */
async function* decompressed(body: Readable): AsyncGenerator<Buffer> {
  const chunks = body.iterator({ destroyOnReturn: false }) as AsyncGenerator<Buffer>
  try {
    let first: Buffer = Buffer.alloc(0)
    // They may come one by one.
    for (let next; first.length < GZIP_MAGIC.length && (next = await chunks.next()).done !== true; ) {
      first = Buffer.concat([first, next.value])
    }
    if (first.length > 0) {
      yield* first.subarray(0, GZIP_MAGIC.length).equals(GZIP_MAGIC) ? gunzipped(first, chunks) : joined(first, chunks)
    }
  } finally {
    // What is left of a file that is refused is let pass: who still sends it gets the answer at its
    // end, and the connection is free again.
    chunks.return(undefined).then(
      () => body.resume(),
      () => {}
    )
  }
}

async function* joined(first: Buffer, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  yield first
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value
}

async function* gunzipped(first: Buffer, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  const gunzip = createGunzip()
  const source = Readable.from(joined(first, rest), { objectMode: false })
  source.on('error', (error) => gunzip.destroy(error))
  try {
    yield* source.pipe(gunzip) as AsyncIterable<Buffer>
  } finally {
    source.destroy()
  }
}

/** Passes the bytes on while it finds out what they are. */
async function* inspect(
  bytes: AsyncIterable<Buffer>,
  { format, mapping, done }: Omit<Upload, 'body'> & { done: (received: Received) => void }
): AsyncGenerator<Buffer> {
  let head: Buffer = Buffer.alloc(0)
  let layout: Layout | undefined
  let counter: ReturnType<typeof createRowCounter> | undefined
  let size = 0
  const look = (whole: boolean) => {
    layout = detectLayout(head, { format, mapping, whole })
    counter = createRowCounter(layout)
    counter.push(head)
  }
  for await (const chunk of bytes) {
    size += chunk.length
    if (size > IMPORT_BYTES) {
      throw problem('payload_too_large', `An import may have ${IMPORT_BYTES} bytes when it is unpacked.`, {
        members: { limit: IMPORT_BYTES }
      })
    }
    if (counter !== undefined) counter.push(chunk)
    else {
      head = Buffer.concat([head, chunk])
      if (head.length >= HEAD_BYTES) look(false)
    }
    yield chunk
  }
  if (counter === undefined) look(true)
  const total = counter!.total()
  if (total === 0) throw problem('malformed_import', 'The file has no rows.')
  done({ layout: layout!, bytes: size, total })
}

/**
 * What is wrong with the packing is the sender's to mend; an upload that was broken off, in the
 * middle of the packing or not, may be sent again as it is.
 */
function toUploadError(error: unknown): unknown {
  if (error instanceof ApiError) return error
  const code = (error as NodeJS.ErrnoException).code ?? ''
  if (code.startsWith('Z_')) {
    return problem('malformed_import', `The gzip data cannot be unpacked: ${(error as Error).message}.`, {
      cause: error
    })
  }
  if (code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE') {
    return problem('request_timeout', 'The upload was broken off.', { cause: error })
  }
  return error
}
