import type { Area, Size } from './area.ts'
import { widthOfNumber } from './digits.ts'

/** A badge, in pixels of the picture. */
export interface Badge extends Area {
  number: number
}

export const BADGE_HEIGHT = 20
const PADDING = 7
const GAP = 2
/**
 * Places that are tried for one badge; where hundreds lie on each other the last ones may cover
 * others.
 */
const MOST_TRIES = 120

/**
 * Badges at the top left of their areas: just above them where there is room, moved to the right,
 * then down, off those that are there already. The first ones come nearest to their areas.
 */
export function placeBadges(
  marks: readonly { number: number; area: Area }[],
  picture: Size & { scale: number }
): Badge[] {
  const placed: Badge[] = []
  for (const { number, area } of marks) placed.push(placeOne({ number, area }, picture, placed))
  return placed
}

function placeOne(
  { number, area }: { number: number; area: Area },
  picture: Size & { scale: number },
  placed: readonly Badge[]
): Badge {
  const height = Math.round(BADGE_HEIGHT * picture.scale)
  const width = Math.max(height, Math.round((widthOfNumber(number) + 2 * PADDING) * picture.scale))
  const home = {
    left: within(area.left, picture.width - width),
    top: within(area.top >= height ? area.top - height : area.top, picture.height - height)
  }
  let { left, top } = home
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const candidate = { number, left, top, width, height }
    const other = placed.find((badge) => overlap(badge, candidate))
    if (other === undefined) return candidate
    left = other.left + other.width + GAP
    if (left + width <= picture.width) continue
    left = home.left
    top = other.top + other.height + GAP
    if (top + height > picture.height) break
  }
  return { number, ...home, width, height }
}

const within = (value: number, most: number): number => Math.max(0, Math.min(value, most))

const overlap = (a: Area, b: Area): boolean =>
  a.left < b.left + b.width && b.left < a.left + a.width && a.top < b.top + b.height && b.top < a.top + a.height
