import type { Box } from '../../../ports/browser/port/page-snapshot.ts'

/** A part of an image, in whole image pixels. Never empty, never beyond the edges. */
export interface Area {
  left: number
  top: number
  width: number
  height: number
}

export interface Size {
  width: number
  height: number
}

/** `scale`: image pixels per CSS pixel. */
export type Canvas = Size & { scale: number }

/** Smaller areas would not be visible. */
const MIN_AREA_PX = 4

/**
 * The area of a document's box in an image that begins at the top of the document. Boxes thinner
 * than 4 pixels are enlarged. Null for boxes outside the image and for invalid boxes.
 */
export function toArea(box: Box, image: Canvas): Area | null {
  const { x, y, width, height } = box
  if (![x, y, width, height].every(Number.isFinite) || width < 0 || height < 0) return null
  const columns = toPixels({ from: x * image.scale, length: width * image.scale, limit: image.width })
  const rows = toPixels({ from: y * image.scale, length: height * image.scale, limit: image.height })
  if (columns === null || rows === null) return null
  return { left: columns.from, top: rows.from, width: columns.length, height: rows.length }
}

interface Span {
  from: number
  length: number
}

/** The whole pixels between 0 and the limit, at least 4 of them if the image is large enough. */
function toPixels({ from, length, limit }: Span & { limit: number }): Span | null {
  const to = from + length
  if (to < 0 || from >= limit) return null
  const first = Math.max(0, Math.floor(from))
  const last = Math.min(limit, Math.max(Math.ceil(to), first + MIN_AREA_PX))
  const start = Math.max(0, Math.min(first, last - MIN_AREA_PX))
  return { from: start, length: last - start }
}

const CROP_MARGIN_PX = 24
const MIN_CROP: Size = { width: 160, height: 90 }
/** Taller crops show the top only. */
const MAX_CROP_HEIGHT = 1200

/**
 * The area of a crop: the given area with a margin of 24 CSS pixels, at least 160 × 90 and at most
 * 1,200 high, moved into the image.
 */
export function toCropArea(area: Area, image: Canvas): Area {
  const margin = Math.round(CROP_MARGIN_PX * image.scale)
  const [left, width] = expand({
    from: area.left - margin,
    length: area.width + 2 * margin,
    min: MIN_CROP.width,
    limit: image.width
  })
  const [top, height] = expand({
    from: area.top - margin,
    length: Math.min(area.height + 2 * margin, MAX_CROP_HEIGHT),
    min: MIN_CROP.height,
    limit: image.height
  })
  return { left, top, width, height }
}

function expand({ from, length, min, limit }: Span & { min: number; limit: number }): [number, number] {
  const size = Math.max(length, min)
  const start = from - Math.floor((size - length) / 2)
  if (size >= limit) return [0, limit]
  // The edges of the image cut the margin off, but keep the minimum size.
  const first = Math.max(0, Math.min(start, limit - min))
  const last = Math.min(limit, Math.max(start + size, first + min))
  return [first, last - first]
}
