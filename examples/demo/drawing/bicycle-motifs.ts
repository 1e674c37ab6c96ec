import { disc, faint, line, oval, placed, polar, polygon, rect, ring, shape, times, type Point } from './svg.ts'

/** The palette of the workshop: pine woods, lamp orange, rust, morning sky, sand. */
export const HILL = {
  ink: '#1c2b33',
  pine: '#1d4a3f',
  fern: '#3f7d5c',
  moss: '#a3bf77',
  sky: '#bfe0e2',
  sand: '#f6e9cf',
  cream: '#fff8e8',
  orange: '#ef7d3b',
  rust: '#b8492f',
  gold: '#f4bd55',
  steel: '#9fb4b8',
  slate: '#4a626b',
  wood: '#c08a58',
  woodDark: '#8f613c'
} as const
const C = HILL

/** A spoked wheel; `turn` in degrees. */
export const wheel = (at: Point, radius: number, turn = 0) =>
  placed(
    at,
    ring([0, 0], radius, C.ink, radius * 0.1) +
      ring([0, 0], radius * 0.9, C.steel, radius * 0.05) +
      faint(
        0.75,
        times(12, (i) => {
          const [x, y] = polar([0, 0], i * 30, radius * 0.88)
          return line(`M0 0 L${x.toFixed(1)} ${y.toFixed(1)}`, C.slate, 2)
        })
      ) +
      disc([0, 0], radius * 0.1, C.slate),
    turn
  )

/** A toothed ring with holes, from above its axle. */
export function cog(
  at: Point,
  [radius, teeth]: Point,
  ...[color, hole]: readonly [color: string, hole: string]
): string {
  const depth = Math.max(8, radius * 0.07)
  const points = Array.from(
    { length: teeth * 4 },
    (_, i): Point => polar([0, 0], ((i - 0.5) * 360) / (teeth * 4), i % 4 < 2 ? radius : radius - depth)
  )
  const holes = radius > 110 ? times(5, (i) => disc(polar([0, 0], i * 72 - 90, radius * 0.58), radius * 0.2, hole)) : ''
  return placed(
    at,
    polygon(points, color, 'stroke-linejoin="round"') +
      holes +
      disc([0, 0], radius * 0.24, C.ink) +
      disc([0, 0], radius * 0.12, C.steel)
  )
}

/** A touring bicycle that points right, with its wheels on y = 0. Wheel radius 100 at scale 1. */
export function bicycle(
  at: Point,
  scale: number,
  ...[frame, extra = '']: readonly [frame: string, luggage?: string]
): string {
  const [rear, front, crank, seat, head]: [Point, Point, Point, Point, Point] = [
    [-150, -100],
    [150, -100],
    [-30, -96],
    [-66, -236],
    [100, -232]
  ]
  const tube = ([a, b]: readonly [Point, Point], width = 13) => line(`M${a[0]} ${a[1]} L${b[0]} ${b[1]}`, frame, width)
  const bars =
    line('M110 -262 C136 -268 156 -258 154 -236 C152 -216 130 -216 124 -224', C.ink, 11) +
    line('M104 -244 L110 -262', C.steel, 10)
  const saddle =
    line('M-66 -236 L-74 -268', C.steel, 9) +
    shape('M-122 -278 C-110 -290 -70 -284 -36 -280 C-30 -272 -40 -268 -52 -268 C-80 -266 -116 -258 -122 -278 Z', C.ink)
  const drive =
    disc(crank, 30, C.slate) +
    ring(crank, 30, C.ink, 5) +
    line(`M${rear[0]} -112 L${crank[0]} -126 M${rear[0]} -88 L${crank[0]} -66`, C.ink, 4) +
    line('M-30 -96 L-8 -54 M-30 -96 L-52 -138', C.steel, 9) +
    rect([-24, -56], [36, 10], C.ink, 'rx="4"') +
    rect([-68, -146], [36, 10], C.ink, 'rx="4"')
  return placed(
    at,
    oval([0, 2], [256, 12], C.ink, 'opacity=".2"') +
      wheel(rear, 95, 8) +
      wheel(front, 95, 20) +
      extra +
      tube([rear, seat], 9) +
      tube([rear, crank], 10) +
      tube([seat, crank]) +
      tube([seat, head]) +
      tube([crank, [110, -206]]) +
      line('M96 -244 L114 -200 C122 -176 134 -130 150 -100', frame, 11) +
      drive +
      saddle +
      bars,
    0,
    scale
  )
}

/** A pannier bag for the rear rack of `bicycle`. */
export const pannier = (color: string, shade: string) =>
  line('M-66 -212 H-206 M-150 -100 L-190 -212', C.ink, 6) +
  rect([-206, -208], [92, 106], color, 'rx="14"') +
  rect([-206, -208], [92, 34], shade, 'rx="14"') +
  rect([-166, -190], [12, 34], C.gold, 'rx="4"')

/** A lamp with its beam, for the handlebar of `bicycle`. */
export const lampBeam =
  '<linearGradient id="beam"><stop offset="0" stop-color="#ffe7a3" stop-opacity=".6"/>' +
  '<stop offset="1" stop-color="#ffe7a3" stop-opacity="0"/></linearGradient>' +
  polygon(
    [
      [150, -204],
      [820, -90],
      [820, 10],
      [330, 10]
    ],
    'url(#beam)'
  ) +
  disc([146, -204], 15, C.gold) +
  rect([120, -214], [24, 20], C.ink, 'rx="5"')

/** An open-ended wrench, 260 long at scale 1, head up. */
export const wrench = (color: string) =>
  shape(
    'M-17 120 V-70 C-52 -86 -52 -136 -26 -152 V-106 L0 -92 L26 -106 V-152 ' +
      'C52 -136 52 -86 17 -70 V120 C17 144 -17 144 -17 120 Z',
    color
  ) +
  disc([0, 112], 8, C.cream) +
  line('M-8 -50 V80', '#fff', 4, 'opacity=".35"')

/** A screwdriver, 260 long at scale 1, blade down. */
export const screwdriver = (color: string) =>
  rect([-7, 0], [14, 130], C.steel, 'rx="3"') +
  polygon(
    [
      [-11, 118],
      [11, 118],
      [7, 142],
      [-7, 142]
    ],
    C.slate
  ) +
  rect([-26, -118], [52, 124], color, 'rx="20"') +
  line('M-10 -94 V-20 M8 -94 V-20', '#fff', 5, 'opacity=".35"')

/** Pliers, 240 long at scale 1, jaws up. */
export const pliers = (color: string) =>
  line('M-8 -40 C-44 20 -46 70 -34 122', color, 24) +
  line('M8 -40 C44 20 46 70 34 122', color, 24) +
  shape('M-26 -40 C-30 -90 -18 -124 -3 -130 V-40 Z', C.slate) +
  shape('M26 -40 C30 -90 18 -124 3 -130 V-40 Z', C.steel) +
  disc([0, -34], 18, C.ink) +
  disc([0, -34], 7, C.steel)

/** Three hex keys of decreasing size. */
export const hexKeys = times(3, (i) =>
  line(
    `M${-44 + i * 42} ${-100 + i * 26} V${70 - i * 6} q0 16 16 16 h${28 - i * 7}`,
    [C.slate, C.steel, C.slate][i] ?? C.steel,
    13 - i * 2
  )
)

/** A floor pump with its foot at `at`, 330 high at scale 1. */
export const pump = (at: Point, scale: number, color: string) =>
  placed(
    at,
    oval([0, 4], [84, 9], C.ink, 'opacity=".25"') +
      line('M10 -20 C120 -10 110 -190 54 -200 C20 -206 34 -150 30 -130', C.ink, 9) +
      rect([-64, -14], [128, 16], C.ink, 'rx="7"') +
      rect([-18, -226], [36, 214], color, 'rx="8"') +
      rect([-18, -226], [12, 214], '#fff', 'opacity=".25" rx="6"') +
      rect([-5, -304], [10, 84], C.steel) +
      rect([-62, -322], [124, 22], C.woodDark, 'rx="11"') +
      disc([0, -36], 24, C.cream) +
      ring([0, -36], 24, C.ink, 5) +
      line('M0 -36 L10 -48', C.rust, 4),
    0,
    scale
  )
