import type { ImageAppearance } from '../../port/media-snapshot.ts'
import type { PictureArea } from './page/reference-pictures.ts'
import { readColors, type Capture } from './reference-captures.ts'

/** Frames, rounded corners and buttons are at the edges: this share of each side is not compared. */
const EDGE_SHARE = 0.12
/** If less of a picture is in the capture, it is not compared. */
const MIN_CAPTURED_SHARE = 0.6
/** A picture is compared in about this many columns. Fewer pixels hide different ways of scaling a file. */
const COLUMNS = 160
/** The standard deviation of the lightness (of 255) below which a picture shows nothing to compare. */
const MIN_DEVIATION = 8

/** A picture is compared in up to this many parts in each direction. */
const PARTS = 5
/** The deviation of a part, relative to that of the picture, below which it shows nothing to compare. */
const MIN_PART_DEVIATION = 0.15
/** Below this correlation, a part shows something else. */
const MIN_PART_CORRELATION = 0.4
/**
 * A faint pattern over a picture, such as the lines of a screen, drowns the structure of its even parts. It differs
 * by less than this, relative to the deviation of the picture, and disappears in the means of some cells.
 */
const MAX_PATTERN = 0.6
const PATTERN_CELLS = 4

/** Below this contrast, relative to that of the file, all channels are compared. */
const FAINT = 0.3
/** Of the parts. From this share on, the lightness of the picture is compared. */
const IN_DOUBT = 0.15
/** How much the channels contribute to the lightness of a gray picture (CSS Filter Effects 1). */
const LIGHTNESS = [0.2126, 0.7152, 0.0722] as const

/**
 * Compares pictures in green, which is close to the lightness. A site may tint them, so that hardly any contrast is
 * left in green: then the channel with the most contrast counts. Or it may show them in gray or in one hue: then their
 * lightness is that of the file, whatever its colors are.
 */
export async function comparePictures<Key>(
  page: Capture,
  drawing: Capture,
  areas: readonly (readonly [Key, NonNullable<PictureArea>])[]
): Promise<Map<Key, ImageAppearance>> {
  const found = new Map<Key, ImageAppearance>()
  for (const [key, area] of areas) {
    const appearance = comparePicture(page, drawing, area)
    if (appearance === null) continue
    found.set(key, appearance)
    if (appearance.contrast >= FAINT && (appearance.differentShare ?? 0) < IN_DOUBT) continue
    const gray = comparePicture(await lightnessOf(page), await lightnessOf(drawing), area)
    if (gray !== null && gray.contrast >= FAINT && isMoreAlike(gray, appearance)) {
      found.set(key, gray)
      continue
    }
    if (appearance.contrast >= FAINT) continue
    for (const channel of [0, 2] as const) {
      const other = comparePicture(await channelOf(page, channel), await channelOf(drawing, channel), area)
      if (other !== null && other.contrast > found.get(key)!.contrast) found.set(key, other)
    }
  }
  return found
}

const isMoreAlike = (one: ImageAppearance, other: ImageAppearance): boolean =>
  one.correlation > other.correlation && (one.differentShare ?? 0) <= (other.differentShare ?? 0)

/** A capture of the lightness in place of green. */
async function lightnessOf(one: Capture): Promise<Capture> {
  const colors = await readColors(one)
  const pixels = new Uint8Array(colors.length / 3)
  for (let at = 0; at < pixels.length; at++) {
    pixels[at] = Math.round(LIGHTNESS.reduce((sum, share, channel) => sum + share * colors[at * 3 + channel]!, 0))
  }
  return { ...one, channels: 1, pixels }
}

/** A capture of red (0) or blue (2) in place of green. */
async function channelOf(one: Capture, channel: 0 | 2): Promise<Capture> {
  const colors = await readColors(one)
  const pixels = new Uint8Array(colors.length / 3)
  for (let at = 0; at < pixels.length; at++) pixels[at] = colors[at * 3 + channel]!
  return { ...one, channels: 1, pixels }
}

/**
 * Compares the pixels that a page shows of a picture with those of its file, drawn at the same place. Null
 * if too little of it was captured, or if the file has hardly any contrast.
 */
export function comparePicture(
  page: Capture,
  drawing: Capture,
  area: NonNullable<PictureArea>
): ImageAppearance | null {
  const { clip } = drawing
  const [edgeX, edgeY] = [area.width * EDGE_SHARE, area.height * EDGE_SHARE]
  const left = Math.max(0, Math.ceil(area.x + edgeX - clip.x))
  const top = Math.max(0, Math.ceil(area.y + edgeY - clip.y))
  const right = Math.min(clip.width, Math.floor(area.x + area.width - edgeX - clip.x))
  const bottom = Math.min(clip.height, Math.floor(area.y + area.height - edgeY - clip.y))
  const inner = (area.width - 2 * edgeX) * (area.height - 2 * edgeY)
  if (right <= left || bottom <= top || (right - left) * (bottom - top) < MIN_CAPTURED_SHARE * inner) return null
  const cell = Math.max(1, Math.round((right - left) / COLUMNS))
  const window = {
    left,
    top,
    cell,
    columns: Math.floor((right - left) / cell),
    rows: Math.floor((bottom - top) / cell)
  }
  if (window.columns < 8 || window.rows < 8) return null
  const [shown, file] = [averagesOf(page, window), averagesOf(drawing, window)]
  const [own, other] = [deviationOf(file), deviationOf(shown)]
  if (own < MIN_DEVIATION) return null
  const contrast = other / own
  const steps = stepsOf(shown, window.columns) / (stepsOf(file, window.columns) || 1)
  return {
    correlation: round(correlationOf(shown, file)),
    differentShare: round(differentShareOf(shown, file, window)),
    contrast: round(contrast),
    sharpness: round(contrast === 0 ? 0 : steps / contrast)
  }
}

interface Window {
  left: number
  top: number
  /** The width and the height of a cell in pixels. */
  cell: number
  columns: number
  rows: number
}

/** The mean of each cell: of the green channel, or of the only one. */
function averagesOf({ clip, channels, pixels }: Capture, { left, top, cell, columns, rows }: Window): number[] {
  const channel = channels === 3 ? 1 : 0
  return Array.from({ length: columns * rows }, (_, at) => {
    const [x, y] = [left + (at % columns) * cell, top + Math.floor(at / columns) * cell]
    let sum = 0
    for (let row = y; row < y + cell; row++) {
      for (let column = x; column < x + cell; column++) sum += pixels[(row * clip.width + column) * channels + channel]!
    }
    return sum / cell ** 2
  })
}

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

function deviationOf(values: readonly number[]): number {
  const mean = meanOf(values)
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length)
}

/**
 * The share of the parts of a picture that show something else than the file: another structure, or none. The
 * parts are alike in a picture with other colors, but not in one of which a part was cut out, moved or covered.
 */
function differentShareOf(
  shown: readonly number[],
  file: readonly number[],
  { columns, rows }: Pick<Window, 'columns' | 'rows'>
): number {
  const [own, other] = [deviationOf(file), deviationOf(shown)]
  const [across, down] = [Math.min(PARTS, columns >> 2), Math.min(PARTS, rows >> 2)]
  let [compared, different] = [0, 0]
  for (let part = 0; part < across * down; part++) {
    const [x, y] = [part % across, Math.floor(part / across)]
    const cells: number[] = []
    const [from, to] = [Math.floor((x * columns) / across), Math.floor(((x + 1) * columns) / across)]
    for (let row = Math.floor((y * rows) / down); row < Math.floor(((y + 1) * rows) / down); row++) {
      for (let column = from; column < to; column++) cells.push(row * columns + column)
    }
    const [here, there] = [cells.map((at) => shown[at]!), cells.map((at) => file[at]!)]
    const [deviationHere, deviationThere] = [deviationOf(here) / (other || 1), deviationOf(there) / own]
    if (Math.max(deviationHere, deviationThere) < MIN_PART_DEVIATION) continue
    compared += 1
    if (correlationOf(here, there) >= MIN_PART_CORRELATION) continue
    const rest = deviationOf(here.map((value, index) => value - there[index]!)) / own
    const [coarseHere, coarseThere] = [meansOf(here, to - from), meansOf(there, to - from)]
    const areEven = Math.max(deviationOf(coarseHere), deviationOf(coarseThere)) < MIN_PART_DEVIATION * own
    const isPattern = areEven || correlationOf(coarseHere, coarseThere) >= MIN_PART_CORRELATION
    if (rest < MAX_PATTERN && isPattern) continue
    // A smooth shade over the picture is a slope in each of its parts.
    const [levelHere, levelThere] = [withoutSlope(here, to - from), withoutSlope(there, to - from)]
    const isEven =
      deviationOf(levelHere) < MIN_PART_DEVIATION * (other || 1) && deviationOf(levelThere) < MIN_PART_DEVIATION * own
    if (!isEven && correlationOf(levelHere, levelThere) < MIN_PART_CORRELATION) different += 1
  }
  return compared === 0 ? 0 : different / compared
}

/** Cells without the plane that fits them best. */
function withoutSlope(cells: readonly number[], columns: number): number[] {
  const rows = cells.length / columns
  const fit = (positionOf: (at: number) => number, count: number): number => {
    const middle = (count - 1) / 2
    const variance = (count ** 2 - 1) / 12
    const covariance = cells.reduce((sum, value, at) => sum + value * (positionOf(at) - middle), 0) / cells.length
    return variance === 0 ? 0 : covariance / variance
  }
  const columnOf = (at: number): number => at % columns
  const rowOf = (at: number): number => Math.floor(at / columns)
  const [acrossSlope, downSlope] = [fit(columnOf, columns), fit(rowOf, rows)]
  return cells.map((value, at) => value - acrossSlope * columnOf(at) - downSlope * rowOf(at))
}

/** The means of squares of neighboring cells, of which each row has a number of `columns`. */
function meansOf(cells: readonly number[], columns: number): number[] {
  const squareOf = (at: number): number =>
    Math.floor(at / columns / PATTERN_CELLS) * columns + Math.floor((at % columns) / PATTERN_CELLS)
  return [...Map.groupBy(cells.keys(), squareOf).values()].map((group) => meanOf(group.map((at) => cells[at]!)))
}

/** Pearson's correlation. 0 if one side has no contrast. */
function correlationOf(one: readonly number[], other: readonly number[]): number {
  const [meanOne, meanOther] = [meanOf(one), meanOf(other)]
  const covariance = one.reduce((sum, value, at) => sum + (value - meanOne) * (other[at]! - meanOther), 0) / one.length
  return covariance / (deviationOf(one) * deviationOf(other) || Infinity)
}

/** The mean step between cells beside each other. */
function stepsOf(values: readonly number[], columns: number): number {
  let sum = 0
  for (let at = 1; at < values.length; at++) if (at % columns > 0) sum += Math.abs(values[at]! - values[at - 1]!)
  return sum / values.length
}

const round = (value: number): number => Math.round(value * 100) / 100
