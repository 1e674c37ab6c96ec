import type { Severity } from '../../../schemas/visual-check.ts'
import type { Area, Size } from './area.ts'
import { BADGE_HEIGHT, placeBadges, type Badge } from './badges.ts'
import { numberAsPaths, widthOfNumber } from './digits.ts'
import { SEVERITY_COLORS } from './severity-colors.ts'

/** What is drawn round one place; `number` null: no badge. */
export interface Mark {
  number: number | null
  severity: Severity
  area: Area
}

type Canvas = Size & { scale: number }

const LINE_PX = 3

/**
 * Boxes with numbers, as an SVG of the size of the picture. The first marks lie on top. A white
 * line round each box and badge keeps them apart from dark pages.
 */
export function overlaySvg(marks: readonly Mark[], canvas: Canvas): Buffer {
  const numbered = marks.filter((mark): mark is Mark & { number: number } => mark.number !== null)
  const badges = placeBadges(numbered, canvas)
  const boxes = marks.map((mark) => boxSvg(mark, canvas)).reverse()
  const numbers = badges.map((badge, place) => badgeSvg(badge, numbered[place]!.severity)).reverse()
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${canvas.width}" height="${canvas.height}">${boxes.join('')}${numbers.join('')}</svg>`
  )
}

/**
 * The line lies round the area, so that it crosses no letter; at the edges of the picture within
 * it.
 */
function boxSvg({ severity, area }: Mark, { width, height, scale }: Canvas): string {
  const line = Math.max(1, Math.round(LINE_PX * scale))
  const left = Math.max(0, area.left - line)
  const top = Math.max(0, area.top - line)
  const right = Math.min(width, area.left + area.width + line)
  const bottom = Math.min(height, area.top + area.height + line)
  const rect = (inset: number) =>
    `x="${left + inset}" y="${top + inset}" width="${right - left - 2 * inset}" height="${bottom - top - 2 * inset}"`
  const color = SEVERITY_COLORS[severity]
  return `<rect ${rect(-0.5)} fill="none" stroke="#fff" stroke-opacity=".85"/><rect ${rect(line / 2)} fill="${color}" fill-opacity=".07" stroke="${color}" stroke-width="${line}"/>`
}

function badgeSvg({ number, left, top, width, height }: Badge, severity: Severity): string {
  const unit = height / BADGE_HEIGHT
  const inset = { x: (width - widthOfNumber(number) * unit) / 2, y: (height - 10 * unit) / 2 }
  const pill = `<rect x="${left + 0.5}" y="${top + 0.5}" width="${width - 1}" height="${height - 1}" rx="${height / 4}" fill="${SEVERITY_COLORS[severity]}" stroke="#fff"/>`
  return `${pill}<g transform="translate(${(left + inset.x).toFixed(1)} ${(top + inset.y).toFixed(1)}) scale(${unit.toFixed(2)})">${numberAsPaths(number)}</g>`
}
