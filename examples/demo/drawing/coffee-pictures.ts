import { HARBOR as C, bag, bean, cupFromAbove, gooseneck, leaf, orangeSlice, steam, strewn } from './coffee-motifs.ts'
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
const table = (y: number, top: string, edge: string) =>
  rect([0, y], [1280, 720 - y], top) + rect([0, y], [1280, 14], edge)

/** A cone dripper on its carafe while water is poured. */
export function pourOver(): Picture {
  const carafe =
    shape(
      'M-86 -214 C-84 -176 -150 -130 -150 -60 C-150 -14 -126 0 -96 0 ' +
        'H96 C126 0 150 -14 150 -60 C150 -130 84 -176 86 -214 Z',
      '#fff',
      'opacity=".55"'
    ) +
    shape('M-143 -92 C-150 -40 -140 -8 -96 -8 H96 C140 -8 150 -40 143 -92 C120 -80 -110 -104 -143 -92 Z', C.roast) +
    oval([0, -91], [142, 13], C.bark) +
    rect([-92, -226], [184, 24], C.bark, 'rx="10"') +
    line('M-118 -60 C-118 -110 -88 -138 -76 -160', '#fff', 9, 'opacity=".7"') +
    line('M0 -206 V-96', C.bark, 5)
  const cone =
    oval([0, -222], [112, 13], C.deep) +
    shape('M-128 -386 H128 L48 -238 H-48 Z', C.coral) +
    shape('M128 -386 L48 -238 H14 L62 -386 Z', '#b94c38') +
    line('M-92 -368 L-34 -252 M-44 -368 L-14 -252', '#fff', 5, 'opacity=".22"') +
    line('M120 -360 C190 -360 168 -280 86 -292', '#b94c38', 15) +
    oval([0, -386], [128, 20], C.milk) +
    oval([0, -386], [106, 14], C.bark) +
    oval([-8, -388], [60, 7], '#a8774f') +
    disc([-50, -386], 4, '#c79a6c') +
    disc([46, -384], 5, '#c79a6c')
  const scale =
    rect([-190, 0], [380, 34], C.night, 'rx="12"') +
    rect([-170, 8], [110, 18], C.glass, 'rx="4"') +
    disc([150, 17], 8, C.lamp)
  const plant = placed(
    [150, 596],
    leaf([0, -60], -28, 0.95) +
      leaf([6, -60], 26, 1.05) +
      leaf([0, -60], 2, 1.2, ['#275c43', '#4a8a60']) +
      leaf([-4, -60], -62, 0.75) +
      leaf([8, -60], 60, 0.7) +
      polygon(
        [
          [-70, -84],
          [70, -84],
          [52, 22],
          [-52, 22]
        ],
        C.lamp
      ) +
      polygon(
        [
          [70, -84],
          [52, 22],
          [18, 22],
          [30, -84]
        ],
        '#d08f37'
      ) +
      rect([-78, -98], [156, 22], '#f7c473', 'rx="6"')
  )
  return picture(
    1280,
    720,
    fade('wall', '#f7dfbd', '#fbf0dd'),
    fade('board', '#9a6644', '#7b4d34'),
    rect([0, 0], WIDE, 'url(#wall)'),
    faint(
      0.5,
      times(4, (i) => rect([-30 + i * 330, 0], [9, 566], '#fff')) +
        times(3, (i) => rect([0, 60 + i * 190], [1280, 9], '#fff'))
    ),
    disc([610, 300], 264, '#f6c8a8'),
    disc([610, 300], 196, '#f7cf94'),
    table(566, 'url(#board)', '#b47d56'),
    plant,
    oval([640, 622], [250, 18], C.night, 'opacity=".28"'),
    placed([610, 586], scale),
    placed([610, 586], carafe + cone),
    line('M622 152 C624 170 618 178 616 198', '#d8f0f0', 9),
    gooseneck([624, 146], 1.18),
    steam([552, 182], 0.62),
    bean([900, 622], 60, 0.5),
    bean([952, 648], 120, 0.56, C.bark),
    bean([1008, 616], 20, 0.46),
    bean([318, 654], 80, 0.5),
    bean([372, 630], 150, 0.44, C.bark)
  )
}

/** A tall glass of cold brew; upright. */
export function coldBrew(): Picture {
  const random = seeded(3)
  const outline = 'M-150 -620 H150 L122 -20 Q120 0 98 0 H-98 Q-120 0 -122 -20 Z'
  const ice = times(6, (i) =>
    placed(
      [-62 + (i % 2) * 118 + random() * 20, -520 + Math.floor(i / 2) * 116 + random() * 20],
      rect([-46, -46], [92, 92], '#fff', 'rx="18" opacity=".34"') +
        line('M-28 -20 V-30 Q-28 -34 -22 -34 H6', '#fff', 6, 'opacity=".7"'),
      random() * 50 - 25
    )
  )
  const glass = placed(
    [450, 1040],
    oval([20, 4], [190, 22], C.night, 'opacity=".25"') +
      line('M40 -40 L112 -760', C.teal, 17) +
      shape(outline, '#fff', 'opacity=".38"') +
      clipped(
        'glass',
        shape(outline, '#000'),
        rect([-160, -566], [320, 580], 'url(#brew)') + oval([0, -566], [148, 20], '#e0a566') + ice
      ) +
      line('M-118 -580 L-96 -60', '#fff', 12, 'opacity=".5"') +
      oval([0, -620], [150, 22], '#fff', 'opacity=".45"')
  )
  const pods = (
    [
      [180, 1060, -20],
      [244, 1092, 24],
      [690, 1068, 12],
      [742, 1100, -34]
    ] as const
  )
    .map(([x, y, turn]) =>
      placed(
        [x, y],
        oval([4, 10], [40, 14], C.night, 'opacity=".2"') +
          shape('M-42 0 C-20 -30 24 -28 46 0 C24 26 -20 26 -42 0 Z', '#a9bd6b') +
          line('M-34 0 C-10 -8 20 -8 40 0 M-24 -9 C-6 -18 12 -18 28 -9', '#75894a', 4),
        turn
      )
    )
    .join('')
  return picture(
    900,
    1200,
    fade('wall', '#f4b08f', '#f7cfa6'),
    fade('brew', '#b06a38', '#6b3a22', '#3a2018'),
    rect([0, 0], [900, 1200], 'url(#wall)'),
    disc([450, 520], 350, '#fbe0b5'),
    disc([450, 520], 262, '#fcebcb'),
    faint(
      0.9,
      leaf([-10, 700], 42, 1.9) +
        leaf([920, 420], -52, 1.7) +
        leaf([930, 560], -100, 1.3, ['#275c43', '#4a8a60']) +
        leaf([-30, 560], 84, 1.3, ['#275c43', '#4a8a60'])
    ),
    rect([0, 990], [900, 210], C.coral),
    rect([0, 990], [900, 12], C.rose),
    glass,
    orangeSlice([322, 436], -18, 1.25),
    placed([600, 1100], oval([0, 8], [96, 28], C.night, 'opacity=".22"')),
    placed([600, 1088], `<g transform="scale(1 .36)">${orangeSlice([0, 0], 10, 1.15)}</g>`),
    pods
  )
}

/** A drum roaster with its cooling tray full of beans. */
export function roaster(): Picture {
  const tiles = times(9, (i) =>
    times(4, (j) => rect([i * 146 + (j % 2) * 73 - 76, 40 + j * 130], [140, 124], '#fff', 'opacity=".05"'))
  )
  const pipe =
    line('M470 300 V150 Q470 96 524 96 H900 Q950 96 950 46 V-20', C.night, 46) +
    line('M458 300 V150 Q458 84 524 84 H900', '#fff', 6, 'opacity=".14"') +
    rect([520, 66], [20, 62], C.deep) +
    rect([760, 66], [20, 62], C.deep)
  const body =
    rect([300, 264], [420, 300], C.coral, 'rx="26"') +
    shape('M640 264 H694 Q720 264 720 290 V538 Q720 564 694 564 H640 Z', '#b94c38') +
    disc([486, 404], 126, C.night) +
    disc([486, 404], 108, '#2f4a52') +
    disc([486, 404], 108, 'url(#fire)') +
    times(8, (i) => disc(polar([486, 404], i * 45 + 22, 117), 5, C.glass)) +
    ring([486, 404], 66, C.lamp, 5) +
    times(9, (i) => bean(polar([486, 414], i * 40, 36 + (i % 3) * 12), i * 53, 0.34)) +
    polygon(
      [
        [400, 264],
        [340, 150],
        [560, 150],
        [500, 264]
      ],
      C.glass
    ) +
    polygon(
      [
        [500, 264],
        [560, 150],
        [510, 150],
        [462, 264]
      ],
      C.teal
    ) +
    oval([450, 150], [110, 17], C.roast) +
    line('M662 330 H700 M662 360 H690', C.paper, 9) +
    disc([676, 420], 24, C.paper) +
    line('M676 420 L688 406', C.coral, 5) +
    rect([330, 560], [36, 84], C.night) +
    rect([650, 560], [36, 84], C.night)
  const tray = placed(
    [930, 520],
    polygon(
      [
        [-216, -80],
        [-160, -70],
        [-150, -36],
        [-216, -30]
      ],
      C.deep
    ) +
      rect([-24, 20], [48, 120], C.night) +
      oval([0, 20], [196, 54], C.night) +
      oval([0, 0], [196, 54], C.glass) +
      oval([0, -2], [176, 45], C.roast) +
      clipped(
        'tray',
        oval([0, -2], [174, 43], '#000'),
        times(46, (i) =>
          bean([-160 + ((i * 71) % 322), -38 + ((i * 37) % 76)], i * 47, 0.3, i % 3 ? C.bark : '#5a3626')
        )
      ) +
      line('M0 -6 L120 24 M0 -6 L-124 -24', C.lamp, 8) +
      rect([-9, -60], [18, 58], C.lamp, 'rx="7"') +
      disc([0, -62], 14, C.paper)
  )
  const sacks = placed(
    [150, 646],
    oval([30, 4], [150, 14], '#000', 'opacity=".25"') +
      shape('M-84 0 C-110 -80 -90 -150 -40 -164 C0 -172 50 -160 70 -140 C96 -90 90 -30 80 0 Z', '#d9b483') +
      shape('M-40 -164 C-60 -190 -20 -196 0 -184 C30 -200 60 -170 40 -158 Z', '#c39a67') +
      line('M-42 -158 C-10 -148 20 -148 44 -154', C.bark, 8) +
      shape('M-10 -66 C-30 -90 -6 -116 12 -104 C34 -90 16 -54 -10 -66 Z', C.teal, 'opacity=".75"')
  )
  return picture(
    1280,
    720,
    fade('wall', '#1f5a63', '#2f7d80'),
    glow('fire', '#ffb347', 0.95),
    glow('halo', '#ffdf9e', 0.5),
    rect([0, 0], WIDE, 'url(#wall)'),
    tiles,
    disc([640, 360], 470, 'url(#halo)'),
    rect([0, 640], [1280, 80], C.night),
    rect([0, 640], [1280, 8], '#3f6b73'),
    oval([510, 646], [260, 12], '#000', 'opacity=".35"'),
    pipe,
    body,
    tray,
    sacks,
    bag([1170, 646], 0.42, [C.sand, '#d2b083']),
    steam([930, 470], 0.7)
  )
}

/** A cup from above on a painted table; square. */
export function cupOnTable(): Picture {
  const spoon = placed(
    [846, 560],
    placed(
      [14, 16],
      shape(
        'M-10 -110 H10 L16 240 Q0 256 -16 240 Z M0 -250 C46 -250 50 -130 0 -104 C-50 -130 -46 -250 0 -250 Z',
        '#000',
        'opacity=".16"'
      )
    ) +
      shape('M-9 -110 H9 L15 240 Q0 256 -15 240 Z', C.lamp) +
      oval([0, -178], [42, 74], C.lamp) +
      oval([-4, -184], [28, 56], '#d99a3d'),
    14
  )
  return picture(
    1000,
    1000,
    fade('top', '#2f858a', '#1d5a64'),
    rect([0, 0], [1000, 1000], 'url(#top)'),
    times(5, (i) => rect([0, 196 + i * 200], [1000, 5], C.night, 'opacity=".22"')),
    times(5, (i) => line(`M${80 + i * 190} ${70 + ((i * 230) % 900)} h140`, '#fff', 4, 'opacity=".1"')),
    strewn(
      54,
      [1000, 1000],
      ([x, y]) => Math.hypot(x - 450, y - 500) > 350 && !(x > 760 && x < 930 && y > 280 && y < 860)
    ),
    cupFromAbove([450, 500], 1.06),
    spoon
  )
}

/** A jug, four mugs and a view of the cranes: coffee for an office. */
export function officeBrewer(): Picture {
  const view = clipped(
    'view',
    rect([120, 70], [600, 380], '#000', 'rx="10"'),
    rect([120, 70], [600, 380], 'url(#sky)') +
      disc([560, 190], 46, '#fff3d6') +
      shape('M100 352 C240 300 330 350 450 322 S640 300 740 340 V460 H100 Z', '#6d9aa0') +
      rect([100, 392], [640, 70], C.teal) +
      line('M250 400 L266 238 L282 400 M232 262 L268 238 L372 206 M258 320 H274 M360 212 V296', C.night, 8) +
      rect([344, 296], [32, 22], C.night) +
      rect([470, 366], [150, 30], C.coral) +
      rect([490, 340], [40, 26], C.lamp) +
      rect([534, 346], [40, 20], C.paper)
  )
  const frame =
    `<rect x="120" y="70" width="600" height="380" rx="10" fill="none" stroke="${C.milk}" stroke-width="18"/>` +
    rect([412, 70], [14, 380], C.milk) +
    rect([104, 452], [632, 20], C.milk, 'rx="6"')
  const machine = placed(
    [930, 590],
    oval([0, 4], [190, 16], C.night, 'opacity=".25"') +
      rect([-160, -30], [320, 30], C.night, 'rx="10"') +
      rect([50, -380], [110, 360], C.night, 'rx="14"') +
      rect([-160, -400], [320, 96], C.deep, 'rx="18"') +
      rect([-160, -400], [320, 20], '#fff', 'rx="10" opacity=".12"') +
      polygon(
        [
          [-110, -304],
          [50, -304],
          [20, -244],
          [-80, -244]
        ],
        C.night
      ) +
      rect([82, -250], [46, 150], C.glass, 'rx="10" opacity=".5"') +
      rect([82, -170], [46, 70], C.teal, 'rx="8"') +
      disc([120, -352], 13, C.coral) +
      disc([82, -352], 13, C.lamp) +
      shape('M-110 -30 C-126 -120 -110 -190 -84 -214 H24 C50 -190 66 -120 50 -30 Z', '#d5dfe0') +
      shape('M24 -214 C50 -190 66 -120 50 -30 H8 C24 -110 16 -190 0 -214 Z', '#a9bcbf') +
      rect([-92, -236], [124, 26], C.night, 'rx="10"') +
      line('M-100 -184 C-176 -184 -176 -76 -112 -72', C.night, 17)
  )
  const mug = (at: Point, [color, shade]: readonly [string, string]) =>
    placed(
      at,
      oval([4, 2], [64, 9], C.night, 'opacity=".25"') +
        line('M46 -78 C92 -80 92 -24 46 -24', color, 14) +
        rect([-54, -104], [104, 104], color, 'rx="14"') +
        shape('M24 -104 H36 Q50 -104 50 -90 V-14 Q50 0 36 0 H16 Z', shade) +
        oval([-2, -102], [50, 10], C.roast)
    )
  return picture(
    1280,
    720,
    fade('wall', '#f6e3c6', '#fbf0dd'),
    fade('sky', '#8cc7bb', '#f7d9ae'),
    fade('desk', '#b98059', '#96623f'),
    rect([0, 0], WIDE, 'url(#wall)'),
    view,
    frame,
    rect([0, 580], [1280, 140], 'url(#desk)'),
    rect([0, 580], [1280, 12], '#d19a70'),
    machine,
    mug([170, 648], [C.coral, '#b94c38']),
    mug([318, 634], [C.teal, C.deep]),
    mug([466, 650], [C.lamp, '#cf8f38']),
    mug([614, 636], [C.milk, C.sand]),
    steam([318, 520], 0.45),
    steam([614, 522], 0.45),
    rect([1130, 330], [120, 12], C.bark),
    placed(
      [1190, 330],
      polygon(
        [
          [-40, -60],
          [40, -60],
          [30, 0],
          [-30, 0]
        ],
        C.coral
      ) +
        leaf([0, -50], -24, 0.42) +
        leaf([0, -50], 24, 0.46) +
        leaf([0, -50], 0, 0.55)
    )
  )
}

/** A bag of beans between leaves; the ground is transparent. */
export function bagOfBeans(): Picture {
  return picture(
    1000,
    800,
    leaf([330, 640], -46, 1.9, ['#275c43', '#4a8a60']),
    leaf([680, 640], 48, 1.8, ['#275c43', '#4a8a60']),
    leaf([360, 650], -70, 1.3),
    leaf([650, 650], 74, 1.25),
    oval([500, 730], [330, 28], C.night, 'opacity=".22"'),
    bag([500, 730], 1.42, [C.coral, '#bd4d38']),
    bean([250, 716], 70, 0.85),
    bean([318, 740], 20, 0.7, C.bark),
    bean([196, 744], 130, 0.66, C.bark),
    bean([716, 738], 110, 0.85),
    bean([790, 718], 40, 0.7, C.bark),
    bean([772, 752], 170, 0.62)
  )
}

/** The Arabic coffee pot with two handleless cups and a bowl of dates. */
export function dallah(): Picture {
  const star = (at: Point, r: number) =>
    [0, 45]
      .map((turn) => placed(at, rect([-r, -r], [2 * r, 2 * r], 'none', 'stroke="#e9b765" stroke-width="3"'), turn))
      .join('') + ring(at, r * 0.62, '#e9b765', 3)
  const tiles = faint(
    0.26,
    times(9, (i) => times(4, (j) => star([i * 160, 60 + j * 160], 44)))
  )
  const arch =
    shape('M330 640 V300 C330 150 500 120 640 24 C780 120 950 150 950 300 V640 Z', '#17515b') +
    shape('M372 640 V310 C372 186 520 156 640 78 C760 156 908 186 908 310 V640 Z', 'url(#evening)') +
    shape('M770 222 A42 42 0 1 0 802 276 A34 34 0 1 1 770 222 Z', '#fdf0cf')
  const pot = placed(
    [600, 612],
    oval([10, 4], [170, 16], '#000', 'opacity=".35"') +
      line('M96 -250 C220 -260 230 -90 112 -70', '#8f5d24', 22) +
      shape(
        'M-52 -262 C-110 -272 -150 -312 -176 -352 C-150 -352 -120 -330 -92 -322 C-70 -318 -56 -312 -44 -306 Z',
        '#d89a3e'
      ) +
      shape(
        'M-56 -300 H62 C62 -250 44 -224 46 -200 C120 -150 136 -60 104 0 ' +
          'H-104 C-136 -60 -120 -150 -46 -200 C-44 -224 -62 -250 -56 -300 Z',
        '#eab159'
      ) +
      shape(
        'M20 -300 H62 C62 -250 44 -224 46 -200 C120 -150 136 -60 104 0 ' +
          'H30 C80 -70 70 -150 14 -200 C12 -230 26 -250 20 -300 Z',
        '#c68431'
      ) +
      shape('M-62 -300 C-50 -360 52 -360 68 -300 Z', '#d89a3e') +
      line('M3 -346 V-384', '#c68431', 9) +
      disc([3, -394], 13, '#eab159') +
      rect([-50, -214], [100, 13], '#a86b26', 'rx="6"') +
      line('M-110 -70 C-50 -50 50 -50 110 -70', '#a86b26', 6) +
      times(7, (i) => disc([-84 + i * 28, -92 + Math.abs(i - 3) * -3], 6, '#a86b26')) +
      line('M-74 -130 C-94 -90 -96 -60 -88 -30', '#fff', 9, 'opacity=".4"')
  )
  const finjan = (at: Point) =>
    placed(
      at,
      oval([6, 2], [60, 9], '#000', 'opacity=".3"') +
        shape('M-58 -82 C-54 -30 -36 0 -26 0 H26 C36 0 54 -30 58 -82 Z', C.milk) +
        shape('M58 -82 C54 -30 36 0 26 0 H0 C20 -20 30 -50 30 -82 Z', C.sand) +
        oval([0, -82], [58, 11], C.sand) +
        oval([0, -80], [48, 8], '#b8863f') +
        line('M-46 -52 C-20 -44 20 -44 46 -52', C.teal, 6) +
        line('M-40 -34 C-18 -28 18 -28 40 -34', C.coral, 4)
    )
  const dates = placed(
    [990, 640],
    oval([0, 4], [150, 14], '#000', 'opacity=".35"') +
      times(7, (i) =>
        placed(
          [-84 + i * 28, -70 - (i % 2) * 22],
          oval([0, 0], [34, 19], i % 2 ? '#6b3522' : '#8a4a2b') + oval([-8, -6], [14, 4], '#fff', 'opacity=".28"'),
          i * 31 - 60
        )
      ) +
      shape('M-136 -66 C-124 -14 -84 0 -50 0 H50 C84 0 124 -14 136 -66 Z', C.teal) +
      shape('M136 -66 C124 -14 84 0 50 0 H20 C70 -14 92 -40 100 -66 Z', C.deep) +
      line('M-120 -40 C-60 -28 60 -28 120 -40', '#e9b765', 5)
  )
  return picture(
    1280,
    720,
    fade('wall', '#12404a', '#0f323b'),
    fade('evening', '#1f5f74', '#c9846f', '#f3bd83'),
    rect([0, 0], WIDE, 'url(#wall)'),
    tiles,
    arch,
    rect([0, 612], [1280, 108], '#7a3b34'),
    rect([0, 612], [1280, 12], '#a35446'),
    times(16, (i) =>
      polygon(
        [
          [i * 84, 720],
          [i * 84 + 42, 672],
          [i * 84 + 84, 720]
        ],
        i % 2 ? '#e2a24c' : '#5a2a2a',
        'opacity=".75"'
      )
    ),
    pot,
    finjan([330, 650]),
    finjan([452, 668]),
    dates,
    steam([330, 560], 0.5)
  )
}
