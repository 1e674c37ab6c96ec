import { disc, faint, line, oval, placed, polygon, rect, seeded, shape, through, times, type Point } from './svg.ts'

/**
 * Hills from the left edge to the right, filled to the bottom. `heights` are the y coordinates of
 * evenly spaced points.
 */
export function hills(size: Point, heights: number[], fill: string): string {
  const step = size[0] / (heights.length - 1)
  const ridge = heights.map((height, i): Point => [i * step, height])
  const before: Point = [-step, heights[0] ?? 0]
  const after: Point = [size[0] + step, heights.at(-1) ?? 0]
  return shape(`${through([before, ...ridge, after])} V${size[1]} H${-step} Z`, fill)
}

/** The sun or the moon with its halo. Requires the definition `glow('halo', …)`. */
export const sun = (at: Point, radius: number, fill: string) =>
  disc(at, radius * 3.4, 'url(#halo)') + disc(at, radius, fill)

/** A flat-bottomed cloud, about 200 wide at scale 1. */
export const cloud = (at: Point, scale: number, fill = '#fff') =>
  placed(
    at,
    shape('M-96 0 a30 30 0 0 1 14 -56 a52 52 0 0 1 98 -22 a40 40 0 0 1 62 26 a27 27 0 0 1 14 52 Z', fill),
    0,
    scale
  )

/** Distant birds. */
export const birds = (places: Point[], stroke: string) =>
  places
    .map(([x, y], i) =>
      placed([x, y], line('M-22 -6 Q-12 -14 0 0 Q12 -14 22 -6', stroke, 4), i % 2 ? 8 : -6, 0.7 + (i % 3) * 0.2)
    )
    .join('')

/** A fir with its foot at `at`. `light` is the color of its sunny side. */
export function fir(at: Point, height: number, [dark, light]: readonly [string, string]): string {
  const h = height
  const tiers = times(3, (i) => {
    const top = -h + i * h * 0.25
    const half = h * (0.17 + i * 0.07)
    const foot = top + h * 0.42
    return (
      polygon(
        [
          [0, top],
          [half, foot],
          [-half, foot]
        ],
        dark
      ) +
      polygon(
        [
          [0, top],
          [-half, foot],
          [0, foot - h * 0.05]
        ],
        light
      )
    )
  })
  return placed(at, rect([-h * 0.03, -h * 0.1], [h * 0.06, h * 0.1], '#4a3426') + tiers)
}

/** A round tree with its foot at `at`. */
export function roundTree(at: Point, height: number, [dark, light]: readonly [string, string]): string {
  const h = height
  return placed(
    at,
    line(`M0 0 V${-h * 0.5} M0 ${-h * 0.34} L${h * 0.14} ${-h * 0.5}`, '#4a3426', h * 0.06) +
      disc([0, -h * 0.66], h * 0.34, dark) +
      disc([-h * 0.08, -h * 0.72], h * 0.22, light)
  )
}

/** Trees along a line, the same on every run. */
export function wood(
  draw: typeof fir,
  ground: Point[],
  ...[[seed, height], colors]: readonly [seedAndHeight: Point, colors: readonly [string, string]]
): string {
  const random = seeded(seed)
  return ground
    .map(([x, y]) => draw([x + random() * 26 - 13, y + random() * 10], height * (0.75 + random() * 0.5), colors))
    .join('')
}

/** Grass blades and small flowers, scattered over a box. */
export function meadow(
  [x, y, width, height]: readonly [number, number, number, number],
  colors: string[],
  seed = 7
): string {
  const random = seeded(seed)
  return times(Math.round(width / 16), (i) => {
    const at: Point = [x + random() * width, y + random() * height]
    const tall = 10 + random() * 18
    const color = colors[i % colors.length] ?? '#fff'
    const blade = line(
      `M${at[0].toFixed(1)} ${at[1].toFixed(1)} q${(random() * 8 - 4).toFixed(1)} ${(-tall / 2).toFixed(1)} ` +
        `${(random() * 12 - 6).toFixed(1)} ${(-tall).toFixed(1)}`,
      colors[0] ?? '#fff',
      3
    )
    return i % 5 ? blade : disc(at, 4, color)
  })
}

/** Reflections on water: short strokes that widen towards the viewer. */
export function glitter(center: number, [top, bottom]: Point, color: string): string {
  const random = seeded(31)
  return times(26, (i) => {
    const depth = i / 25
    const y = top + (bottom - top) * depth
    const half = (16 + random() * 46) * (0.5 + depth * 1.3)
    const x = center + (random() - 0.5) * 90 * (0.3 + depth)
    return faint(0.85 - depth * 0.5, oval([x, y], [half, 2 + depth * 3], color))
  })
}
