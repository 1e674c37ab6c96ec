import type { Dice } from './dice.ts'
import type { Palette } from './palettes.ts'
import { SOCIAL_HEIGHT as H, SOCIAL_WIDTH as W } from './size.ts'

/**
 * Draws the shapes of a card as SVG elements; `withText` keeps the left two thirds calm, because
 * the title stands there.
 */
export type Pattern = (draw: { dice: Dice; palette: Palette; withText: boolean }) => string

const n = (value: number): string => value.toFixed(1)

/** Square tiles with quarter and half discs, thinning out towards the text. */
const tiles: Pattern = ({ dice, palette, withText }) => {
  const side = H / 5
  const columns = withText ? 3 : 10
  const parts: string[] = []
  for (let column = 0; column < columns; column++) {
    for (let row = 0; row < 5; row++) {
      parts.push(tile({ x: W - (column + 1) * side, y: row * side, side }, dice, palette))
    }
  }
  return parts.join('')
}

function tile(at: { x: number; y: number; side: number }, dice: Dice, palette: Palette): string {
  const { side } = at
  const loud = dice.pick(9) === 0
  const color = palette.shapes[loud ? 3 : dice.pick(3)]
  const under = palette.shapes[0]
  const shape = [
    `<path d="M0 0H${n(side)}A${n(side)} ${n(side)} 0 0 1 0 ${n(side)}Z" fill="${color}"/>`,
    `<path d="M0 0H${n(side)}A${n(side)} ${n(side)} 0 0 1 0 ${n(side)}Z" fill="${color}"/>`,
    `<path d="M0 0A${n(side / 2)} ${n(side / 2)} 0 0 1 0 ${n(side)}Z" fill="${color}"/>`,
    `<circle cx="${n(side / 2)}" cy="${n(side / 2)}" r="${n(side * 0.32)}" fill="${color}"/>`,
    ''
  ][dice.pick(5)]
  const turn = `rotate(${dice.pick(4) * 90} ${n(side / 2)} ${n(side / 2)})`
  const ground = dice.pick(3) === 0 ? `<rect width="${n(side)}" height="${n(side)}" fill="${under}"/>` : ''
  return `<g transform="translate(${n(at.x)} ${n(at.y)})">${ground}<g transform="${turn}">${shape}</g></g>`
}

/** Hills, one behind the other, under a sun. */
const hills: Pattern = ({ dice, palette, withText }) => {
  const top = withText ? 470 : 250
  const sun = {
    x: withText ? dice.between(960, 1080) : dice.between(300, 900),
    y: withText ? 150 : 190,
    r: withText ? 78 : 105
  }
  const layers = palette.shapes.slice(0, 3).map((color, layer) => {
    const y = top + layer * (H - top) * 0.3
    const swing = withText ? 34 : 70
    const heights = Array.from({ length: 5 }, () => y + dice.between(-swing, swing))
    return `<path d="${wave(heights)}" fill="${color}"/>`
  })
  return `<circle cx="${n(sun.x)}" cy="${n(sun.y)}" r="${sun.r}" fill="${palette.shapes[3]}"/>${layers.join('')}`
}

/**
 * A smooth line through the heights from the left edge to the right one, closed along the bottom.
 */
function wave(heights: number[]): string {
  const step = W / (heights.length - 1)
  const curves = heights.slice(1).map((y, i) => {
    const from = heights[i] ?? y
    return `C${n((i + 0.5) * step)} ${n(from)} ${n((i + 0.5) * step)} ${n(y)} ${n((i + 1) * step)} ${n(y)}`
  })
  return `M0 ${n(heights[0] ?? H)}${curves.join('')}V${H}H0Z`
}

/** Rings round one center, with a single loud one. */
const rings: Pattern = ({ dice, palette, withText }) => {
  const center = withText
    ? { x: dice.between(1090, 1200), y: dice.between(420, 630) }
    : { x: dice.between(150, 1050), y: dice.between(540, 680) }
  const widest = withText ? 430 : 860
  const step = widest / 9
  const loud = 1 + dice.pick(4)
  const circles = Array.from({ length: 9 }, (_, i) => {
    const color =
      i === 9 - loud
        ? palette.shapes[3]
        : [palette.shapes[0], palette.ground, palette.shapes[1], palette.ground, palette.shapes[2]][i % 5]
    return `<circle cx="${n(center.x)}" cy="${n(center.y)}" r="${n(widest - i * step)}" fill="${color}"/>`
  })
  return circles.join('')
}

/** Large discs that shine through each other. */
const discs: Pattern = ({ dice, palette, withText }) => {
  const count = withText ? 5 : 9
  return Array.from({ length: count }, (_, i) => {
    const r = withText ? dice.between(70, 170) : dice.between(110, 250)
    const x = withText ? dice.between(900 + r / 2, W + 20) : (W * (i + 0.5)) / count + dice.between(-90, 90)
    const y = withText ? (H * (i + 0.5)) / count + dice.between(-50, 50) : dice.between(60, H - 60)
    return `<circle cx="${n(x)}" cy="${n(y)}" r="${n(r)}" fill="${palette.shapes[i % 4]}" fill-opacity="${i % 4 === 0 ? 1 : 0.82}"/>`
  }).join('')
}

export const PATTERNS: Pattern[] = [tiles, hills, rings, discs]
