import { createCompressor, type Compressor } from './compression.ts'
import { entityTag } from './conditional.ts'

/** A page or a file that is the same for all readers. */
export interface Document {
  body: Buffer
  etag: string
  compressor: Compressor
}

/** Prepares what responses need, so that none of them computes it again: bytes, entity tag and compressed bodies. */
export function createDocument(content: string | Buffer): Document {
  const body = Buffer.from(content)
  return { body, etag: entityTag(body, null), compressor: createCompressor(body, null) }
}
