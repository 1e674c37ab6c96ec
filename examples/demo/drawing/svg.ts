/** Coordinates are in pixels of the drawing; colors are CSS colors. */
export type Point = readonly [x: number, y: number]

/** A fill and additional SVG attributes. */
type Paint = readonly [fill: string, attributes?: string]

export interface Picture {
  width: number
  height: number
  svg: string
}

/** Rounds to a tenth of a pixel, so that the SVG is the same on every machine. */
const n = (value: number) => Math.round(value * 10) / 10

/** A reproducible random number generator for [0, 1): mulberry32. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A drawing of its layers, back to front. */
export function picture(width: number, height: number, ...layers: string[]): Picture {
  return {
    width,
    height,
    svg:
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" ` +
      `viewBox="0 0 ${width} ${height}">${layers.join('')}</svg>`
  }
}

/** A gradient from top to bottom. Use it as `url(#id)`. */
export function fade(id: string, ...colors: string[]): string {
  const stops = colors.map(
    (color, i) => `<stop offset="${n((i / (colors.length - 1)) * 100)}%" stop-color="${color}"/>`
  )
  return `<linearGradient id="${id}" x1="0" y1="0" x2="0" y2="1">${stops.join('')}</linearGradient>`
}

/** A radial gradient to transparent. Use it as `url(#id)`. */
export function glow(id: string, color: string, strength = 0.7): string {
  return (
    `<radialGradient id="${id}"><stop offset="0" stop-color="${color}" stop-opacity="${strength}"/>` +
    `<stop offset="1" stop-color="${color}" stop-opacity="0"/></radialGradient>`
  )
}

export const rect = (at: Point, size: Point, ...[fill, extra = '']: Paint) =>
  `<rect x="${n(at[0])}" y="${n(at[1])}" width="${n(size[0])}" height="${n(size[1])}" fill="${fill}" ${extra}/>`

export const disc = (at: Point, radius: number, ...[fill, extra = '']: Paint) =>
  `<circle cx="${n(at[0])}" cy="${n(at[1])}" r="${n(radius)}" fill="${fill}" ${extra}/>`

export const ring = (at: Point, radius: number, ...[stroke, width = 4]: readonly [stroke: string, width?: number]) =>
  `<circle cx="${n(at[0])}" cy="${n(at[1])}" r="${n(radius)}" fill="none" stroke="${stroke}" stroke-width="${width}"/>`

export const oval = (at: Point, radii: Point, ...[fill, extra = '']: Paint) =>
  `<ellipse cx="${n(at[0])}" cy="${n(at[1])}" rx="${n(radii[0])}" ry="${n(radii[1])}" fill="${fill}" ${extra}/>`

export const shape = (d: string, fill: string, extra = '') => `<path d="${d}" fill="${fill}" ${extra}/>`

export const line = (
  d: string,
  stroke: string,
  ...[width, extra = '']: readonly [width: number, attributes?: string]
) =>
  `<path d="${d}" fill="none" stroke="${stroke}" stroke-width="${width}" ` +
  `stroke-linecap="round" stroke-linejoin="round" ${extra}/>`

export const polygon = (points: Point[], fill: string, extra = '') =>
  `<polygon points="${points.map(([x, y]) => `${n(x)},${n(y)}`).join(' ')}" fill="${fill}" ${extra}/>`

/** Translates, rotates (degrees) and scales content about its own origin. */
export function placed(
  at: Point,
  content: string,
  ...[turn = 0, scale = 1]: readonly [turn?: number, scale?: number]
): string {
  return `<g transform="translate(${n(at[0])} ${n(at[1])}) rotate(${n(turn)}) scale(${scale})">${content}</g>`
}

export const faint = (opacity: number, content: string) => `<g opacity="${opacity}">${content}</g>`

/** Clips content to the outline. */
export const clipped = (id: string, outline: string, content: string) =>
  `<clipPath id="${id}">${outline}</clipPath><g clip-path="url(#${id})">${content}</g>`

/** The point at an angle (degrees, clockwise from the right) and a distance from the origin point. */
export function polar(center: Point, degrees: number, radius: number): Point {
  const turn = (degrees * Math.PI) / 180
  return [center[0] + Math.cos(turn) * radius, center[1] + Math.sin(turn) * radius]
}

/** Concatenates `count` items; each gets its index. */
export const times = (count: number, draw: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => draw(i)).join('')

/** A smooth line: quadratic curves between the midpoints of the points. */
export function through(points: Point[]): string {
  const [first, ...rest] = points
  if (!first) return ''
  const parts = rest.slice(0, -1).map((point, i) => {
    const next = rest[i + 1] ?? point
    return `Q${n(point[0])} ${n(point[1])} ${n((point[0] + next[0]) / 2)} ${n((point[1] + next[1]) / 2)}`
  })
  const last = rest.at(-1) ?? first
  return `M${n(first[0])} ${n(first[1])} ${parts.join(' ')} T${n(last[0])} ${n(last[1])}`
}
