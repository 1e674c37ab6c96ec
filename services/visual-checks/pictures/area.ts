import type { Box } from '../../../ports/browser/port/page-snapshot.ts'

/** A part of a picture, in whole pixels of the picture; never empty, never beyond its edges. */
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

/** Less could not be seen. */
const LEAST_PX = 4

/**
 * Where a box of the document lies in a picture that begins at the document's top, with so many
 * pixels of the picture by CSS pixel. A box that is thinner than 4 pixels is made that
 * thick. Null where nothing of it is in the picture, and for what is no box: a number that is not
 * finite, a negative size.
 */
export function areaOf(box: Box, picture: Size & { scale: number }): Area | null {
  const { x, y, width, height } = box
  if (![x, y, width, height].every(Number.isFinite) || width < 0 || height < 0) return null
  const across = span({ from: x * picture.scale, length: width * picture.scale, limit: picture.width })
  const down = span({ from: y * picture.scale, length: height * picture.scale, limit: picture.height })
  return across === null || down === null
    ? null
    : { left: across.from, top: down.from, width: across.length, height: down.length }
}

/**
 * The whole pixels between 0 and the limit that the length covers, at least 4 of them where there
 * are as many.
 */
function span({
  from,
  length,
  limit
}: {
  from: number
  length: number
  limit: number
}): { from: number; length: number } | null {
  const to = from + length
  if (to < 0 || from >= limit) return null
  const first = Math.max(0, Math.floor(from))
  const last = Math.min(limit, Math.max(Math.ceil(to), first + LEAST_PX))
  const start = Math.max(0, Math.min(first, last - LEAST_PX))
  return { from: start, length: last - start }
}
