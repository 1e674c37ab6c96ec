import { splitAccept } from '../../lib/http/negotiation.ts'
import type { ImageFormat } from '../../schemas/image-options.ts'
import { MAX_OUTPUT_PIXELS } from './encode.ts'
import { formatOf } from './inspect.ts'

const MODERN = ['avif', 'webp'] as const
/** Preference at equal weight. */
const RANK: Record<ImageFormat, number> = { avif: 2, webp: 1, jpeg: 0, png: 0 }

/** The type of the default variant, and the pixels of the requested size. */
export interface Offer {
  type: string
  pixels: number
}

/**
 * Chooses the format with the highest weight in the Accept header (RFC 9110, section 12.5.1). At
 * equal weight AVIF wins over WebP, and WebP over the image's own format. AVIF and WebP must be
 * named explicitly, because clients that cannot decode them send wildcards, too. Without an
 * acceptable format the image's own is sent, as the RFC allows. A WebP stays one, because it may be
 * animated.
 */
export function negotiateFormat(accept: string | undefined, offer: Offer): ImageFormat {
  const own = formatOf(offer.type)
  if (accept === undefined || own === 'webp') return own
  const ranges = parseAccept(accept)
  const ownQuality = ranges.get(offer.type) ?? ranges.get('image/*') ?? ranges.get('*/*') ?? 0
  const best = { format: own, quality: ownQuality }
  const modern = MODERN.filter((format) => format !== own && offer.pixels <= MAX_OUTPUT_PIXELS[format])
  for (const format of modern) {
    const quality = ranges.get(`image/${format}`) ?? 0
    const better = quality > best.quality || (quality === best.quality && RANK[format] > RANK[best.format])
    if (quality > 0 && better) Object.assign(best, { format, quality })
  }
  return best.format
}

/**
 * The media ranges of the header with their weights, 0–1. Other parameters and ranges with an
 * invalid weight are ignored. The `negotiator` package cannot be used here: its API returns no
 * weights, and at equal weight it prefers the more specific and the earlier range.
 */
function parseAccept(accept: string): Map<string, number> {
  const ranges = new Map<string, number>()
  for (const part of splitAccept(accept.toLowerCase())) {
    const [range = '', ...parameters] = part.split(';').map((piece) => piece.trim())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
    const quality = weight === undefined ? 1 : Number(weight)
    if (range !== '' && quality >= 0 && quality <= 1) ranges.set(range, quality)
  }
  return ranges
}
