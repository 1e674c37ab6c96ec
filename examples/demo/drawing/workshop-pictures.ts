import { HILL as C, bicycle, cog, hexKeys, pliers, pump, screwdriver, wheel, wrench } from './bicycle-motifs.ts'
import {
  clipped,
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

/** The workshop: a bicycle in the stand before the tool wall. */
export function workshopWall(): Picture {
  const holes = faint(
    0.5,
    times(14, (i) => times(6, (j) => disc([410 + i * 58, 86 + j * 52], 3, '#b98d5d')))
  )
  const board =
    rect([370, 46], [830, 330], '#e3bd8a', 'rx="10"') + rect([370, 46], [830, 12], '#f0d3a6', 'rx="6"') + holes
  const tools = [wrench(C.steel), wrench(C.slate), screwdriver(C.orange), screwdriver(C.fern), pliers(C.rust), hexKeys]
    .map((tool, i) => placed([450 + i * 104, 204], faint(0.18, placed([9, 12], tool)) + tool, 0, 0.82))
    .join('')
  const spare = faint(0.18, wheel([1118, 214], 86)) + wheel([1110, 204], 86, 12)
  const window =
    rect([70, 70], [230, 270], C.cream, 'rx="8"') +
    rect([84, 84], [202, 242], 'url(#day)') +
    clipped(
      'pane',
      rect([84, 84], [202, 242], '#000'),
      disc([230, 150], 34, '#fff6d8') +
        shape('M84 260 Q150 200 210 250 T320 230 V330 H84 Z', C.fern) +
        shape('M84 300 Q160 250 300 300 V330 H84 Z', C.moss)
    ) +
    rect([180, 84], [10, 242], C.cream) +
    rect([84, 200], [202, 10], C.cream)
  const lamp =
    line('M700 0 V54', C.ink, 5) +
    polygon(
      [
        [660, 92],
        [680, 50],
        [720, 50],
        [740, 92]
      ],
      C.orange
    ) +
    oval([700, 92], [40, 8], '#ffe9b0') +
    polygon(
      [
        [664, 96],
        [736, 96],
        [960, 640],
        [440, 640]
      ],
      '#fff3c4',
      'opacity=".2"'
    )
  const bench =
    rect([860, 500], [380, 24], C.woodDark, 'rx="5"') +
    rect([860, 496], [380, 12], C.wood, 'rx="5"') +
    rect([884, 524], [26, 126], C.woodDark) +
    rect([1190, 524], [26, 126], C.woodDark) +
    rect([930, 540], [240, 70], C.wood, 'rx="5"') +
    disc([1050, 574], 8, C.ink) +
    placed([960, 496], rect([-36, -50], [72, 50], C.fern, 'rx="6"') + rect([-20, -64], [40, 16], C.ink, 'rx="5"')) +
    placed(
      [1060, 496],
      rect([-22, -66], [44, 66], C.gold, 'rx="6"') +
        polygon(
          [
            [-10, -66],
            [10, -66],
            [3, -92],
            [-3, -92]
          ],
          C.rust
        )
    ) +
    placed([1160, 470], ring([0, 0], 25, C.ink, 9))
  const stand =
    line('M500 650 L470 672 M500 650 L560 672 M500 650 V420 L470 392', C.slate, 16) +
    rect([440, 372], [50, 34], C.rust, 'rx="9"')
  return picture(
    1280,
    720,
    fade('wall', '#33665c', '#24514a'),
    fade('day', '#9fd3dc', '#e6f2dd'),
    fade('floor', '#a9744a', '#835636'),
    rect([0, 0], WIDE, 'url(#wall)'),
    window,
    board,
    tools,
    spare,
    rect([0, 640], [1280, 80], 'url(#floor)'),
    rect([0, 640], [1280, 8], '#c89364'),
    times(7, (i) => line(`M${i * 210 - 30} 720 L${i * 190 + 40} 648`, '#6f4729', 3, 'opacity=".5"')),
    bench,
    stand,
    oval([420, 674], [280, 14], C.ink, 'opacity=".3"'),
    bicycle([480, 628], 1.02, C.orange),
    pump([160, 672], 0.9, C.rust),
    lamp
  )
}

/** Three tires of rising width on the ground that each is made for. */
export function threeTires(): Picture {
  const random = seeded(8)
  const halves = [44, 66, 96]
  const column = (i: number, [ground, top]: readonly [string, string]) =>
    rect([i * 427, 0], [427, 720], ['#cfe6e6', '#f7e6bf', '#d5dfb5'][i] ?? '#fff') +
    disc([i * 427 + 213, 300], 176, '#fff', 'opacity=".45"') +
    rect([i * 427, 560], [427, 160], ground) +
    rect([i * 427, 560], [427, 12], top)
  const outline = (half: number) =>
    `M${-half} -150 C${-half} -40 ${-half * 0.7} 0 0 0 C${half * 0.7} 0 ${half} -40 ${half} -150 ` +
    `V-330 C${half} -440 ${half * 0.7} -476 0 -476 C${-half * 0.7} -476 ${-half} -440 ${-half} -330 Z`
  const tire = (x: number, half: number, [tread, knobs, side]: readonly [string, number, string]) =>
    placed(
      [x, 560],
      oval([0, 4], [half + 20, 12], C.ink, 'opacity=".3"') +
        shape(outline(half), tread) +
        shape(
          `M${-half} -150 C${-half} -40 ${-half * 0.7} 0 0 0 ` +
            `C${-half * 0.5} -30 ${-half * 0.62} -60 ${-half * 0.62} -150 V-330 ` +
            `C${-half * 0.62} -420 ${-half * 0.5} -450 0 -476 ` +
            `C${-half * 0.7} -476 ${-half} -440 ${-half} -330 Z`,
          side,
          'opacity=".9"'
        ) +
        clipped(
          `tire${half}`,
          shape(outline(half), '#000'),
          times(knobs, (i) => {
            const y = -430 + i * (390 / Math.max(1, knobs - 1))
            return (
              rect([-half * 0.34, y], [half * 0.3, 16], C.ink, 'rx="4" opacity=".55"') +
              rect([half * 0.12, y + 12], [half * 0.3, 16], C.ink, 'rx="4" opacity=".55"') +
              (half > 80 ? rect([half * 0.62, y + 4], [half * 0.34, 18], C.ink, 'rx="4" opacity=".55"') : '')
            )
          })
        ) +
        line(`M0 -440 C${half * 0.3} -300 ${half * 0.3} -180 0 -40`, '#fff', 4, `opacity="${knobs ? 0 : 0.25}"`)
    )
  const pebbles = (x: number, colors: string[], size: number) =>
    times(20, (i) => {
      const at: Point = [x + 24 + random() * 380, 592 + random() * 112]
      return (
        oval([at[0] + 2, at[1] + size * 0.3], [size + 2, size * 0.6], '#000', 'opacity=".18"') +
        oval(at, [size * (0.6 + random() * 0.6), size * (0.4 + random() * 0.3)], colors[i % colors.length] ?? '#fff')
      )
    })
  return picture(
    1280,
    720,
    column(0, ['#6c7f85', '#8799a0']),
    column(1, ['#c9a470', '#dcbd8e']),
    column(2, ['#6b5236', '#84694a']),
    line('M40 640 H170 M240 640 H380', '#e8eeee', 9),
    pebbles(427, ['#b58c58', '#e0c79c', '#a57d4c'], 11),
    pebbles(854, ['#4e3b26', '#7d6a3c', '#556b3a'], 18),
    tire(213, 44, ['#39474d', 0, '#222d33']),
    tire(640, 66, ['#39474d', 9, '#b98a55']),
    tire(1067, 96, ['#2f3b40', 8, '#1e282d']),
    halves
      .map((half, i) =>
        line(
          `M${213 + i * 427 - half} 44 v26 M${213 + i * 427 + half} 44 v26 M${213 + i * 427 - half} 57 h${2 * half}`,
          C.rust,
          6
        )
      )
      .join('')
  )
}

/** A chainring drives a cog: the ratio as a picture. */
export function chainAndCogs(): Picture {
  const [big, small]: [Point, Point] = [
    [450, 372],
    [930, 372]
  ]
  const [touch, mirror]: [number, number] = [-74.8, 74.8]
  const corners = [
    polar(big, touch, 232),
    polar(small, touch, 106),
    polar(small, mirror, 106),
    polar(big, mirror, 232)
  ].map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`)
  const [a, b, c, d] = corners
  const chain = `M${a} L${b} A106 106 0 0 1 ${c} L${d} A232 232 0 1 1 ${a} Z`
  const ticks = times(36, (i) => {
    const [a, b] = [polar(big, i * 10, 292), polar(big, i * 10, i % 3 ? 302 : 316)]
    return line(`M${a[0].toFixed(1)} ${a[1].toFixed(1)} L${b[0].toFixed(1)} ${b[1].toFixed(1)}`, C.moss, 4)
  })
  return picture(
    1280,
    720,
    fade('wall', '#1f4d43', '#163a36'),
    glow('halo', '#6da267', 0.35),
    rect([0, 0], WIDE, 'url(#wall)'),
    disc([640, 360], 620, 'url(#halo)'),
    faint(
      0.16,
      times(9, (i) => line(`M${i * 160} 0 V720`, '#fff', 2)) +
        times(5, (i) => line(`M0 ${40 + i * 160} H1280`, '#fff', 2))
    ),
    faint(0.5, ticks),
    faint(0.35, line(chain, '#0b1f20', 22, 'transform="translate(8 14)"')),
    cog(big, [236, 44], C.orange, '#1b443c'),
    ring(big, 200, C.rust, 6),
    line(`M${big[0]} ${big[1]} L${big[0] + 196} ${big[1] + 236}`, C.ink, 40),
    line(`M${big[0]} ${big[1]} L${big[0] + 196} ${big[1] + 236}`, C.steel, 30),
    rect([big[0] + 150, big[1] + 226], [110, 30], C.ink, 'rx="9"'),
    disc(big, 40, C.steel),
    disc(big, 18, C.slate),
    cog(small, [110, 17], C.gold, '#1b443c'),
    line(chain, C.ink, 20),
    line(chain, '#c9d6d8', 12, 'stroke-dasharray="2 26"'),
    line(chain, C.steel, 6, 'stroke-dasharray="14 14"')
  )
}

/** A chain is brushed clean beside a bucket; petals in the air. */
export function chainCare(): Picture {
  const links = times(19, (i) => {
    const x = 40 + i * 66
    const y = 430 + Math.sin(i * 0.5) * 26
    return placed(
      [x, y],
      i % 2
        ? rect([-46, -17], [92, 34], C.slate, 'rx="17"') + rect([-40, -12], [80, 9], '#fff', 'rx="4" opacity=".2"')
        : rect([-46, -24], [92, 48], C.steel, 'rx="24"') +
            rect([-38, -17], [76, 12], '#fff', 'rx="6" opacity=".35"') +
            disc([-26, 0], 11, C.ink) +
            disc([26, 0], 11, C.ink),
      Math.cos(i * 0.5) * 11
    )
  })
  const brush = placed(
    [520, 330],
    faint(0.18, rect([-20, -196], [60, 300], C.ink, 'rx="20"')) +
      rect([-26, -260], [52, 230], C.rust, 'rx="24"') +
      rect([-12, -244], [10, 190], '#fff', 'rx="5" opacity=".3"') +
      disc([0, -232], 9, C.cream) +
      rect([-70, -50], [140, 44], C.wood, 'rx="12"') +
      times(11, (i) => line(`M${-60 + i * 12} -6 l${(i - 5) * 1.5} 58`, i % 2 ? C.cream : C.sand, 9)),
    18
  )
  const bubbles = (
    [
      [600, 360, 26],
      [650, 318, 16],
      [560, 408, 14],
      [690, 370, 11],
      [470, 392, 18],
      [430, 352, 10],
      [622, 278, 9]
    ] as const
  )
    .map(([x, y, r]) => disc([x, y], r, '#fff', 'opacity=".55"') + disc([x - r * 0.3, y - r * 0.3], r * 0.28, '#fff'))
    .join('')
  const bottle = placed(
    [940, 640],
    oval([4, 2], [80, 10], C.ink, 'opacity=".25"') +
      shape('M-60 0 V-150 Q-60 -190 -24 -200 V-232 H24 V-200 Q60 -190 60 -150 V0 Z', C.fern) +
      shape('M30 -199 Q60 -190 60 -150 V0 H22 V-150 Q22 -186 30 -199 Z', C.pine) +
      polygon(
        [
          [-20, -232],
          [20, -232],
          [5, -292],
          [-5, -292]
        ],
        C.gold
      ) +
      shape('M0 -146 C34 -100 34 -62 0 -58 C-34 -62 -34 -100 0 -146 Z', C.gold)
  )
  const bucket = placed(
    [1110, 650],
    oval([4, 2], [110, 12], C.ink, 'opacity=".25"') +
      `<path d="M-92 -160 C-80 -270 80 -270 92 -160" fill="none" stroke="${C.slate}" stroke-width="8"/>` +
      polygon(
        [
          [-100, -160],
          [100, -160],
          [76, 0],
          [-76, 0]
        ],
        C.orange
      ) +
      polygon(
        [
          [100, -160],
          [76, 0],
          [30, 0],
          [44, -160]
        ],
        C.rust
      ) +
      oval([0, -160], [100, 20], '#d9eef0') +
      times(6, (i) => disc([-66 + i * 26, -168 - (i % 2) * 12], 17 + (i % 3) * 5, '#fff', 'opacity=".9"'))
  )
  const petals = (
    [
      [140, 120, 20],
      [250, 210, 70],
      [380, 90, 140],
      [780, 130, 40],
      [860, 230, 100],
      [1180, 130, 10],
      [1010, 180, 160],
      [90, 300, 200]
    ] as const
  )
    .map(([x, y, turn]) =>
      placed(
        [x, y],
        shape('M0 -24 C22 -18 18 14 0 24 C-18 14 -22 -18 0 -24 Z', '#f3a9a0') +
          line('M0 -16 V14', '#fff', 3, 'opacity=".5"'),
        turn
      )
    )
    .join('')
  return picture(
    1280,
    720,
    fade('wall', '#f9e4d4', '#fbf1dd'),
    fade('mat', '#4f7f74', '#3a665e'),
    rect([0, 0], WIDE, 'url(#wall)'),
    disc([560, 330], 300, '#f7cdbb', 'opacity=".7"'),
    rect([0, 540], [1280, 180], 'url(#mat)'),
    rect([0, 540], [1280, 10], '#6f9d90'),
    petals,
    faint(0.15, placed([10, 30], links)),
    links,
    brush,
    bubbles,
    bottle,
    bucket
  )
}

/** The four bolts of a stem and the order in which they are drawn tight. */
export function stemBolts(): Picture {
  const bolts: Point[] = [
    [480, 240],
    [800, 240],
    [480, 480],
    [800, 480]
  ]
  const order = [0, 2, 3, 1]
  const hexagon = (at: Point, r: number) =>
    polygon(
      Array.from({ length: 6 }, (_, i) => polar(at, i * 60 + 30, r)),
      C.ink
    )
  const bolt = (at: Point, i: number) =>
    disc([at[0] + 5, at[1] + 8], 50, '#000', 'opacity=".25"') +
    disc(at, 50, C.steel) +
    ring(at, 44, '#c7d4d6', 5) +
    hexagon(at, 23) +
    times((order[i] ?? 0) + 1, (dot) =>
      disc([at[0] + (at[0] < 640 ? -118 : 118), at[1] - (order[i] ?? 0) * 13 + dot * 26], 10, C.gold)
    )
  const arrow = (from: Point, to: Point, bend: Point) => {
    const turn = (Math.atan2(to[1] - bend[1], to[0] - bend[0]) * 180) / Math.PI
    return (
      line(`M${from[0]} ${from[1]} Q${bend[0]} ${bend[1]} ${to[0]} ${to[1]}`, C.cream, 9, 'stroke-dasharray="2 18"') +
      placed(
        to,
        polygon(
          [
            [-8, -18],
            [26, 0],
            [-8, 18]
          ],
          C.cream
        ),
        turn
      )
    )
  }
  return picture(
    1280,
    720,
    fade('wall', '#2f6a5a', '#1f4d45'),
    fade('plate', '#f08f52', '#d9662b'),
    rect([0, 0], WIDE, 'url(#wall)'),
    faint(0.12, disc([640, 360], 420, '#fff')),
    rect([-20, 288], [1320, 144], C.ink),
    rect([-20, 300], [1320, 26], '#fff', 'opacity=".14"'),
    times(8, (i) => rect([20 + i * 36, 288], [8, 144], C.slate, 'opacity=".5"')),
    times(8, (i) => rect([1000 + i * 36, 288], [8, 144], C.slate, 'opacity=".5"')),
    rect([396, 172], [500, 396], '#000', 'rx="70" opacity=".25"'),
    rect([390, 160], [500, 396], 'url(#plate)', 'rx="70"'),
    rect([560, 200], [160, 316], '#fff', 'rx="50" opacity=".13"'),
    arrow([540, 284], [738, 436], [640, 350]),
    arrow([760, 470], [800, 310], [830, 390]),
    arrow([740, 280], [542, 438], [640, 372]),
    bolts.map(bolt).join('')
  )
}
