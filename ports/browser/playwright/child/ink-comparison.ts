/**
 * How strongly each pixel of an area is painted with glyphs, row by row: 0 (background) to 255. On an
 * edge of a glyph, the share of the pixel that the glyph covers.
 */
export interface InkMask {
  width: number
  height: number
  ink: Uint8Array
}

/** An area in whole pixels. */
export interface InkArea {
  left: number
  top: number
  right: number
  bottom: number
}

export interface InkDifference {
  /** Ink of the page that the reference does not have, as a share of the reference's ink. */
  extra: number
  /** Ink of the reference that the page does not have. */
  missing: number
  /** Pearson's correlation of both. */
  correlation: number
  /** A thin line runs through the glyphs: some rows differ, and all others are the same. */
  isCrossed: boolean
  /** How much heavier or lighter the strokes are, with equally strong ink: 1 is the same weight. */
  weight: number
  /** The ink of the reference, in fully painted pixels. */
  ink: number
}

/** The largest shift, in pixels, at which two words are still the same. */
const MAX_SHIFT = 2
/**
 * The difference of all pixels, as a share of the ink, up to which words are the same without a
 * closer look. Words at the same place have nearly the same pixels.
 */
const SAME = 0.04
/** Differences of a pixel up to this value (of 255) are due to another position within the pixel. */
const DEAD_ZONE = 24
/**
 * Text may be lighter than in the reference, for example through its opacity. Whether it is still
 * legible is a question of contrast. Below this share, it is missing.
 */
const MIN_GAIN = 0.2
const MAX_GAIN = 1.15
/** Of 255. Weaker ink is that of a glow. */
const STRONG_INK = 128
/** Less ink, in pixels, is too little to compare, such as a dot. */
const MIN_INK = 4
const MIN_INK_AT_HALF = MIN_INK / 4
/** The rows that a thin line changes. */
const MAX_LINE_ROWS = 4
/** The share of a row's ink that differs where a line covers it. */
const MIN_ROW_DIFFERENCE = 0.3
/** The share of all ink by which the other rows may differ. */
const MAX_OTHER_ROWS = 0.05

/**
 * Compares the ink of a page with that of its reference in an area. Neutral to the strength of the
 * ink, and to shifts of up to 2 pixels. Null if the reference has hardly any ink there.
 */
export function compareInk(page: InkMask, reference: InkMask, area: InkArea): InkDifference | null {
  const inside = clip(area, reference)
  const total = sumOf(reference, inside)
  if (total < MIN_INK * 255) return null
  const ink = total / 255
  const exact = { area: inside, dx: 0, dy: 0, gain: gainOf(page, reference, { area: inside, dx: 0, dy: 0 }) }
  if (exact.gain >= MIN_GAIN && differenceOf(page, reference, exact) <= SAME * total) {
    return { extra: 0, missing: 0, correlation: 1, isCrossed: isCrossed(page, reference, exact), weight: 1, ink }
  }
  const placement = bestPlacement(page, reference, { area: inside, maxShift: MAX_SHIFT })
  if (placement.gain < MIN_GAIN) return { extra: 0, missing: 1, correlation: 0, isCrossed: false, weight: 0, ink }
  return {
    ...measureAt(page, reference, placement),
    isCrossed: isCrossed(page, reference, placement),
    weight: weightOf(page, reference, placement),
    ink
  }
}

/**
 * Whether both have the same ink at the same place, up to its strength. Null if the reference has
 * hardly any ink there.
 */
export function isSameInk(page: InkMask, reference: InkMask, area: InkArea): boolean | null {
  const inside = clip(area, reference)
  const total = sumOf(reference, inside)
  if (total < MIN_INK * 255) return null
  const placement = { area: inside, dx: 0, dy: 0, gain: gainOf(page, reference, { area: inside, dx: 0, dy: 0 }) }
  return (
    placement.gain >= MIN_GAIN &&
    differenceOf(page, reference, placement) <= SAME * total &&
    !isCrossed(page, reference, placement)
  )
}

/** What is left of a difference at half the size, where glyphs at other parts of a pixel differ more. */
export interface CoarseDifference {
  /** Pearson's correlation of both, at the best shift of up to a pixel. */
  correlation: number
  /** The ink that only one of them has, as a share of that of the reference. */
  ink: number
  isCrossed: boolean
  /** The sum of the page's ink with the strength of the reference, by that of the reference: more if it is spread. */
  spread: number
}

/**
 * Compares captures at half the size. Null if the reference has hardly any ink in the area, and `same` if
 * both are the same.
 */
export function compareCoarsely(page: InkMask, reference: InkMask, area: InkArea): CoarseDifference | 'same' | null {
  const inside = clip(area, reference)
  const total = sumOf(reference, inside)
  if (total < MIN_INK_AT_HALF * 255) return null
  const exact = { area: inside, dx: 0, dy: 0 }
  const gain = gainOf(page, reference, exact)
  if (gain >= MIN_GAIN && differenceOf(page, reference, { ...exact, gain }) <= SAME * total) {
    if (!isCrossed(page, reference, { ...exact, gain })) return 'same'
  }
  const best = bestPlacement(page, reference, { area: inside, maxShift: 1 })
  if (best.gain < MIN_GAIN) return { correlation: 0, ink: 1, isCrossed: false, spread: 0 }
  const { extra, missing, correlation } = measureAt(page, reference, best)
  const shown = sumOf(page, {
    left: inside.left + best.dx,
    right: inside.right + best.dx,
    top: inside.top + best.dy,
    bottom: inside.bottom + best.dy
  })
  return {
    correlation,
    ink: Math.max(extra, missing),
    isCrossed: isCrossed(page, reference, best),
    spread: shown / best.gain / total
  }
}

/**
 * How far the ink of the page is from that of the reference, in fractions of pixels: the distance of
 * their centers. Null if both are at the same place, or have too little ink.
 */
export function displacementOf(page: InkMask, reference: InkMask, area: InkArea): { dx: number; dy: number } | null {
  const inside = clip(area, reference)
  const total = sumOf(reference, inside)
  const gain = gainOf(page, reference, { area: inside, dx: 0, dy: 0 })
  if (total < MIN_INK * 255) return null
  if (gain >= MIN_GAIN && differenceOf(page, reference, { area: inside, dx: 0, dy: 0, gain }) <= SAME * total) {
    return null
  }
  const wide = { left: area.left - 1, right: area.right + 1, top: area.top - 1, bottom: area.bottom + 1 }
  const [one, other] = [centerOf(page, clip(wide, page)), centerOf(reference, clip(wide, reference))]
  return one === null || other === null ? null : { dx: one.x - other.x, dy: one.y - other.y }
}

function centerOf({ width, ink }: InkMask, { left, top, right, bottom }: InkArea): { x: number; y: number } | null {
  let [sum, sumX, sumY] = [0, 0, 0]
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) {
      const value = ink[y * width + x]!
      sum += value
      sumX += value * x
      sumY += value * y
    }
  }
  return sum < MIN_INK * 255 ? null : { x: sumX / sum, y: sumY / sum }
}

interface Placement {
  area: InkArea
  /** The page's pixel at x + dx, y + dy belongs to the reference's pixel at x, y. */
  dx: number
  dy: number
  gain: number
}

/** The area without what lies at the edges of the mask, so that it can be shifted. */
const clip = ({ left, top, right, bottom }: InkArea, { width, height }: InkMask): InkArea => ({
  left: Math.max(MAX_SHIFT, left),
  top: Math.max(MAX_SHIFT, top),
  right: Math.min(width - MAX_SHIFT, right),
  bottom: Math.min(height - MAX_SHIFT, bottom)
})

function sumOf({ width, ink }: InkMask, { left, top, right, bottom }: InkArea): number {
  let sum = 0
  for (let y = top; y < bottom; y++) for (let at = y * width + left; at < y * width + right; at++) sum += ink[at]!
  return sum
}

/** Sums of the products and squares of the ink of both sides. */
function productsOf(
  page: InkMask,
  reference: InkMask,
  { area: { left, top, right, bottom }, dx, dy }: Omit<Placement, 'gain'>
): { both: number; page: number; reference: number } {
  const { width } = reference
  let [both, ofPage, ofReference] = [0, 0, 0]
  for (let y = top; y < bottom; y++) {
    for (let at = y * width + left, other = at + dy * width + dx; at < y * width + right; at++, other++) {
      const [own, shown] = [reference.ink[at]!, page.ink[other]!]
      both += own * shown
      ofPage += shown * shown
      ofReference += own * own
    }
  }
  return { both, page: ofPage, reference: ofReference }
}

/** The factor by which the page's ink fits the reference's best (least squares), within limits. */
function gainOf(page: InkMask, reference: InkMask, placement: Omit<Placement, 'gain'>): number {
  const products = productsOf(page, reference, placement)
  return Math.min(MAX_GAIN, products.both / (products.reference || 1))
}

/** The sum of the differences of all pixels. */
function differenceOf(page: InkMask, reference: InkMask, { area, dx, dy, gain }: Placement): number {
  const { width } = reference
  const factor = 1 / Math.max(MIN_GAIN, gain)
  let sum = 0
  for (let y = area.top; y < area.bottom; y++) {
    for (let at = y * width + area.left, other = at + dy * width + dx; at < y * width + area.right; at++, other++) {
      sum += Math.abs(Math.min(255, page.ink[other]! * factor) - reference.ink[at]!)
    }
  }
  return sum
}

/** The shift at which both are most similar; of equal ones, the shortest. */
function bestPlacement(
  page: InkMask,
  reference: InkMask,
  { area, maxShift }: { area: InkArea; maxShift: number }
): Placement {
  let best = { area, dx: 0, dy: 0, gain: 0 }
  let highest = 0
  for (let dy = -maxShift; dy <= maxShift; dy++) {
    for (let dx = -maxShift; dx <= maxShift; dx++) {
      const products = productsOf(page, reference, { area, dx, dy })
      const similarity = products.both / (Math.sqrt(products.page * products.reference) || 1)
      const isShorter = Math.hypot(dx, dy) < Math.hypot(best.dx, best.dy)
      if (similarity > highest + 1e-9 || (similarity > highest - 1e-9 && isShorter)) {
        highest = similarity
        best = { area, dx, dy, gain: Math.min(MAX_GAIN, products.both / (products.reference || 1)) }
      }
    }
  }
  return best
}

/** Ink that the other side does not have within one pixel, and the correlation of both. */
function measureAt(
  page: InkMask,
  reference: InkMask,
  { area, dx, dy, gain }: Placement
): Pick<InkDifference, 'extra' | 'missing' | 'correlation'> {
  const { width } = reference
  const [factor, shift] = [1 / gain, dy * width + dx]
  let [extra, missing] = [0, 0]
  let [sumA, sumB, squaresA, squaresB, products, count] = [0, 0, 0, 0, 0, 0]
  for (let y = area.top; y < area.bottom; y++) {
    for (let at = y * width + area.left; at < y * width + area.right; at++) {
      const [a, b] = [Math.min(255, page.ink[at + shift]! * factor), reference.ink[at]!]
      if (a - b > DEAD_ZONE) extra += Math.max(0, a - highestAround(reference, at) - DEAD_ZONE)
      else if (b - a > DEAD_ZONE) {
        missing += Math.max(0, b - Math.min(255, highestAround(page, at + shift) * factor) - DEAD_ZONE)
      }
      sumA += a
      sumB += b
      squaresA += a * a
      squaresB += b * b
      products += a * b
      count += 1
    }
  }
  const covariance = products - (sumA * sumB) / count
  const deviations = Math.sqrt((squaresA - sumA ** 2 / count) * (squaresB - sumB ** 2 / count))
  return { extra: extra / sumB, missing: missing / sumB, correlation: deviations === 0 ? 0 : covariance / deviations }
}

/**
 * The strong ink of the page by that of the reference. Text that is lighter as a whole has the same weight,
 * and so has text with a faint glow.
 */
function weightOf(page: InkMask, reference: InkMask, { area, dx, dy }: Placement): number {
  const { width } = reference
  const darkestOf = ({ ink }: InkMask, shift: number): number => {
    let darkest = 1
    for (let y = area.top; y < area.bottom; y++) {
      for (let at = y * width + area.left; at < y * width + area.right; at++) {
        if (ink[at + shift]! > darkest) darkest = ink[at + shift]!
      }
    }
    return darkest
  }
  const shift = dy * width + dx
  const strength = Math.min(1, darkestOf(page, shift) / darkestOf(reference, 0))
  let [own, shown] = [0, 0]
  for (let y = area.top; y < area.bottom; y++) {
    for (let at = y * width + area.left; at < y * width + area.right; at++) {
      const [a, b] = [reference.ink[at]!, page.ink[at + shift]! / strength]
      if (a >= STRONG_INK) own += a
      if (b >= STRONG_INK) shown += Math.min(255, b)
    }
  }
  return own === 0 ? 1 : shown / own
}

/** The highest value of a pixel and its eight neighbors. */
function highestAround({ width, ink }: InkMask, at: number): number {
  let highest = 0
  for (const row of [at - width, at, at + width]) {
    for (let one = row - 1; one <= row + 1; one++) if (ink[one]! > highest) highest = ink[one]!
  }
  return highest
}

/**
 * Whether a thin line runs through the glyphs, in their color or in another one: up to four adjacent
 * rows have much more or much less ink than in the reference, and all others the same.
 */
function isCrossed(page: InkMask, reference: InkMask, { area, dx, dy, gain }: Placement): boolean {
  const { width } = reference
  const rows: { own: number; difference: number }[] = []
  for (let y = area.top; y < area.bottom; y++) {
    let [own, shown] = [0, 0]
    for (let at = y * width + area.left; at < y * width + area.right; at++) {
      own += reference.ink[at]!
      shown += Math.min(255, page.ink[at + dy * width + dx]! / gain)
    }
    rows.push({ own, difference: Math.abs(shown - own) })
  }
  const total = rows.reduce((sum, { own }) => sum + own, 0)
  const typical = total / Math.max(1, rows.filter(({ own }) => own > 0).length)
  const different = rows.flatMap(({ own, difference }, y) =>
    difference > MIN_ROW_DIFFERENCE * Math.max(own, typical) ? [y] : []
  )
  const rest = rows.reduce((sum, { difference }, y) => sum + (different.includes(y) ? 0 : difference), 0)
  const [first, last] = [different[0], different.at(-1)]
  return (
    first !== undefined &&
    last! - first < MAX_LINE_ROWS &&
    // At the edges, glyphs of other lines reach into the area.
    first > rows.length * 0.2 &&
    last! < rows.length * 0.85 &&
    rest < MAX_OTHER_ROWS * total
  )
}
