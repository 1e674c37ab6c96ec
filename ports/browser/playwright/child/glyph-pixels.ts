import { blend, type Color, contrastRatio } from './page/colors.ts'

/**
 * Two screenshots of the same area, as the red, green and blue of each pixel, row by row: as it is
 * (null if not captured), and without glyphs.
 */
export interface ScreenshotPair {
  width: number
  painted: Uint8Array | null
  bare: Uint8Array
}

/** The box of a line of glyphs in pixels of the screenshots, and the color of the glyphs. */
export interface PixelLine {
  x: number
  y: number
  width: number
  height: number
  color: Color
}

export interface GlyphMeasurement {
  /** The share of the lines whose glyphs are painted. Null if unknown. */
  paintedShare: number | null
  /** The lower quartile of the contrasts of glyphs and background. Null if unknown. */
  contrast: number | null
}

/**
 * The smallest visible difference of a color channel, of 255. Two captures of the same content have
 * the same pixels.
 */
const MIN_DIFFERENCE = 10
/** The smallest share of a line's pixels that glyphs change. The thinnest fonts reach ten times it. */
const MIN_GLYPH_SHARE = 0.003
/** If more pixels change, the background has moved. */
const MAX_GLYPH_SHARE = 0.75
/** Antialiasing lowers the contrast of glyphs, mostly of thin ones. Only far lower values count. */
const MIN_PAINTED_CONTRAST = 1.3
/** The standard deviation (of 255) above which a background may hide glyphs by its own pattern. */
const MAX_EVEN_DEVIATION = 16
/** If glyphs with this contrast leave no trace, something covers them. */
const MIN_DETECTABLE_CONTRAST = 1.5
const MAX_SAMPLES = 400

/** Measures the glyphs of some lines. A pure function of the pixels. */
export function measureGlyphs(pair: ScreenshotPair, lines: readonly PixelLine[]): GlyphMeasurement {
  const measured = lines.map((line) => ({ ...measureLine(pair, line), area: line.width * line.height }))
  const known = measured.filter(({ isPainted }) => isPainted !== null)
  const sum = (some: typeof measured): number => some.reduce((total, { area }) => total + area, 0)
  return {
    paintedShare: known.length === 0 ? null : sum(known.filter(({ isPainted }) => isPainted)) / sum(known),
    contrast: lowerQuartile(measured.flatMap(({ contrasts }) => contrasts))
  }
}

/** Evenly spread samples of the background colors of some lines. */
export function backgroundUnder({ width, bare }: ScreenshotPair, lines: readonly PixelLine[]): Color[] {
  return sampled(lines.flatMap((line) => pixelsOf({ width, bare }, line))).map((pixel) => colorAt(bare, pixel))
}

/** The lower quartile of the contrasts of a text color on some background colors. */
export function contrastOn(background: readonly Color[], color: Color): number | null {
  return lowerQuartile(background.map((under) => contrastRatio(blend(color, under), under)))
}

const lowerQuartile = (values: number[]): number | null =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 4)] ?? null

interface LineMeasurement {
  isPainted: boolean | null
  contrasts: number[]
}

function measureLine(pair: ScreenshotPair, line: PixelLine): LineMeasurement {
  const pixels = pixelsOf(pair, line)
  if (pixels.length === 0) return { isPainted: null, contrasts: [] }
  const { painted, bare } = pair
  const background = (pixel: number): Color => colorAt(bare, pixel)
  const expectedContrast = (pixel: number): number =>
    contrastRatio(blend(line.color, background(pixel)), background(pixel))
  if (painted === null) return { isPainted: null, contrasts: sampled(pixels).map(expectedContrast) }
  const glyphs = pixels
    .map((pixel) => ({ pixel, difference: differenceAt(painted, bare, pixel) }))
    .filter(({ difference }) => difference > MIN_DIFFERENCE)
  if (glyphs.length > pixels.length * MAX_GLYPH_SHARE) return { isPainted: null, contrasts: [] }
  if (glyphs.length < pixels.length * MIN_GLYPH_SHARE) {
    const contrasts = sampled(pixels).map(expectedContrast)
    const isInvisible =
      contrasts.filter((contrast) => contrast < MIN_DETECTABLE_CONTRAST).length > contrasts.length * 0.75
    return { isPainted: isEven(bare, pixels) ? false : null, contrasts: isInvisible ? contrasts : [] }
  }
  const strongest = glyphs
    .toSorted((one, other) => other.difference - one.difference)
    .slice(0, Math.ceil(glyphs.length / 10))
  const typical = strongest[strongest.length >> 1]!.pixel
  return {
    isPainted: contrastRatio(colorAt(painted, typical), background(typical)) >= MIN_PAINTED_CONTRAST,
    contrasts: sampled(glyphs.map(({ pixel }) => pixel)).map(expectedContrast)
  }
}

/** The indexes of a line's pixels in the screenshots. */
function pixelsOf({ width, bare }: Pick<ScreenshotPair, 'width' | 'bare'>, line: PixelLine): number[] {
  const height = bare.length / 3 / width
  const [left, right] = [Math.max(0, Math.floor(line.x)), Math.min(width, Math.ceil(line.x + line.width))]
  const [top, bottom] = [Math.max(0, Math.floor(line.y)), Math.min(height, Math.ceil(line.y + line.height))]
  const pixels: number[] = []
  for (let row = top; row < bottom; row++) {
    for (let column = left; column < right; column++) pixels.push(row * width + column)
  }
  return pixels
}

function differenceAt(painted: Uint8Array, bare: Uint8Array, pixel: number): number {
  const at = pixel * 3
  return Math.max(
    Math.abs(painted[at]! - bare[at]!),
    Math.abs(painted[at + 1]! - bare[at + 1]!),
    Math.abs(painted[at + 2]! - bare[at + 2]!)
  )
}

const colorAt = (image: Uint8Array, pixel: number): Color => [
  image[pixel * 3]!,
  image[pixel * 3 + 1]!,
  image[pixel * 3 + 2]!,
  1
]

/** Evenly spread, at most `MAX_SAMPLES`. */
const sampled = (pixels: number[]): number[] =>
  pixels.filter((_, at) => at % Math.ceil(pixels.length / MAX_SAMPLES) === 0)

function isEven(image: Uint8Array, pixels: number[]): boolean {
  const greens = sampled(pixels).map((pixel) => image[pixel * 3 + 1]!)
  const mean = greens.reduce((sum, green) => sum + green, 0) / greens.length
  return Math.sqrt(greens.reduce((sum, green) => sum + (green - mean) ** 2, 0) / greens.length) < MAX_EVEN_DEVIATION
}
