import type { Area, Size } from './area.ts'

const MARGIN_PX = 24
const LEAST: Size = { width: 160, height: 90 }
/** What is taller says no more; the top is shown. */
const MOST_HEIGHT = 1200

/**
 * What a crop shows of a picture: the area, `scale` times 24 pixels round it, at least 160 × 90 and
 * at most 1,200 high, moved to lie within the picture.
 */
export function cropArea(area: Area, picture: Size & { scale: number }): Area {
  const margin = Math.round(MARGIN_PX * picture.scale)
  const [left, width] = stretch({
    from: area.left - margin,
    length: area.width + 2 * margin,
    least: LEAST.width,
    limit: picture.width
  })
  const wantedHeight = Math.min(area.height + 2 * margin, MOST_HEIGHT)
  const [top, height] = stretch({
    from: area.top - margin,
    length: wantedHeight,
    least: LEAST.height,
    limit: picture.height
  })
  return { left, top, width, height }
}

function stretch({
  from,
  length,
  least,
  limit
}: {
  from: number
  length: number
  least: number
  limit: number
}): [number, number] {
  const wanted = Math.max(length, least)
  const start = from - Math.floor((wanted - length) / 2)
  if (wanted >= limit) return [0, limit]
  // At an edge of the picture a margin is cut off, but not so far that less than the least is left.
  const first = Math.max(0, Math.min(start, limit - least))
  const last = Math.min(limit, Math.max(start + wanted, first + least))
  return [first, last - first]
}
