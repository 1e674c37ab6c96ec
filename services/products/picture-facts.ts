import type { OutboundResponse } from '../../ports/outbound/port.ts'
import type { ProductWarning } from '../../schemas/product.ts'
import { loadSharp } from '../images/sharp.ts'

/**
 * What shops and Google Merchant Center want of a picture:
 * https://support.google.com/merchants/answer/6324350
 */
const LEAST_PIXELS = 100
const MOST_MEGAPIXELS = 64
const MOST_BYTES = 16 * 1024 * 1024

const warn = (code: string, message: string): ProductWarning => ({ code, message })

/**
 * What is to be said against a picture, by what its address answered; null for a good one. Of a
 * long one the beginning is enough.
 */
export async function pictureWarning(answer: OutboundResponse): Promise<ProductWarning | null> {
  if (!answer.ok) return unseen(answer)
  const { status, headers, body } = answer
  if (status < 200 || status > 299) return warn('picture_missing', `imageUrl answered ${status}.`)
  const bytes = Number(headers['content-length'] ?? body.length)
  if (bytes > MOST_BYTES) {
    return warn('picture_too_large', `The picture has ${bytes} bytes; 16 MB is the most that shops take.`)
  }
  const size = await sizeOf(body)
  if (size === null) return warn('picture_unreadable', 'imageUrl is not a JPEG, PNG, WebP, AVIF or GIF picture.')
  const { width, height } = size
  if (width < LEAST_PIXELS || height < LEAST_PIXELS) {
    return warn(
      'picture_too_small',
      `The picture is ${width} × ${height}; shops want at least ${LEAST_PIXELS} × ${LEAST_PIXELS}.`
    )
  }
  if (width * height > MOST_MEGAPIXELS * 1_000_000) {
    return warn(
      'picture_too_large',
      `The picture is ${width} × ${height}; ${MOST_MEGAPIXELS} megapixels is the most that shops take.`
    )
  }
  return null
}

function unseen({ error, status, detail }: Extract<OutboundResponse, { ok: false }>): ProductWarning {
  if (error === 'blocked') return warn('picture_refused', 'imageUrl is an address that may not be reached from here.')
  if (error === 'redirect') {
    return warn('picture_redirected', `imageUrl answered ${status}; give the address that it leads to.`)
  }
  return warn('picture_unreachable', `imageUrl could not be fetched: ${detail}`)
}

/** Width and height by the picture's own head; null where it is none that we read. */
async function sizeOf(bytes: Buffer): Promise<{ width: number; height: number } | null> {
  const sharp = await loadSharp()
  try {
    const { width, height } = await sharp(bytes, { failOn: 'none' }).metadata()
    return { width, height }
  } catch {
    return null // Whatever the decoder has against it, it is no picture to show: the warning says so.
  }
}
