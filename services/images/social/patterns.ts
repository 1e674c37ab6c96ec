import { createHash } from 'node:crypto'

/**
 * Pixel size of large link previews in the documentation of Facebook and LinkedIn: about 1.91 to 1.
 */
export const SOCIAL_WIDTH = 1200
export const SOCIAL_HEIGHT = 630

/** Random numbers that depend on a text alone. */
export interface SeededRandom {
  /** An integer from 0 to `count` − 1. */
  pick: (count: number) => number
  /** A number from `low` to below `high`. */
  between: (low: number, high: number) => number
}

/**
 * Random numbers from the SHA-256 of a seed: the same text gives the same image on every machine.
 */
export function createSeededRandom(seed: string): SeededRandom {
  let block = 0
  let bytes = Buffer.alloc(0)
  const next = (): number => {
    if (bytes.length < 4) bytes = createHash('sha256').update(`${block++}\n${seed}`).digest()
    const value = bytes.readUInt32BE(0)
    bytes = bytes.subarray(4)
    return value / 2 ** 32
  }
  return {
    pick: (count) => Math.floor(next() * count),
    between: (low, high) => low + next() * (high - low)
  }
}

/** Colors of a card: background, text, and shapes from the most subtle to the strongest. */
export interface Palette {
  background: string
  text: string
  mutedText: string
  shapes: [string, string, string, string]
}

/** Text has a contrast of at least 7:1 (WCAG 2.2, 1.4.6), `mutedText` of at least 4.5:1. */
export const PALETTES: Palette[] = [
  {
    background: '#f6f1e7',
    text: '#1f2a37',
    mutedText: '#5b6472',
    shapes: ['#e4d8c3', '#7fa99b', '#2f5d62', '#e07a5f']
  },
  {
    background: '#10243e',
    text: '#f4f7fb',
    mutedText: '#a9b9cf',
    shapes: ['#1c3a5e', '#2f6690', '#81c3d7', '#f2b84b']
  },
  {
    background: '#eef3f1',
    text: '#16302b',
    mutedText: '#4c645e',
    shapes: ['#d5e2dc', '#8fb9a8', '#3c7a68', '#f1828d']
  },
  {
    background: '#241e3c',
    text: '#f7f4ff',
    mutedText: '#b9b0d6',
    shapes: ['#383059', '#5b4b8a', '#a594d8', '#ff9f6b']
  },
  {
    background: '#fbf3ee',
    text: '#3a1f1d',
    mutedText: '#76534c',
    shapes: ['#f3ddd0', '#e5a98c', '#b5533c', '#2e5266']
  },
  {
    background: '#f1f4fa',
    text: '#1b2559',
    mutedText: '#55608a',
    shapes: ['#dbe3f4', '#9fb4e3', '#4361ee', '#f6a04d']
  },
  {
    background: '#13302c',
    text: '#f2faf6',
    mutedText: '#a8c8bd',
    shapes: ['#1e4740', '#2f7367', '#8fd0b5', '#f4d35e']
  },
  { background: '#faf6fb', text: '#33193f', mutedText: '#6b5275', shapes: ['#eadff0', '#c3a4d6', '#7b4b94', '#f3a712'] }
]

/**
 * Draws the shapes of a card as SVG elements; `withText` keeps the left two thirds calm for the
 * title.
 */
export type Pattern = (draw: { random: SeededRandom; palette: Palette; withText: boolean }) => string

const W = SOCIAL_WIDTH
const H = SOCIAL_HEIGHT
const n = (value: number): string => value.toFixed(1)

/** Square tiles with quarter and half discs, thinning out towards the text. */
const tiles: Pattern = ({ random, palette, withText }) => {
  const side = H / 5
  const columns = withText ? 3 : 10
  const parts: string[] = []
  for (let column = 0; column < columns; column++) {
    for (let row = 0; row < 5; row++) {
      parts.push(tile({ x: W - (column + 1) * side, y: row * side, side }, random, palette))
    }
  }
  return parts.join('')
}

function tile(at: { x: number; y: number; side: number }, random: SeededRandom, palette: Palette): string {
  const { side } = at
  const loud = random.pick(9) === 0
  const color = palette.shapes[loud ? 3 : random.pick(3)]
  const under = palette.shapes[0]
  const shape = [
    `<path d="M0 0H${n(side)}A${n(side)} ${n(side)} 0 0 1 0 ${n(side)}Z" fill="${color}"/>`,
    `<path d="M0 0H${n(side)}A${n(side)} ${n(side)} 0 0 1 0 ${n(side)}Z" fill="${color}"/>`,
    `<path d="M0 0A${n(side / 2)} ${n(side / 2)} 0 0 1 0 ${n(side)}Z" fill="${color}"/>`,
    `<circle cx="${n(side / 2)}" cy="${n(side / 2)}" r="${n(side * 0.32)}" fill="${color}"/>`,
    ''
  ][random.pick(5)]
  const turn = `rotate(${random.pick(4) * 90} ${n(side / 2)} ${n(side / 2)})`
  const ground = random.pick(3) === 0 ? `<rect width="${n(side)}" height="${n(side)}" fill="${under}"/>` : ''
  return `<g transform="translate(${n(at.x)} ${n(at.y)})">${ground}<g transform="${turn}">${shape}</g></g>`
}

/** Hills, one behind the other, under a sun. */
const hills: Pattern = ({ random, palette, withText }) => {
  const top = withText ? 470 : 250
  const sun = {
    x: withText ? random.between(960, 1080) : random.between(300, 900),
    y: withText ? 150 : 190,
    r: withText ? 78 : 105
  }
  const layers = palette.shapes.slice(0, 3).map((color, layer) => {
    const y = top + layer * (H - top) * 0.3
    const swing = withText ? 34 : 70
    const heights = Array.from({ length: 5 }, () => y + random.between(-swing, swing))
    return `<path d="${wave(heights)}" fill="${color}"/>`
  })
  return `<circle cx="${n(sun.x)}" cy="${n(sun.y)}" r="${sun.r}" fill="${palette.shapes[3]}"/>${layers.join('')}`
}

/** A smooth line through the heights from the left to the right edge, closed along the bottom. */
function wave(heights: number[]): string {
  const step = W / (heights.length - 1)
  const curves = heights.slice(1).map((y, i) => {
    const from = heights[i] ?? y
    return `C${n((i + 0.5) * step)} ${n(from)} ${n((i + 0.5) * step)} ${n(y)} ${n((i + 1) * step)} ${n(y)}`
  })
  return `M0 ${n(heights[0] ?? H)}${curves.join('')}V${H}H0Z`
}

/** Concentric rings, one of them in the strongest color. */
const rings: Pattern = ({ random, palette, withText }) => {
  const center = withText
    ? { x: random.between(1090, 1200), y: random.between(420, 630) }
    : { x: random.between(150, 1050), y: random.between(540, 680) }
  const widest = withText ? 430 : 860
  const step = widest / 9
  const loud = 1 + random.pick(4)
  const circles = Array.from({ length: 9 }, (_, i) => {
    const color =
      i === 9 - loud
        ? palette.shapes[3]
        : [palette.shapes[0], palette.background, palette.shapes[1], palette.background, palette.shapes[2]][i % 5]
    return `<circle cx="${n(center.x)}" cy="${n(center.y)}" r="${n(widest - i * step)}" fill="${color}"/>`
  })
  return circles.join('')
}

/** Large translucent discs. */
const discs: Pattern = ({ random, palette, withText }) => {
  const count = withText ? 5 : 9
  return Array.from({ length: count }, (_, i) => {
    const r = withText ? random.between(70, 170) : random.between(110, 250)
    const x = withText ? random.between(900 + r / 2, W + 20) : (W * (i + 0.5)) / count + random.between(-90, 90)
    const y = withText ? (H * (i + 0.5)) / count + random.between(-50, 50) : random.between(60, H - 60)
    const fill = `fill="${palette.shapes[i % 4]}" fill-opacity="${i % 4 === 0 ? 1 : 0.82}"`
    return `<circle cx="${n(x)}" cy="${n(y)}" r="${n(r)}" ${fill}/>`
  }).join('')
}

export const PATTERNS: Pattern[] = [tiles, hills, rings, discs]
