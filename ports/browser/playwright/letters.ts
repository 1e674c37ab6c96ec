import { contrastOf, laidOn, type Color } from './page/colors.ts'

/**
 * The same place twice, the red, green and blue of each dot, row by row: as it is (null where that
 * was not looked at), and without letters.
 */
export interface Shots {
  width: number
  drawn: Uint8Array | null
  bare: Uint8Array
}

/** Where letters stand, in dots of the shots, and their color. */
export interface Line {
  x: number
  y: number
  width: number
  height: number
  color: Color
}

/**
 * `ink`: the share of the lines whose letters are drawn. `contrast`: of the letters and what is
 * under them; a quarter of them has no more. Null where it cannot be told.
 */
export interface Look {
  ink: number | null
  contrast: number | null
}

/**
 * Of 255, in any of the three colors. Two shots of the same thing are the same to the dot; what
 * differs less than this nobody sees.
 */
const DIFFERENT = 10
/** Of a line's dots: the thinnest letters take ten times as much. */
const LEAST_INK = 0.003
/** More are no letters: the ground itself has moved. */
const MOST_INK = 0.75
/**
 * Letters lose contrast at their edges, and thin ones have little else: only what is far too low
 * counts.
 */
const LEAST_DRAWN = 1.3
/**
 * Of 255, standard deviation: over a ground that is less even, something else may lie on the
 * letters.
 */
const EVEN = 16
/** Where letters that differ so much from their ground leave no trace, something lies over them. */
const TELLING = 1.5
const MOST_SAMPLES = 400

/** What two shots tell of the letters of some lines. Pure: the same dots give the same numbers. */
export function lookOf(shots: Shots, lines: readonly Line[]): Look {
  const looks = lines.map((line) => ({ ...lookOfLine(shots, line), area: line.width * line.height }))
  const known = looks.filter(({ isDrawn }) => isDrawn !== null)
  const sum = (some: typeof looks): number => some.reduce((total, { area }) => total + area, 0)
  return {
    ink: known.length === 0 ? null : sum(known.filter(({ isDrawn }) => isDrawn)) / sum(known),
    contrast: lowerQuarter(looks.flatMap(({ contrasts }) => contrasts))
  }
}

/** The colors that are under some lines, evenly spread. */
export function groundUnder({ width, bare }: Shots, lines: readonly Line[]): Color[] {
  return sampled(lines.flatMap((line) => dotsOf({ width, bare }, line))).map((dot) => colorAt(bare, dot))
}

/** The contrast that a quarter of letters of a color does not have more of on some ground. */
export function contrastOn(ground: readonly Color[], color: Color): number | null {
  return lowerQuarter(ground.map((under) => contrastOf(laidOn(color, under), under)))
}

const lowerQuarter = (values: number[]): number | null =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 4)] ?? null

interface LineLook {
  isDrawn: boolean | null
  contrasts: number[]
}

function lookOfLine(shots: Shots, line: Line): LineLook {
  const dots = dotsOf(shots, line)
  if (dots.length === 0) return { isDrawn: null, contrasts: [] }
  const ground = (dot: number): Color => colorAt(shots.bare, dot)
  const toGround = (dot: number): number => contrastOf(laidOn(line.color, ground(dot)), ground(dot))
  const { drawn, bare } = shots
  if (drawn === null) return { isDrawn: null, contrasts: sampled(dots).map(toGround) }
  const ink = dots.map((dot) => ({ dot, by: differenceAt(drawn, bare, dot) })).filter(({ by }) => by > DIFFERENT)
  if (ink.length > dots.length * MOST_INK) return { isDrawn: null, contrasts: [] }
  if (ink.length < dots.length * LEAST_INK) {
    const contrasts = sampled(dots).map(toGround)
    const isOne = contrasts.filter((contrast) => contrast < TELLING).length > contrasts.length * 0.75
    return { isDrawn: isEven(bare, dots) ? false : null, contrasts: isOne ? contrasts : [] }
  }
  const strongest = ink.toSorted((one, other) => other.by - one.by).slice(0, Math.ceil(ink.length / 10))
  const typical = strongest[strongest.length >> 1]!.dot
  return {
    isDrawn: contrastOf(colorAt(drawn, typical), ground(typical)) >= LEAST_DRAWN,
    contrasts: sampled(ink.map(({ dot }) => dot)).map(toGround)
  }
}

/** The places of a line's dots in the shots. */
function dotsOf({ width, bare }: Pick<Shots, 'width' | 'bare'>, line: Line): number[] {
  const height = bare.length / 3 / width
  const [left, right] = [Math.max(0, Math.floor(line.x)), Math.min(width, Math.ceil(line.x + line.width))]
  const [top, bottom] = [Math.max(0, Math.floor(line.y)), Math.min(height, Math.ceil(line.y + line.height))]
  const dots: number[] = []
  for (let row = top; row < bottom; row++) {
    for (let column = left; column < right; column++) dots.push(row * width + column)
  }
  return dots
}

function differenceAt(drawn: Uint8Array, bare: Uint8Array, dot: number): number {
  const at = dot * 3
  return Math.max(
    Math.abs(drawn[at]! - bare[at]!),
    Math.abs(drawn[at + 1]! - bare[at + 1]!),
    Math.abs(drawn[at + 2]! - bare[at + 2]!)
  )
}

const colorAt = (shot: Uint8Array, dot: number): Color => [shot[dot * 3]!, shot[dot * 3 + 1]!, shot[dot * 3 + 2]!, 1]
/** Evenly spread. */
const sampled = (dots: number[]): number[] => dots.filter((_, at) => at % Math.ceil(dots.length / MOST_SAMPLES) === 0)

function isEven(shot: Uint8Array, dots: number[]): boolean {
  const greens = sampled(dots).map((dot) => shot[dot * 3 + 1]!)
  const mean = greens.reduce((sum, green) => sum + green, 0) / greens.length
  return Math.sqrt(greens.reduce((sum, green) => sum + (green - mean) ** 2, 0) / greens.length) < EVEN
}
