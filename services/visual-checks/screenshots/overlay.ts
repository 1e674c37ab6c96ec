import type { Severity } from '../../../schemas/visual-check.ts'
import type { Area, Canvas } from './geometry.ts'

/** The outline of one place. `number` null: without a badge. */
export interface Mark {
  number: number | null
  severity: Severity
  area: Area
}

/** White digits on these colors have a contrast of at least 4.5:1 (WCAG 2.2, 1.4.3). */
export const SEVERITY_COLORS: Readonly<Record<Severity, string>> = {
  critical: '#b3001b',
  high: '#b93a00',
  medium: '#7d5a00',
  low: '#1d4ed8',
  info: '#475569'
}
const LINE_PX = 3

/**
 * Renders outlines and numbered badges as an SVG of the image's size. The first marks are on top.
 * White lines separate outlines and badges from dark pages.
 */
export function renderOverlay(marks: readonly Mark[], canvas: Canvas): Buffer {
  const numbered = marks.filter((mark): mark is Mark & { number: number } => mark.number !== null)
  const badges = placeBadges(numbered, canvas)
  const outlines = marks.map((mark) => renderOutline(mark, canvas)).reverse()
  const numbers = badges.map((badge, at) => renderBadge(badge, numbered[at]!.severity)).reverse()
  const size = `width="${canvas.width}" height="${canvas.height}"`
  return Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" ${size}>${outlines.join('')}${numbers.join('')}</svg>`)
}

/** The outline surrounds the area without crossing letters, but stays inside the image. */
function renderOutline({ severity, area }: Mark, { width, height, scale }: Canvas): string {
  const line = Math.max(1, Math.round(LINE_PX * scale))
  const left = Math.max(0, area.left - line)
  const top = Math.max(0, area.top - line)
  const right = Math.min(width, area.left + area.width + line)
  const bottom = Math.min(height, area.top + area.height + line)
  const getBounds = (inset: number) =>
    `x="${left + inset}" y="${top + inset}" width="${right - left - 2 * inset}" height="${bottom - top - 2 * inset}"`
  const color = SEVERITY_COLORS[severity]
  const halo = `<rect ${getBounds(-0.5)} fill="none" stroke="#fff" stroke-opacity=".85"/>`
  const style = `fill="${color}" fill-opacity=".07" stroke="${color}" stroke-width="${line}"`
  return `${halo}<rect ${getBounds(line / 2)} ${style}/>`
}

function renderBadge({ number, left, top, width, height }: Badge, severity: Severity): string {
  const unit = height / BADGE_HEIGHT
  const x = (left + (width - getNumberWidth(number) * unit) / 2).toFixed(1)
  const y = (top + (height - DIGIT_HEIGHT * unit) / 2).toFixed(1)
  const bounds = `x="${left + 0.5}" y="${top + 0.5}" width="${width - 1}" height="${height - 1}" rx="${height / 4}"`
  const pill = `<rect ${bounds} fill="${SEVERITY_COLORS[severity]}" stroke="#fff"/>`
  return `${pill}<g transform="translate(${x} ${y}) scale(${unit.toFixed(2)})">${renderNumber(number)}</g>`
}

/** A badge, in image pixels. */
export interface Badge extends Area {
  number: number
}

const BADGE_HEIGHT = 20
const BADGE_PADDING = 7
const BADGE_GAP = 2
/** After this many positions a badge may cover others: hundreds of marks may overlap. */
const MAX_POSITIONS = 120

/**
 * Places badges at the top left corners of their areas: above if there is space, otherwise inside.
 * Badges that would cover earlier ones move right, then down.
 */
export function placeBadges(marks: readonly { number: number; area: Area }[], canvas: Canvas): Badge[] {
  const placed: Badge[] = []
  for (const { number, area } of marks) placed.push(placeBadge({ number, area }, canvas, placed))
  return placed
}

function placeBadge({ number, area }: { number: number; area: Area }, canvas: Canvas, placed: readonly Badge[]): Badge {
  const height = Math.round(BADGE_HEIGHT * canvas.scale)
  const width = Math.max(height, Math.round((getNumberWidth(number) + 2 * BADGE_PADDING) * canvas.scale))
  const home = {
    left: clamp(area.left, canvas.width - width),
    top: clamp(area.top >= height ? area.top - height : area.top, canvas.height - height)
  }
  let { left, top } = home
  for (let position = 0; position < MAX_POSITIONS; position++) {
    const candidate = { number, left, top, width, height }
    const other = placed.find((badge) => overlaps(badge, candidate))
    if (other === undefined) return candidate
    left = other.left + other.width + BADGE_GAP
    if (left + width <= canvas.width) continue
    left = home.left
    top = other.top + other.height + BADGE_GAP
    if (top + height > canvas.height) break
  }
  return { number, ...home, width, height }
}

const clamp = (value: number, max: number): number => Math.max(0, Math.min(value, max))

const overlaps = (a: Area, b: Area): boolean =>
  a.left < b.left + b.width && b.left < a.left + a.width && a.top < b.top + b.height && b.top < a.top + a.height

/** The digits as strokes, 6 × 10 each: numbers do not require a font on the machine. */
const DIGITS = [
  'M3 0C.9 0 0 2.2 0 5S.9 10 3 10 6 7.8 6 5 5.1 0 3 0Z',
  'M.8 2.2 3.6 0V10',
  'M.2 2.7C.2 1.1 1.4 0 3 0S5.8 1.1 5.8 2.7C5.8 5.2.2 7 .2 10H6',
  'M.3 1.2C1 .4 2 0 3 0 4.6 0 5.6 1 5.6 2.4 5.6 4 4.4 4.8 2.4' +
    ' 4.8 4.6 4.8 6 5.8 6 7.4 6 9 4.8 10 3 10 1.8 10 .7 9.6 0 8.7',
  'M4.5 10V0L0 7H6',
  'M5.5 0H1L.6 4.6C1.2 4 2 3.7 2.9 3.7 4.8 3.7 6 5 6 6.8 6 8.8 4.7 10 2.8 10 1.6 10 .6 9.5 0 8.7',
  'M5.2.6C4.6.2 4 0 3.3 0 1.2 0 0 2.2 0 5.6 0 8.4 1.1 10 3 10' +
    ' 4.8 10 6 8.7 6 6.9 6 5.1 4.8 3.9 3.1 3.9 1.6 3.9.4 4.9 0 6.4',
  'M0 0H6L2.2 10',
  'M3 4.7C1.5 4.7.5 3.7.5 2.4.5 1 1.5 0 3 0S5.5 1 5.5 2.4C5.5 3.7 4.5 4.7 3 4.7Z' +
    'M3 4.7C1.2 4.7 0 5.8 0 7.3 0 8.9 1.2 10 3 10S6 8.9 6 7.3C6 5.8 4.8 4.7 3 4.7Z',
  'M.8 9.4C1.4 9.8 2 10 2.7 10 4.8 10 6 7.8 6 4.4 6 1.6 4.9 0 3 0' +
    ' 1.2 0 0 1.3 0 3.1 0 4.9 1.2 6.1 2.9 6.1 4.4 6.1 5.6 5.1 6 3.6'
]
/** The distance between the left edges of two digits. */
const DIGIT_STEP = 8.4
const DIGIT_WIDTH = 6
const DIGIT_HEIGHT = 10

export const getNumberWidth = (number: number): number =>
  String(number).length * DIGIT_STEP - (DIGIT_STEP - DIGIT_WIDTH)

/** Renders a non-negative integer in white, 10 high, with its top left corner at 0, 0. */
export function renderNumber(number: number): string {
  const paths = [...String(number)].map(
    (digit, at) => `<path transform="translate(${(at * DIGIT_STEP).toFixed(1)} 0)" d="${DIGITS[Number(digit)] ?? ''}"/>`
  )
  const style = 'fill="none" stroke="#fff" stroke-width="1.7" stroke-linecap="round" stroke-linejoin="round"'
  return `<g ${style}>${paths.join('')}</g>`
}
