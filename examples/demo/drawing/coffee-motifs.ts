import { clipped, disc, faint, line, oval, placed, polar, rect, ring, seeded, shape, times, type Point } from './svg.ts'

/** The palette of the roastery. */
export const HARBOR = {
  night: '#12303a',
  deep: '#1b4f59',
  teal: '#2b7a80',
  glass: '#8cc7bb',
  mist: '#d3e8de',
  paper: '#fbf0dd',
  sand: '#f0d9b5',
  coral: '#e2654a',
  rose: '#f0967a',
  lamp: '#f2b155',
  roast: '#4a2c20',
  bark: '#6f4630',
  milk: '#fff8ec',
  leaf: '#2f6d4f',
  leafLight: '#5a9b6c'
} as const
const C = HARBOR

/** A roasted bean, 60 × 84 at scale 1. */
export const bean = (at: Point, turn: number, ...[scale, fill = C.roast]: readonly [scale: number, fill?: string]) =>
  placed(
    at,
    oval([0, 0], [30, 42], fill) +
      oval([-9, -10], [14, 24], '#fff', 'opacity=".1"') +
      line('M2 -39 C-16 -14 18 12 -2 39', '#1d0f0a', 5, 'opacity=".75"'),
    turn,
    scale
  )

/** A coffee leaf that points up from `at`, 200 long at scale 1. */
export function leaf(
  at: Point,
  turn: number,
  ...[scale, [dark, light] = [C.leaf, C.leafLight]]: readonly [scale: number, colors?: readonly [string, string]]
): string {
  const veins = times(5, (i) => {
    const y = -40 - i * 28
    const reach = 40 - Math.abs(i - 1.5) * 8
    return `M0 ${y} Q${reach * 0.6} ${y - 8} ${reach} ${y - 26} M0 ${y} Q${-reach * 0.6} ${y - 8} ${-reach} ${y - 26} `
  })
  return placed(
    at,
    shape('M0 0 C70 -40 74 -130 0 -204 C-74 -130 -70 -40 0 0 Z', dark) +
      shape('M0 0 C-70 -40 -74 -130 0 -204 Z', light) +
      line(`M0 10 V-190 ${veins}`, '#fff', 3, 'opacity=".28"'),
    turn,
    scale
  )
}

/** A coffee cherry, 34 px in radius at scale 1. */
export const cherry = (at: Point, scale: number, fill: string = C.coral) =>
  placed(
    at,
    disc([0, 0], 34, fill) +
      disc([6, 6], 28, '#000', 'opacity=".08"') +
      oval([-12, -13], [9, 6], '#fff', 'opacity=".55" transform="rotate(-40 -12 -13)"') +
      disc([0, 30], 5, '#5b2018'),
    0,
    scale
  )

/** Three lines of steam above `at`. */
export const steam = (at: Point, scale: number, color = '#fff') =>
  placed(
    at,
    faint(
      0.55,
      times(3, (i) =>
        line(`M${-34 + i * 34} 0 c-26 -34 26 -56 0 -92 c-22 -32 18 -48 4 -76`, color, 9 - Math.abs(i - 1) * 2)
      )
    ),
    0,
    scale
  )

/** A cup with a saucer from the side, with its foot at `at`, 200 wide at scale 1. */
export function cup(at: Point, scale: number, [body, shade]: readonly [string, string] = [C.milk, C.sand]): string {
  return placed(
    at,
    oval([0, 2], [150, 14], '#000', 'opacity=".16"') +
      oval([0, -6], [132, 14], body) +
      oval([0, -10], [92, 7], shade) +
      line('M88 -104 C160 -112 160 -34 70 -38', body, 18) +
      shape('M-100 -126 C-100 -52 -66 -8 0 -8 C66 -8 100 -52 100 -126 Z', body) +
      shape('M100 -126 C100 -52 66 -8 0 -8 C46 -22 66 -70 64 -126 Z', shade, 'opacity=".8"') +
      oval([0, -126], [100, 20], shade) +
      oval([0, -123], [88, 14], C.roast) +
      oval([-20, -125], [40, 5], C.bark),
    0,
    scale
  )
}

/** A cup from above with latte art, radius 300 at scale 1. */
export function cupFromAbove(at: Point, scale: number): string {
  const crema =
    disc([0, 0], 178, C.bark) + disc([0, 0], 166, '#a86b3c') + disc([-10, -12], 140, '#b97b47', 'opacity=".6"')
  const petals = times(5, (i) => {
    const y = 96 - i * 44
    const w = 104 - i * 15
    return shape(
      `M0 ${y} C${-w * 0.5} ${y + 8} ${-w} ${y - 26} ${-w} ${y - 62} ` +
        `C${-w * 0.6} ${y - 26} ${-w * 0.2} ${y - 20} 0 ${y - 32} ` +
        `C${w * 0.2} ${y - 20} ${w * 0.6} ${y - 26} ${w} ${y - 62} C${w} ${y - 26} ${w * 0.5} ${y + 8} 0 ${y} Z`,
      C.milk
    )
  })
  const tip = shape('M0 -92 C-44 -112 -34 -150 0 -138 C34 -150 44 -112 0 -92 Z', C.milk)
  return placed(
    at,
    disc([22, 34], 300, '#000', 'opacity=".2"') +
      disc([0, 0], 300, C.milk) +
      disc([0, 0], 286, C.mist) +
      ring([0, 0], 262, C.glass, 10) +
      disc([14, 18], 214, '#000', 'opacity=".14"') +
      rect([180, -30], [150, 60], C.milk, 'rx="28" transform="rotate(-38)"') +
      rect([200, -14], [112, 28], C.mist, 'rx="14" transform="rotate(-38)"') +
      disc([0, 0], 204, C.milk) +
      disc([0, 0], 190, C.sand) +
      crema +
      petals +
      tip +
      line('M0 112 V-128', '#a86b3c', 5),
    0,
    scale
  )
}

/** A kettle whose long spout points left and ends at `at`. */
export function gooseneck(
  at: Point,
  scale: number,
  [body, shade]: readonly [string, string] = [C.teal, C.deep]
): string {
  return placed(
    at,
    line('M0 0 C34 -44 30 34 74 70 C104 96 130 104 160 96', shade, 15) +
      shape('M150 140 L176 -14 C178 -30 292 -30 294 -14 L320 140 C322 156 148 156 150 140 Z', body) +
      shape('M294 -14 L320 140 C322 152 270 154 246 154 C272 100 270 30 262 -26 C280 -24 293 -20 294 -14 Z', shade) +
      oval([235, -22], [60, 11], shade) +
      disc([235, -40], 13, C.lamp) +
      line('M298 6 C394 -30 400 96 322 112', C.roast, 18) +
      line('M190 22 L178 108', '#fff', 8, 'opacity=".3"'),
    0,
    scale
  )
}

/** Beans scattered over a box, at points where `keep` returns true. */
export function strewn(count: number, [width, height]: Point, keep: (at: Point) => boolean): string {
  const random = seeded(11)
  const places = Array.from({ length: count }, (): [Point, number, number] => [
    [random() * width, random() * height],
    random() * 360,
    0.42 + random() * 0.3
  ])
  return places
    .filter(([at]) => keep(at))
    .map(
      ([at, turn, scale]) =>
        oval([at[0] + 6, at[1] + 9], [30 * scale, 34 * scale], '#000', 'opacity=".16"') +
        bean(at, turn, scale, turn > 180 ? C.roast : C.bark)
    )
    .join('')
}

/** A slice of orange, 80 px in radius at scale 1. */
export function orangeSlice(at: Point, turn: number, scale: number): string {
  const segments = times(8, (i) => {
    const [a, b, c] = [polar([0, 0], i * 45 + 4, 60), polar([0, 0], i * 45 + 41, 60), polar([0, 0], i * 45 + 22.5, 8)]
    const format = ([x, y]: Point) => `${x.toFixed(1)} ${y.toFixed(1)}`
    return (
      `<path d="M${format(c)} L${format(a)} A60 60 0 0 1 ${format(b)} Z" ` +
      'fill="#f6a63c" stroke="#f6a63c" stroke-width="6" stroke-linejoin="round"/>'
    )
  })
  return placed(at, disc([0, 0], 80, '#e8822e') + disc([0, 0], 72, '#fde7c2') + segments, turn, scale)
}

/** A paper bag of beans with its foot at `at`, 300 × 440 at scale 1. */
export function bag(at: Point, scale: number, [body, shade]: readonly [string, string]): string {
  const label =
    rect([-92, -300], [184, 190], C.paper, 'rx="10"') +
    clipped(
      'label',
      rect([-92, -300], [184, 190], '#000', 'rx="10"'),
      disc([0, -176], 60, C.lamp) +
        shape('M-92 -176 q23 -16 46 0 t46 0 t46 0 t46 0 V-110 H-92 Z', C.teal) +
        shape('M-92 -148 q23 -16 46 0 t46 0 t46 0 t46 0 V-110 H-92 Z', C.deep)
    )
  return placed(
    at,
    shape('M-150 -12 L-142 -400 H142 L150 -12 Q150 0 138 0 H-138 Q-150 0 -150 -12 Z', body) +
      shape('M142 -400 L150 -12 Q150 0 138 0 H84 L98 -400 Z', shade) +
      shape('M-142 -400 L-132 -452 H132 L142 -400 Z', shade) +
      rect([-146, -420], [292, 26], C.roast, 'rx="6"') +
      rect([-146, -420], [292, 9], '#fff', 'rx="4" opacity=".14"') +
      label +
      disc([0, -352], 13, shade) +
      ring([0, -352], 6, body, 3),
    0,
    scale
  )
}
