import { HARBOR as C, cherry, cup, leaf, steam } from './coffee-motifs.ts'
import { birds, cloud, glitter, hills, sun } from './landscape.ts'
import {
  disc,
  fade,
  faint,
  glow,
  line,
  oval,
  picture,
  placed,
  polar,
  polygon,
  rect,
  ring,
  seeded,
  shape,
  times,
  type Picture,
  type Point
} from './svg.ts'

const WIDE: Point = [1280, 720]

/** A harbor crane, 420 high at scale 1, standing on `at`. */
const crane = (at: Point, scale: number, color: string) =>
  placed(
    at,
    polygon(
      [
        [-60, 0],
        [-34, -250],
        [-18, -250],
        [-36, 0]
      ],
      color
    ) +
      polygon(
        [
          [60, 0],
          [34, -250],
          [18, -250],
          [36, 0]
        ],
        color
      ) +
      rect([-46, -96], [92, 10], color) +
      rect([-46, -282], [92, 44], color) +
      rect([-16, -330], [30, 60], color) +
      line('M-120 -262 L40 -286 L250 -404', color, 13) +
      line('M0 -330 L-6 -404 L250 -404 M-6 -404 L-120 -262', color, 4) +
      line('M226 -390 V-196', color, 3) +
      rect([206, -196], [40, 26], color) +
      rect([-34, -272], [18, 14], C.lamp),
    0,
    scale
  )

/** A fishing boat with its wheelhouse, 300 wide at scale 1; its waterline is at `at`. */
const boat = (at: Point, scale: number, hull: string) =>
  placed(
    at,
    oval([0, 12], [150, 9], C.night, 'opacity=".35"') +
      line('M40 -86 V-236 M40 -222 L132 -40 M40 -222 L-130 -46', C.night, 5) +
      polygon(
        [
          [46, -212],
          [46, -96],
          [104, -96]
        ],
        C.paper
      ) +
      rect([-66, -124], [86, 76], C.paper) +
      rect([-78, -134], [110, 14], C.coral) +
      rect([-54, -108], [26, 26], C.deep) +
      rect([-18, -108], [26, 26], C.deep) +
      shape('M-160 -62 H160 C150 -24 130 0 104 8 H-116 C-140 -8 -154 -34 -160 -62 Z', hull) +
      shape('M-160 -62 H160 L156 -46 H-156 Z', C.paper) +
      shape('M-140 -20 H140 C130 -4 118 4 104 8 H-116 C-126 2 -134 -8 -140 -20 Z', C.night, 'opacity=".35"'),
    0,
    scale
  )

const warehouse = (
  at: Point,
  [width, height]: Point,
  ...[[wall, roof], lit]: readonly [colors: readonly [string, string], lit: number[]]
) =>
  placed(
    at,
    rect([0, -height], [width, height], wall) +
      polygon(
        [
          [-8, -height],
          [width / 2, -height - width * 0.3],
          [width + 8, -height]
        ],
        roof
      ) +
      times(6, (i) =>
        rect(
          [width * 0.14 + (i % 3) * width * 0.27, -height * 0.82 + Math.floor(i / 3) * height * 0.36],
          [width * 0.16, height * 0.2],
          lit.includes(i) ? C.lamp : C.night,
          lit.includes(i) ? '' : 'opacity=".45"'
        )
      )
  )

/** Dawn over the harbor, with the quay and the first cup in front. */
export function harborDawn(): Picture {
  const sky =
    rect([0, 0], [1280, 430], 'url(#sky)') +
    sun([560, 396], 62, '#fff1cf') +
    cloud([240, 190], 1.15, '#f3b79c') +
    cloud([800, 142], 1.1, '#e79f8c') +
    cloud([700, 262], 0.6, '#f8cfae') +
    birds(
      [
        [372, 262],
        [428, 226],
        [690, 190]
      ],
      C.deep
    )
  const shore =
    hills(WIDE, [404, 376, 398, 360, 390, 352, 384, 366], '#7c8f97') +
    hills(WIDE, [424, 412, 398, 414, 402, 420, 396, 402], '#4c727c')
  const town =
    warehouse([24, 436], [150, 92], ['#8f5a4f', '#613f42'], [1, 5]) +
    warehouse([186, 436], [118, 124], ['#b8735a', '#7c4a45'], [0, 4]) +
    warehouse([316, 436], [96, 78], ['#7a5657', '#543d48'], [2]) +
    crane([900, 440], 0.66, C.deep) +
    crane([1060, 440], 0.8, C.night)
  const boats = boat([760, 506], 0.66, C.teal) + boat([250, 534], 0.9, C.coral)
  const water = rect([0, 430], [1280, 290], 'url(#water)') + glitter(560, [438, 640], '#ffe0ad')
  const quay =
    shape('M0 642 C300 620 900 620 1280 650 V720 H0 Z', C.night) +
    shape('M0 642 C300 620 900 620 1280 650 V660 C900 632 300 632 0 654 Z', '#2b4b55')
  const bollard = placed(
    [160, 662],
    oval([0, 4], [60, 10], '#000', 'opacity=".3"') +
      shape('M-34 0 L-26 -56 H26 L34 0 Z', '#5f858c') +
      rect([-42, -76], [84, 26], '#7fa5a8', 'rx="12"') +
      line('M-24 -38 H26 M-26 -26 H28', C.sand, 9)
  )
  return picture(
    1280,
    720,
    fade('sky', '#235863', '#8d8a8d', '#f0967a', '#fbd08c'),
    fade('water', '#e9a582', '#5d8e92', '#1f5560', C.night),
    glow('halo', '#fff0c4'),
    sky,
    shore,
    water,
    town,
    boats,
    quay,
    bollard,
    cup([1010, 668], 0.82),
    steam([1010, 548], 0.9)
  )
}

/** Terraces of coffee on steep hills, with the drying beds below. */
export function terracedHills(): Picture {
  const random = seeded(5)
  const bush = (at: Point, r: number) =>
    oval([at[0], at[1] + r * 0.8], [r * 1.2, r * 0.24], C.night, 'opacity=".25"') +
    disc([at[0] - r * 0.5, at[1] + r * 0.3], r * 0.66, C.leaf) +
    disc([at[0] + r * 0.5, at[1] + r * 0.26], r * 0.7, '#27603f') +
    disc([at[0], at[1] - r * 0.1], r * 0.78, C.leaf) +
    disc([at[0] - r * 0.24, at[1] - r * 0.3], r * 0.46, C.leafLight) +
    times(4, (i) => disc(polar(at, random() * 360, r * (0.25 + random() * 0.5)), r * 0.12, i % 3 ? C.coral : C.rose))
  const rows = times(5, (row) => {
    const r = 17 + row * 7
    const contour = (x: number) => 440 + row * (44 + row * 6) + Math.sin(x / 210 + row * 1.1) * (14 + row * 3)
    const ground = times(41, (i) => `${i * 32} ${(contour(i * 32) - r * 0.4).toFixed(1)} `)
    const count = Math.ceil(1320 / (r * 1.9))
    const fill = ['#c79a63', '#bf8b55', '#b57e4b', '#a97043', '#9c643c'][row]
    return (
      `<polygon points="${ground}1280 720 0 720" fill="${fill}"/>` +
      line(`M${ground}`, '#fff', 3, 'opacity=".18"') +
      times(count, (i) => bush([i * r * 1.9 + (row % 2) * r, contour(i * r * 1.9 + (row % 2) * r)], r))
    )
  })
  const beds = times(3, (i) =>
    placed(
      [1010 + i * 20, 560 + i * 58],
      polygon(
        [
          [-150, 0],
          [170, -14],
          [210, 22],
          [-130, 40]
        ],
        C.bark
      ) +
        polygon(
          [
            [-136, 4],
            [164, -9],
            [194, 20],
            [-118, 34]
          ],
          i === 1 ? C.coral : '#d8a25c'
        ) +
        line('M-110 40 V66 M190 24 V50', C.roast, 7)
    )
  )
  const hut = placed(
    [300, 436],
    rect([-62, -70], [124, 76], C.paper) +
      polygon(
        [
          [-84, -66],
          [0, -126],
          [84, -66]
        ],
        C.coral
      ) +
      polygon(
        [
          [0, -126],
          [84, -66],
          [40, -66]
        ],
        '#b94c38'
      ) +
      rect([-14, -42], [30, 48], C.bark) +
      rect([-50, -52], [24, 22], C.deep)
  )
  return picture(
    1280,
    720,
    fade('sky', '#7fbdb8', '#d3e8de', '#fbe7c2'),
    glow('halo', '#fff6dc'),
    fade('far', '#5f9ea0', '#a9cfc4'),
    fade('near', '#357a70', '#7fb39a'),
    rect([0, 0], WIDE, 'url(#sky)'),
    sun([930, 168], 66, '#fff6e0'),
    cloud([250, 150], 1.2),
    cloud([640, 96], 0.8),
    birds(
      [
        [470, 190],
        [520, 164]
      ],
      C.deep
    ),
    hills(WIDE, [330, 214, 292, 168, 270, 190, 322, 240], 'url(#far)'),
    hills(WIDE, [372, 330, 396, 300, 366, 322, 280, 352], 'url(#near)'),
    hut,
    rows,
    beds
  )
}

/** A branch of the coffee plant with ripe cherries and two flowers. */
export function coffeeBranch(): Picture {
  const pairs = times(5, (i) => {
    const at: Point = [210 + i * 205, 458 - i * 52 + Math.sin(i) * 16]
    const fruit = [
      [-44, 24, C.coral],
      [8, 44, '#c8452f'],
      [50, 14, C.rose],
      [-6, -8, '#d9573c']
    ] as const
    return (
      leaf(at, -34 - i * 3, 1.25 - i * 0.09) +
      leaf(at, 152 - i * 4, 1.1 - i * 0.08, ['#275c43', '#4a8a60']) +
      fruit
        .slice(0, i === 4 ? 2 : 4)
        .map(([x, y, fill]) => cherry([at[0] + x, at[1] + y], 0.98 - i * 0.06, i === 3 && x > 20 ? '#e7b04b' : fill))
        .join('')
    )
  })
  const flower = (at: Point, scale: number) =>
    placed(
      at,
      times(5, (i) => placed([0, 0], oval([0, -34], [13, 32], '#fff'), i * 72)) + disc([0, 0], 10, C.lamp),
      12,
      scale
    )
  const frame = disc([640, 366], 318, '#fff', 'opacity=".5"') + ring([640, 366], 318, '#fff', 3)
  return picture(
    1280,
    720,
    fade('wall', '#dceee4', '#b9ddd0'),
    rect([0, 0], WIDE, 'url(#wall)'),
    frame,
    faint(
      0.35,
      leaf([80, 720], 12, 1.9, ['#8cc7bb', '#9dd2c4']) +
        leaf([1240, 60], 196, 1.7, ['#8cc7bb', '#9dd2c4']) +
        leaf([1130, 760], -24, 1.6, ['#8cc7bb', '#9dd2c4'])
    ),
    line('M-20 528 C240 470 620 380 1130 226', C.bark, 17),
    line('M-20 522 C240 464 620 374 1130 220', '#94654a', 5),
    leaf([1120, 232], 62, 0.95),
    leaf([1116, 228], 22, 0.7),
    pairs,
    flower([356, 330], 1),
    flower([902, 182], 0.8),
    flower([724, 470], 0.62)
  )
}
