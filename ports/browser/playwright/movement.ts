import type { Moment } from './page/waiting.ts'

/** Less is rounding. */
const LEAST_PX = 3

/**
 * How far the article moved between two moments: the share of the viewport that moved times the
 * distance, as a share of its longer side (the formula of
 * https://web.dev/articles/cls, over our own blocks). What was pushed out of sight counts as moved
 * to the edge.
 */
export function movementBetween(before: Moment, after: Moment): number {
  const { height, width } = after
  const was = new Map(before.blocks.map((block) => [block.key, block]))
  let [area, distance] = [0, 0]
  for (const block of after.blocks) {
    const old = was.get(block.key)
    if (old === undefined || (old.visibleHeight === 0 && block.visibleHeight === 0)) continue
    const moved = Math.max(Math.abs(block.y - old.y), Math.abs(block.x - old.x))
    if (moved < LEAST_PX) continue
    area += Math.min(height, Math.max(block.visibleHeight, old.visibleHeight) + moved) * block.width
    distance = Math.max(distance, moved)
  }
  return Math.min(1, area / (height * width)) * Math.min(1, distance / Math.max(height, width))
}
