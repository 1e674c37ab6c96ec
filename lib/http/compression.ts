import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib'
import { currentOwner, runAsOwner } from '../async.ts'
import { createFairQueue } from '../fair-queue.ts'
import { sharedResult } from '../shared-result.ts'
import type { ContentCoding } from './negotiation.ts'

/** Smaller bodies are sent uncompressed: the saving is not worth the CPU time. */
export const MIN_COMPRESSIBLE_BYTES = 1024

/** A body that was prepared before. */
export interface PreparedBody {
  /** Its strong, quoted entity tag; null when it is not known yet. */
  etag: string | null
  /** The compressed bodies that exist. */
  compressed: Record<ContentCoding, Buffer | null>
  /** Receives each other compressed body that is made. */
  addCompressed: (coding: ContentCoding, bytes: Buffer) => void
}

/** The compressed bodies of a body. Each is made once. */
export interface Compressor {
  compress: (coding: ContentCoding) => Buffer | Promise<Buffer>
  /** The size of those that exist, in bytes. */
  size: () => number
  /** Called when another one exists. */
  onAdded: (() => void) | null
}

const COMPRESSIBLE = /^(?:application\/(?:[\w.+-]*json|xml|[\w.+-]*\+xml|x-ndjson|javascript)|text\/)/

/** Quality 5 takes about as long as gzip and compresses better. */
const BROTLI = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT }
}
const compressBrotli = promisify(brotliCompress)
const compressGzip = promisify(gzip)
const decompressBrotli = promisify(brotliDecompress)

/** Whether a body of this Content-Type shrinks when compressed. */
export const isCompressible = (contentType: unknown): boolean =>
  typeof contentType === 'string' && COMPRESSIBLE.test(contentType)

/** Bodies above this size are large, in bytes. */
const LARGE_BYTES = 65_536
/** A large body is compressed in parts of so many bytes, which take up to 18 ms each. */
const PART_BYTES = 262_144
/**
 * Parts of large bodies that are compressed, or large bodies that are decompressed, at a time: half of the threads that
 * libuv has by default.
 */
const MAX_LARGE = 2
const waiting = createFairQueue<() => void>()
let running = 0
/** Bodies that are compressed in parts at a time: an encoder has about 4 MB of memory. */
const MAX_ENCODERS = 16
/** Those of one owner, so that the others need not wait for one. */
const MAX_ENCODERS_OF_OWNER = 2
const waitingForEncoder = createFairQueue<() => void>()
const encoders = new Map<string, number>()

/**
 * Compresses a body in a thread. Large bodies take turns by the owner of the computation (see `runAsOwner`), and leave
 * threads free for files and small bodies. Those above 256 KiB take turns after each part: a body of 28 MB takes a
 * second.
 */
export async function compress(body: Buffer, coding: ContentCoding): Promise<Buffer> {
  if (body.length > PART_BYTES) return await withEncoder(() => compressInParts(body, coding))
  return body.length > LARGE_BYTES ? await inTurn(() => compressAtOnce(body, coding)) : compressAtOnce(body, coding)
}

const compressAtOnce = async (body: Buffer, coding: ContentCoding): Promise<Buffer> =>
  coding === 'br' ? await compressBrotli(body, BROTLI) : await compressGzip(body)

const mayHaveEncoder = (owner: string): boolean => (encoders.get(owner) ?? 0) < MAX_ENCODERS_OF_OWNER

function startNextEncoders(): void {
  const used = (): number => encoders.values().reduce((sum, count) => sum + count, 0)
  while (used() < MAX_ENCODERS) {
    const next = waitingForEncoder.next(mayHaveEncoder)
    if (next === null) return
    next()
  }
}

async function withEncoder<Result>(work: () => Promise<Result>): Promise<Result> {
  const owner = currentOwner()
  await new Promise<void>((resolve) => {
    waitingForEncoder.add(owner, () => {
      encoders.set(owner, (encoders.get(owner) ?? 0) + 1)
      resolve()
    })
    startNextEncoders()
  })
  try {
    return await work()
  } finally {
    const left = encoders.get(owner)! - 1
    if (left === 0) encoders.delete(owner)
    else encoders.set(owner, left)
    startNextEncoders()
  }
}

async function compressInParts(body: Buffer, coding: ContentCoding): Promise<Buffer> {
  const hint = { [constants.BROTLI_PARAM_SIZE_HINT]: body.length }
  const stream = coding === 'br' ? createBrotliCompress({ params: { ...BROTLI.params, ...hint } }) : createGzip()
  const compressed: Buffer[] = []
  stream.on('data', (bytes: Buffer) => compressed.push(bytes))
  const ended = once(stream, 'end')
  // If a part fails, its promise tells.
  ended.catch(() => {})
  try {
    for (let start = 0; start < body.length; start += PART_BYTES) {
      const part = body.subarray(start, start + PART_BYTES)
      await inTurn(async () => await writePart(stream, part))
    }
    await inTurn(async () => {
      stream.end()
      await ended
    })
  } finally {
    stream.destroy()
  }
  return Buffer.concat(compressed)
}

/**
 * Decompresses a stored Brotli body in a thread, in the same turns as large bodies. Rejects if the result
 * has more than `maxBytes`.
 */
export async function decompress(body: Buffer, maxBytes: number): Promise<Buffer> {
  return await inTurn(() => decompressBrotli(body, { maxOutputLength: maxBytes }))
}

async function writePart(stream: Writable, part: Buffer): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    stream.write(part, (error) => {
      if (error) reject(error)
      else resolve()
    })
  })
}

async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  if (running === MAX_LARGE) await new Promise<void>((resolve) => waiting.add(currentOwner(), resolve))
  else running += 1
  try {
    return await work()
  } finally {
    const next = waiting.next()
    if (next === null) running -= 1
    // The next body takes the place.
    else next()
  }
}

/**
 * Compresses the body once with each coding, unless that was done before. The owner of the computation that calls this
 * is the owner of the compression: a cached response is sent outside of any computation.
 */
export function createCompressor(body: Buffer, prepared: PreparedBody | null): Compressor {
  const compressed: Record<ContentCoding, Buffer | null> = {
    br: prepared?.compressed.br ?? null,
    gzip: prepared?.compressed.gzip ?? null
  }
  const owner = currentOwner()
  const running: Partial<Record<ContentCoding, Promise<Buffer>>> = {}

  async function make(coding: ContentCoding): Promise<Buffer> {
    try {
      const bytes = await runAsOwner(owner, () => compress(body, coding))
      compressed[coding] = bytes
      prepared?.addCompressed(coding, bytes)
      compressor.onAdded?.()
      return bytes
    } finally {
      delete running[coding]
    }
  }

  const compressor: Compressor = {
    compress: (coding) => compressed[coding] ?? sharedResult((running[coding] ??= make(coding))),
    size: () => (compressed.br?.length ?? 0) + (compressed.gzip?.length ?? 0),
    onAdded: null
  }
  return compressor
}
