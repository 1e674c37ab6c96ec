import { HILL as C, bicycle, lampBeam, pannier } from './bicycle-motifs.ts'
import { birds, cloud, fir, hills, meadow, roundTree, sun, wood } from './landscape.ts'
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
  polygon,
  rect,
  seeded,
  shape,
  times,
  type Picture,
  type Point
} from './svg.ts'

const WIDE: Point = [1280, 720]
const FIR = [C.pine, '#2f6a52'] as const
const steps = (count: number, at: (i: number) => Point) => Array.from({ length: count }, (_, i) => at(i))

/** First light: the road out of the village towards the ridge. */
export function ridgeMorning(): Picture {
  const village = times(4, (i) =>
    placed(
      [150 + i * 92, 452 + (i % 2) * 16],
      rect([-34, -46], [68, 50], i % 2 ? C.cream : C.sand) +
        polygon(
          [
            [-44, -42],
            [0, -84],
            [44, -42]
          ],
          i % 2 ? C.rust : C.orange
        ) +
        rect([-8, -26], [16, 30], C.woodDark) +
        rect([12, -34], [14, 14], C.gold)
    )
  )
  const steeple = placed(
    [250, 432],
    rect([-18, -96], [36, 100], C.cream) +
      polygon(
        [
          [-24, -94],
          [0, -170],
          [24, -94]
        ],
        C.slate
      ) +
      disc([0, -72], 9, C.gold)
  )
  const road =
    shape(
      'M470 720 C560 620 900 600 860 520 C836 476 640 470 700 424 C730 404 790 398 812 388 L822 394 ' +
        'C790 410 744 420 730 436 C710 466 920 474 940 530 C960 610 760 640 760 720 Z',
      '#ead9b6'
    ) +
    line(
      'M612 716 C680 630 920 600 900 526 C886 480 672 468 714 432',
      '#fff',
      4,
      'stroke-dasharray="16 20" opacity=".8"'
    )
  return picture(
    1280,
    720,
    fade('sky', '#8fc7d2', '#fbe3b9', '#f9c58a'),
    glow('halo', '#fff3c9'),
    fade('a', '#8fb4b4', '#cfd3b8'),
    fade('b', '#5f9384', '#9dbb8d'),
    fade('c', '#3f7d5c', '#6da267'),
    fade('d', '#2f6a4d', '#5c9352'),
    rect([0, 0], WIDE, 'url(#sky)'),
    sun([880, 250], 70, '#fff6da'),
    cloud([240, 140], 1.2, '#fff6e6'),
    cloud([560, 90], 0.7, '#fff6e6'),
    birds(
      [
        [600, 190],
        [650, 166],
        [1090, 150]
      ],
      C.slate
    ),
    hills(WIDE, [300, 240, 300, 210, 280, 230, 200, 270], 'url(#a)'),
    hills(WIDE, [370, 330, 360, 300, 340, 290, 340, 310], 'url(#b)'),
    hills(WIDE, [430, 460, 440, 420, 400, 384, 400, 380], 'url(#c)'),
    steeple,
    village,
    hills(WIDE, [520, 530, 480, 470, 500, 480, 450, 440], 'url(#d)'),
    road,
    wood(
      fir,
      steps(7, (i) => [1010 + i * 44, 500 + (i % 3) * 26]),
      [4, 110],
      FIR
    ),
    wood(
      roundTree,
      steps(5, (i) => [30 + i * 66, 590 + (i % 2) * 24]),
      [9, 100],
      [C.pine, C.fern]
    ),
    bicycle([640, 668], 0.44, C.rust, pannier(C.gold, '#d69a38')),
    meadow([0, 640, 420, 70], ['#8fb85f', C.gold, C.cream]),
    meadow([850, 620, 420, 90], ['#8fb85f', C.orange, C.cream], 3)
  )
}

/** Hairpins: the climb, seen from below. */
export function hairpins(): Picture {
  const road =
    'M220 760 C420 640 1010 690 1040 606 C1064 536 420 590 400 510 C386 446 930 486 944 418 ' +
    'C954 366 560 396 556 342 C554 304 760 306 770 268 C790 256 806 246 822 226'
  const slope = 'M-20 520 C200 420 460 300 770 252 C960 300 1130 400 1300 430 V740 H-20 Z'
  const rider = (at: Point, scale: number, color: string) =>
    bicycle(at, scale, color) +
    placed(
      at,
      line('M-70 -276 C-56 -350 0 -376 44 -356 L132 -262', C.orange, 44) +
        line('M-64 -262 L20 -190 L-14 -70', C.ink, 30) +
        disc([70, -404], 34, '#e8b48c') +
        shape('M34 -410 A38 38 0 0 1 108 -414 L112 -404 Z', C.cream),
      0,
      scale
    )
  return picture(
    1280,
    720,
    fade('sky', '#7fb9cb', '#e3f0e4'),
    glow('halo', '#fff'),
    fade('rock', '#8aa3a8', '#b9c7ba'),
    fade('slope', '#8ab077', '#3f7d5c', '#2b5f4a'),
    rect([0, 0], WIDE, 'url(#sky)'),
    cloud([1060, 150], 1.3),
    cloud([300, 110], 0.8),
    hills(WIDE, [340, 200, 260, 120, 210, 150, 250, 200, 330], 'url(#rock)'),
    shape(slope, 'url(#slope)'),
    faint(0.35, hills(WIDE, [640, 600, 560, 640, 700, 660, 600, 560], C.pine)),
    clipped(
      'ground',
      shape(slope, '#000'),
      line(road, '#2a3d3c', 46, 'opacity=".25" transform="translate(4 8)"') +
        line(road, '#e5d3ae', 40) +
        line(road, '#fff', 3, 'stroke-dasharray="18 18"')
    ),
    wood(
      fir,
      steps(9, (i) => [80 + i * 50, 540 - i * 20 + (i % 2) * 40]),
      [21, 84],
      FIR
    ),
    wood(
      fir,
      steps(8, (i) => [1010 + i * 40, 420 + i * 22]),
      [12, 116],
      FIR
    ),
    wood(
      fir,
      steps(4, (i) => [640 + i * 60, 480 + (i % 2) * 46]),
      [2, 60],
      FIR
    ),
    rider([520, 668], 0.42, C.rust),
    wood(
      fir,
      [
        [1120, 700],
        [1210, 724],
        [60, 720],
        [150, 740]
      ],
      [8, 190],
      ['#153a32', '#22564a']
    )
  )
}

/** Rain: shelter under the old bridge. */
export function rainBridge(): Picture {
  const random = seeded(19)
  const rain = faint(
    0.42,
    times(110, () => {
      const [x, y] = [random() * 1320, random() * 560]
      return line(`M${x.toFixed(0)} ${y.toFixed(0)} l-9 34`, '#eef7f7', 3)
    })
  )
  const arch =
    shape('M-20 120 H1300 V560 H1180 C1180 330 980 236 640 236 C300 236 100 330 100 560 H-20 Z', '#9a8a78') +
    shape('M-20 120 H1300 V156 H-20 Z', '#b3a28d') +
    shape(
      'M100 560 C100 330 300 236 640 236 C980 236 1180 330 1180 560 ' +
        'H1140 C1140 356 960 270 640 270 C320 270 140 356 140 560 Z',
      '#75685a'
    )
  const stones = faint(
    0.35,
    times(34, (i) =>
      rect(
        [((i * 173) % 1290) - 30, 172 + ((i * 61) % 220)],
        [58 + (i % 3) * 18, 22],
        i % 2 ? '#c2b19a' : '#7d6f60',
        'rx="7"'
      )
    )
  )
  const opening = 'M140 560 C140 356 320 270 640 270 C960 270 1140 356 1140 560 Z'
  const beyond =
    shape(opening, 'url(#grey)') +
    `<clipPath id="hole"><path d="${opening}"/></clipPath><g clip-path="url(#hole)">` +
    `${hills(WIDE, [500, 440, 470, 410, 450, 420, 470], '#7fa097')}` +
    `${hills(WIDE, [540, 500, 520, 480, 510, 470, 500], '#557f71')}${wood(
      fir,
      steps(8, (i) => [190 + i * 120, 536]),
      [14, 92],
      ['#36665a', '#4b7d6d']
    )}${rain}</g>`
  const puddles =
    oval([860, 660], [170, 20], '#a9c3c7') +
    oval([820, 656], [90, 8], '#cfe0e0') +
    oval([250, 690], [120, 14], '#a9c3c7')
  return picture(
    1280,
    720,
    fade('sky', '#70868f', '#a9bcc0'),
    fade('grey', '#9db2b8', '#d3dedb'),
    rect([0, 0], WIDE, 'url(#sky)'),
    cloud([300, 110], 1.5, '#8ea1a8'),
    cloud([980, 100], 1.8, '#8498a0'),
    beyond,
    arch +
      '<clipPath id="wall">' +
      '<path d="M-20 160 H1300 V560 H1180 C1180 330 980 236 640 236 C300 236 100 330 100 560 H-20 Z"/></clipPath>' +
      `<g clip-path="url(#wall)">${stones}</g>`,
    `<clipPath id="open"><path d="M0 0 H1280 V118 H0 Z"/></clipPath><g clip-path="url(#open)">${rain}</g>`,
    rect([0, 556], [1280, 164], '#56595a'),
    rect([0, 556], [1280, 10], '#7a7b78'),
    puddles,
    bicycle([560, 664], 0.86, C.orange, pannier(C.gold, '#d69a38')),
    wood(
      roundTree,
      [
        [1230, 600],
        [40, 604]
      ],
      [1, 130],
      ['#2f5a4c', '#467666']
    )
  )
}

/** The pass: bread, cheese and a view over the valley. */
export function passLunch(): Picture {
  const lake =
    oval([420, 452], [220, 26], '#d9eef0') +
    oval([420, 456], [220, 24], '#8cc3cc') +
    oval([370, 452], [90, 6], '#fff', 'opacity=".6"')
  const rug =
    polygon(
      [
        [250, 640],
        [700, 612],
        [800, 690],
        [290, 724]
      ],
      C.rust
    ) +
    times(5, (i) =>
      polygon(
        [
          [296 + i * 92, 637 - i * 5],
          [326 + i * 92, 635 - i * 5],
          [366 + i * 102, 720 - i * 6],
          [334 + i * 102, 722 - i * 6]
        ],
        C.cream,
        'opacity=".35"'
      )
    )
  const lunch =
    placed(
      [480, 660],
      oval([0, 8], [110, 16], C.ink, 'opacity=".25"') +
        rect([-104, -8], [208, 18], C.woodDark, 'rx="9"') +
        shape('M-90 -8 C-92 -60 -10 -66 -4 -8 Z', '#d59a55') +
        line('M-66 -34 l14 -14 M-44 -38 l14 -14', '#f3cf98', 6) +
        polygon(
          [
            [14, -8],
            [94, -8],
            [94, -38]
          ],
          C.gold
        ) +
        disc([72, -18], 5, '#d69a38')
    ) +
    placed(
      [640, 648],
      rect([-20, -108], [40, 108], C.fern, 'rx="10"') +
        rect([-20, -108], [12, 108], '#fff', 'opacity=".2" rx="6"') +
        rect([-16, -130], [32, 26], C.cream, 'rx="6"') +
        rect([-20, -70], [40, 10], C.gold)
    )
  const sign = placed(
    [1130, 600],
    rect([-8, -210], [16, 214], C.woodDark) +
      polygon(
        [
          [-90, -206],
          [50, -206],
          [84, -180],
          [50, -154],
          [-90, -154]
        ],
        C.wood
      ) +
      polygon(
        [
          [90, -140],
          [-40, -140],
          [-70, -118],
          [-40, -96],
          [90, -96]
        ],
        '#d29d69'
      ) +
      line('M-60 -180 H30', C.cream, 7) +
      line('M-20 -118 H64', C.cream, 7)
  )
  return picture(
    1280,
    720,
    fade('sky', '#63add0', '#cbe9ee', '#eff6e6'),
    glow('halo', '#fff'),
    fade('a', '#7d9fb0', '#c3d8d4'),
    fade('b', '#66978c', '#a9c9a0'),
    fade('c', '#4a8a62', '#7fb069'),
    fade('d', '#6da05a', '#3f7d4c'),
    rect([0, 0], WIDE, 'url(#sky)'),
    sun([1020, 130], 52, '#fffbe8'),
    cloud([320, 150], 1.3),
    cloud([760, 100], 0.9),
    cloud([1160, 230], 0.7),
    polygon(
      [
        [60, 420],
        [250, 190],
        [360, 300],
        [470, 160],
        [690, 420]
      ],
      'url(#a)'
    ),
    polygon(
      [
        [250, 190],
        [300, 240],
        [262, 252],
        [236, 234],
        [206, 243]
      ],
      '#fff'
    ),
    polygon(
      [
        [470, 160],
        [528, 228],
        [490, 222],
        [462, 246],
        [430, 215]
      ],
      '#fff'
    ),
    polygon(
      [
        [620, 420],
        [900, 200],
        [1060, 310],
        [1160, 250],
        [1340, 420]
      ],
      'url(#a)'
    ),
    polygon(
      [
        [900, 200],
        [960, 242],
        [918, 250],
        [884, 240],
        [858, 233]
      ],
      '#fff'
    ),
    hills(WIDE, [400, 380, 420, 380, 410, 360, 400], 'url(#b)'),
    hills(WIDE, [430, 452, 470, 450, 420, 440, 410], 'url(#c)'),
    lake,
    wood(
      fir,
      steps(6, (i) => [660 + i * 52, 470 - (i % 2) * 12]),
      [6, 64],
      FIR
    ),
    hills(WIDE, [560, 540, 570, 580, 556, 540, 520], 'url(#d)'),
    rug,
    lunch,
    bicycle([930, 640], 0.72, C.orange, pannier(C.fern, C.pine)),
    sign,
    meadow([0, 600, 240, 110], ['#a9cf74', C.gold, C.cream]),
    meadow([820, 660, 440, 56], ['#a9cf74', C.cream, C.orange], 5)
  )
}

/** Night: home along the river with a lamp. */
export function nightRide(): Picture {
  const random = seeded(40)
  const stars = times(70, (i) =>
    disc([random() * 1280, random() * 320], 1.2 + random() * 1.8, i % 6 ? '#e8f1f2' : C.gold)
  )
  const windows = times(9, (i) =>
    placed(
      [620 + i * 70, 452 - (i % 3) * 12],
      rect([-30, -50], [60, 60], '#16323a') +
        polygon(
          [
            [-38, -46],
            [0, -80],
            [38, -46]
          ],
          '#0f262d'
        ) +
        rect([-18, -34], [13, 15], i % 4 === 1 ? '#24444c' : C.gold) +
        rect([6, -34], [13, 15], i % 3 ? C.gold : '#24444c')
    )
  )
  const reflections = faint(
    0.5,
    times(9, (i) => oval([616 + i * 70, 486 + (i % 3) * 14], [26, 4], C.gold))
  )
  return picture(
    1280,
    720,
    fade('sky', '#0d2530', '#1d4a56', '#4d7d7c'),
    fade('river', '#3b6b70', '#173c48'),
    glow('halo', '#fdf3d0', 0.45),
    fade('a', '#2b5961', '#3f7074'),
    fade('b', '#1d454c', '#2b585b'),
    rect([0, 0], WIDE, 'url(#sky)'),
    stars,
    sun([1010, 150], 54, '#fdf3d0'),
    disc([992, 136], 9, '#e9dcb0'),
    disc([1026, 168], 13, '#e9dcb0'),
    disc([1030, 126], 6, '#e9dcb0'),
    hills(WIDE, [360, 300, 350, 280, 320, 260, 330, 300], 'url(#a)'),
    hills(WIDE, [420, 390, 430, 400, 420, 380, 400, 410], 'url(#b)'),
    windows,
    rect([0, 460], [1280, 120], 'url(#river)'),
    reflections,
    times(7, (i) => faint(0.3, oval([1010 + Math.sin(i * 2) * 24, 472 + i * 15], [44 - i * 2, 3], '#fdf3d0'))),
    shape('M0 560 C300 540 900 552 1280 566 V720 H0 Z', '#12333a'),
    shape('M0 612 C300 590 900 600 1280 612 V690 C900 676 300 668 0 694 Z', '#2b4c52'),
    line('M0 652 C300 630 900 640 1280 652', '#8fa9a8', 4, 'stroke-dasharray="34 40" opacity=".5"'),
    times(20, (i) => line(`M${20 + i * 66} 600 V560`, '#0b2027', 8)) +
      line('M0 572 C300 560 900 566 1280 578', '#0b2027', 6),
    bicycle([430, 668], 0.66, C.orange, pannier(C.rust, '#8f3825') + lampBeam),
    wood(
      fir,
      [
        [70, 640],
        [1200, 690]
      ],
      [17, 300],
      ['#0a1d24', '#10303a']
    )
  )
}
