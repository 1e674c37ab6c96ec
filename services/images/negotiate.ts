import type { ImageFormat } from '../../schemas/image.ts'
import { formatOf } from './inspect.ts'

/**
 * Above this size AVIF is not chosen automatically: encoding takes about ten times as long as other
 * formats.
 */
export const MAX_AUTO_AVIF_PIXELS = 8_000_000

const MODERN = ['avif', 'webp'] as const
/** Preference for equal quality values. */
const RANK: Record<ImageFormat, number> = { avif: 2, webp: 1, jpeg: 0, png: 0 }

/** The type of the default variant, and the pixels of the requested size. */
export interface Offer {
  type: string
  pixels: number
}

/**
 * Chooses the format that the client likes best: by its q-values, and among equals AVIF, then WebP,
 * then the picture's own.
 * AVIF and WebP must be named: every client sends wildcards, also those that cannot show them. What
 * nobody accepts is answered by the picture's own
 * format, as RFC 9110, section 12.5.1, allows. A WebP may move, so it stays one.
 * @param accept the Accept header (RFC 9110, section 12.5.1)
 */
export function negotiateFormat(accept: string | undefined, offer: Offer): ImageFormat {
  const own = formatOf(offer.type)
  if (accept === undefined || own === 'webp') return own
  const ranges = parseAccept(accept)
  const ownQuality = ranges.get(offer.type) ?? ranges.get('image/*') ?? ranges.get('*/*') ?? 0
  const best = { format: own, quality: ownQuality }
  const modern = MODERN.filter(
    (format) => format !== own && (format !== 'avif' || offer.pixels <= MAX_AUTO_AVIF_PIXELS)
  )
  for (const format of modern) {
    const quality = ranges.get(`image/${format}`) ?? 0
    const better = quality > best.quality || (quality === best.quality && RANK[format] > RANK[best.format])
    if (quality > 0 && better) Object.assign(best, { format, quality })
  }
  return best.format
}

/**
 * The media ranges of the header with their q-values, 0–1; parameters but q are passed over, and so
 * is what cannot be read.
 */
function parseAccept(accept: string): Map<string, number> {
  const ranges = new Map<string, number>()
  for (const part of accept.toLowerCase().split(',')) {
    const [range = '', ...parameters] = part.split(';').map((piece) => piece.trim())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
    const quality = weight === undefined ? 1 : Number(weight)
    if (range !== '' && quality >= 0 && quality <= 1) ranges.set(range, quality)
  }
  return ranges
}
