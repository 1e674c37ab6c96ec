import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

export type Encoding = 'br' | 'gzip'

/** Smaller bodies gain less than they cost. */
export const SMALLEST_BYTES = 1024
const COMPRESSIBLE = /^(?:application\/(?:[\w.+-]*json|xml|[\w.+-]*\+xml|x-ndjson|javascript)|text\/)/
/**
 * Quality 5 costs about what gzip does and packs better; higher ones are for files that are packed
 * once and for all.
 */
const BROTLI = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT }
}
const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

/**
 * The coding to answer with, or null for the plain form (RFC 9110, section 12.5.3); br before gzip
 * where both are as welcome.
 */
export function chooseEncoding(accept: string | string[] | undefined): Encoding | null {
  if (accept === undefined || typeof accept !== 'string') return null
  let best: Encoding | null = null
  let bestQuality = 0
  for (const entry of accept.split(',')) {
    const [name, ...params] = entry.trim().toLowerCase().split(';')
    const quality = qualityOf(params)
    const encoding = name === 'br' || name === 'gzip' ? name : name === '*' ? 'gzip' : null
    if (encoding !== null && quality > 0 && (quality > bestQuality || (quality === bestQuality && encoding === 'br'))) {
      best = encoding
      bestQuality = quality
    }
  }
  return best
}

function qualityOf(params: string[]): number {
  const q = params.map((param) => /^\s*q\s*=\s*([\d.]+)\s*$/.exec(param)?.[1]).find((value) => value !== undefined)
  return q === undefined ? 1 : Number(q)
}

export const isCompressible = (contentType: unknown) =>
  typeof contentType === 'string' && COMPRESSIBLE.test(contentType)

export const compress = (body: Buffer, encoding: Encoding): Promise<Buffer> =>
  encoding === 'br' ? brotli(body, BROTLI) : zip(body)
