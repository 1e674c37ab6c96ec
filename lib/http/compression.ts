import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { ContentCoding } from './negotiation.ts'

/** Smaller bodies are sent uncompressed: the saving is not worth the CPU time. */
export const MIN_COMPRESSIBLE_BYTES = 1024

const COMPRESSIBLE = /^(?:application\/(?:[\w.+-]*json|xml|[\w.+-]*\+xml|x-ndjson|javascript)|text\/)/

/** Quality 5 takes about as long as gzip and compresses better. */
const BROTLI = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT }
}
const compressBrotli = promisify(brotliCompress)
const compressGzip = promisify(gzip)

/** Whether a body of this Content-Type shrinks when compressed. */
export const isCompressible = (contentType: unknown): boolean =>
  typeof contentType === 'string' && COMPRESSIBLE.test(contentType)

export const compress = (body: Buffer, coding: ContentCoding): Promise<Buffer> =>
  coding === 'br' ? compressBrotli(body, BROTLI) : compressGzip(body)
