/** Points and numbers are in the picture's own pixels; colours are CSS colours. */
export type Point = readonly [x: number, y: number]

/** A fill, and further SVG attributes as they are written. */
type Paint = readonly [fill: string, attributes?: string]

export interface Picture {
  width: number
  height: number
  svg: string
}

/** Rounds to a tenth of a pixel, so that the same drawing is the same text everywhere. */
const n = (value: number) => Math.round(value * 10) / 10

/**
 * A sequence of numbers in [0, 1) that is the same on every run (mulberry32 with the given seed).
 */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A whole picture from its layers, back to front. */
export function picture(width: number, height: number, ...layers: string[]): Picture {
  return {
    width,
    height,
    svg:
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" ` +
      `viewBox="0 0 ${width} ${height}">${layers.join('')}</svg>`
  }
}

/** Top-to-bottom gradient; use it as `url(#id)`. */
export function fade(id: string, ...colours: string[]): string {
  const stops = colours.map(
    (colour, i) => `<stop offset="${n((i / (colours.length - 1)) * 100)}%" stop-color="${colour}"/>`
  )
  return `<linearGradient id="${id}" x1="0" y1="0" x2="0" y2="1">${stops.join('')}</linearGradient>`
}

/** A soft light that fades to nothing at its edge; use it as `url(#id)`. */
export function glow(id: string, colour: string, strength = 0.7): string {
  return (
    `<radialGradient id="${id}"><stop offset="0" stop-color="${colour}" stop-opacity="${strength}"/>` +
    `<stop offset="1" stop-color="${colour}" stop-opacity="0"/></radialGradient>`
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

/** Moves, turns (degrees) and scales what it holds, about the origin of its own drawing. */
export function placed(
  at: Point,
  content: string,
  ...[turn = 0, scale = 1]: readonly [turn?: number, scale?: number]
): string {
  return `<g transform="translate(${n(at[0])} ${n(at[1])}) rotate(${n(turn)}) scale(${scale})">${content}</g>`
}

export const faint = (opacity: number, content: string) => `<g opacity="${opacity}">${content}</g>`

/** Keeps the content inside the outline. */
export const clipped = (id: string, outline: string, content: string) =>
  `<clipPath id="${id}">${outline}</clipPath><g clip-path="url(#${id})">${content}</g>`

/** The point at an angle (degrees, clockwise from the right) and a distance. */
export function polar(centre: Point, degrees: number, radius: number): Point {
  const turn = (degrees * Math.PI) / 180
  return [centre[0] + Math.cos(turn) * radius, centre[1] + Math.sin(turn) * radius]
}

/** `count` copies, each drawn for its number from 0. */
export const times = (count: number, draw: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => draw(i)).join('')

/** A smooth line through the points (quadratic curves between their middles). */
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
