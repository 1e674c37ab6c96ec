import { bag, bean, cherry, gooseneck, HARBOR, leaf } from './coffee-motifs.ts'
import { disc, faint, line, oval, placed, polar, polygon, rect, ring, shape, times, type Point } from './svg.ts'
import { onBackdrop } from './product-backdrop.ts'

const C = HARBOR
type Shades = readonly [body: string, shade: string]
const format = ([x, y]: Point) => `${x.toFixed(1)} ${y.toFixed(1)}`

/** Printed on the label of a bag, 184 × 190 around the origin. */
const EMBLEMS = {
  sun:
    disc([0, 22], 46, C.lamp) +
    times(9, (i) => {
      const [from, to] = [polar([0, 22], 180 + i * 22.5, 58), polar([0, 22], 180 + i * 22.5, i % 2 ? 74 : 84)]
      return line(`M${format(from)} L${format(to)}`, C.lamp, 8)
    }) +
    rect([-92, 26], [184, 69], C.coral),
  anchor:
    ring([0, -60], 16, C.deep, 9) +
    line('M0 -44 V62 M-34 -26 H34 M-62 18 C-58 84 58 84 62 18', C.deep, 12) +
    line('M-74 32 L-62 12 L-46 28 M74 32 L62 12 L46 28', C.deep, 9),
  moon:
    rect([-92, -95], [184, 190], C.night, 'rx="10"') +
    disc([-6, 0], 54, C.lamp) +
    disc([18, -14], 48, C.night) +
    disc([52, -52], 5, C.milk) +
    disc([-58, -58], 4, C.milk) +
    disc([56, 48], 4, C.milk),
  branch: leaf([-6, 84], -24, 0.62) + leaf([10, 80], 30, 0.55) + cherry([-10, 34], 0.75) + cherry([30, 44], 0.6),
  storm:
    disc([-34, -24], 34, C.teal) +
    disc([16, -38], 44, C.teal) +
    disc([50, -12], 28, C.teal) +
    rect([-56, -22], [112, 32], C.teal, 'rx="16"') +
    polygon(
      [
        [8, 0],
        [-30, 48],
        [-4, 48],
        [-18, 88],
        [30, 32],
        [4, 32]
      ],
      C.lamp
    )
} as const

/** A bag of beans. Without an emblem it has the label of the house blend: the sun above the sea. */
const beans = (colors: Shades, tint: Shades, emblem?: keyof typeof EMBLEMS) => () =>
  onBackdrop(
    tint,
    bag([320, 556], 1, colors),
    emblem === undefined
      ? ''
      : placed([320, 351], rect([-92, -95], [184, 190], C.paper, 'rx="10"') + EMBLEMS[emblem], 0, 1),
    bean([506, 540], 40, 0.55),
    bean([132, 552], -60, 0.5, C.bark)
  )

const dripper =
  ([body, shade]: Shades, tint: Shades) =>
  () =>
    onBackdrop(
      tint,
      oval([320, 548], [170, 22], shade),
      rect([236, 488], [168, 60], shade, 'rx="10"'),
      line('M470 250 C580 250 570 410 440 410', body, 34),
      shape('M130 180 H510 L412 486 Q406 500 392 500 H248 Q234 500 228 486 Z', body),
      shape('M510 180 L412 486 Q406 500 392 500 H330 C400 400 420 290 426 180 Z', shade, 'opacity=".75"'),
      times(4, (i) => line(`M${206 + i * 50} 236 L${256 + i * 26} 450`, '#fff', 6, 'opacity=".28"')),
      oval([320, 180], [190, 32], shade),
      oval([320, 184], [168, 24], C.paper),
      shape('M152 184 C200 214 440 214 488 184 C440 196 200 196 152 184 Z', C.sand)
    )

/** A pack of cone papers; `layers` papers look out of it. */
const papers =
  (layers: number, [body, shade]: Shades) =>
  () =>
    onBackdrop(
      [C.paper, C.sand],
      times(layers, (i) =>
        placed(
          [320, 420 - (layers - i) * 18],
          shape('M-196 -96 C-90 -150 90 -150 196 -96 L60 150 H-60 Z', i % 2 ? '#fffdf8' : '#f3e6d2'),
          (i - layers / 2) * 2.4
        )
      ),
      shape('M118 316 H522 L500 548 Q498 560 486 560 H154 Q142 560 140 548 Z', body),
      shape('M522 316 L500 548 Q498 560 486 560 H420 L440 316 Z', shade),
      shape('M236 380 C284 354 356 354 404 380 L346 490 H294 Z', C.paper),
      line('M262 388 L306 486 M378 388 L334 486', shade, 5, 'opacity=".5"')
    )

const kettle = () => onBackdrop([C.mist, C.glass], gooseneck([66, 366], 1.28, [C.teal, C.deep]))

const electricKettle = () =>
  onBackdrop(
    ['#eceae4', '#cfcfc9'],
    gooseneck([74, 306], 1.22, ['#33393d', '#1d2225']),
    rect([226, 496], [330, 64], '#1d2225', 'rx="18"'),
    rect([242, 512], [160, 32], '#0e1214', 'rx="8"'),
    times(3, (i) => rect([256 + i * 44, 519], [26, 18], C.glass, 'rx="4"')),
    disc([502, 528], 20, C.lamp),
    disc([502, 528], 8, '#1d2225')
  )

const handGrinder = () =>
  onBackdrop(
    [C.mist, C.paper],
    line('M320 130 C400 110 470 112 520 136', '#7d8c90', 18),
    disc([524, 128], 30, C.bark),
    disc([516, 119], 9, '#fff', 'opacity=".25"'),
    rect([302, 110], [36, 60], '#7d8c90', 'rx="8"'),
    rect([232, 166], [176, 398], '#b9c4c6', 'rx="26"'),
    rect([232, 166], [46, 398], '#dfe6e7', 'rx="22"'),
    rect([366, 166], [42, 398], '#93a2a6', 'rx="20"'),
    rect([226, 300], [188, 118], C.deep, 'rx="10"'),
    times(7, (i) => line(`M${244 + i * 26} 314 V404`, '#fff', 4, 'opacity=".16"')),
    rect([226, 166], [188, 26], '#7d8c90', 'rx="10"')
  )

const benchGrinder = () =>
  onBackdrop(
    ['#dce6ec', '#b7c8d2'],
    shape('M196 70 H444 L398 206 H242 Z', '#8fb3bd', 'opacity=".8"'),
    shape('M214 122 H426 L398 206 H242 Z', C.roast),
    times(7, (i) => bean([246 + i * 26, 132 + (i % 2) * 8], i * 50, 0.34, C.bark)),
    rect([190, 60], [260, 20], '#1e2c4e', 'rx="10"'),
    shape('M216 206 H424 L452 476 H188 Z', '#25365f'),
    shape('M424 206 L452 476 H380 L372 206 Z', '#1a2747'),
    disc([320, 300], 52, '#1a2747'),
    times(11, (i) => disc(polar([320, 300], -220 + i * 26, 42), 4, C.mist)),
    line('M320 300 L346 276', C.lamp, 9),
    rect([276, 390], [88, 30], '#0f1830', 'rx="8"'),
    rect([168, 470], [304, 92], '#1a2747', 'rx="16"'),
    shape('M262 476 H378 L362 548 H278 Z', '#c8d2d6')
  )

const mug =
  ([body, shade]: Shades, tint: Shades) =>
  () =>
    onBackdrop(
      tint,
      line('M450 250 C590 240 590 470 446 458', body, 40),
      rect([170, 170], [290, 386], body, 'rx="36"'),
      shape(
        'M380 170 H424 Q460 170 460 206 V520 Q460 556 424 556 H360 C400 440 396 300 380 170 Z',
        shade,
        'opacity=".7"'
      ),
      rect([170, 390], [290, 62], C.paper, 'opacity=".9"'),
      line('M170 421 q24 -22 48 0 t48 0 t48 0 t48 0 t48 0 t48 0', shade, 9),
      oval([315, 176], [145, 30], shade),
      oval([315, 180], [124, 21], C.roast)
    )

const finjans = () =>
  onBackdrop(
    ['#f6e3c8', '#e6c79b'],
    oval([320, 420], [286, 140], '#b98a3e'),
    oval([320, 408], [286, 136], '#d8ab58'),
    oval([320, 408], [250, 112], '#e6c079'),
    (
      [
        [190, 330],
        [320, 310],
        [450, 330],
        [170, 470],
        [320, 490],
        [470, 470]
      ] as const
    )
      .map(
        ([x, y]) =>
          shape(
            `M${x - 58} ${y - 92} C${x - 54} ${y - 20} ${x - 34} ${y} ${x} ${y} ` +
              `C${x + 34} ${y} ${x + 54} ${y - 20} ${x + 58} ${y - 92} Z`,
            C.milk
          ) +
          line(`M${x - 50} ${y - 56} H${x + 50}`, C.teal, 9) +
          line(`M${x - 44} ${y - 38} H${x + 44}`, '#d8ab58', 5) +
          oval([x, y - 92], [58, 15], C.sand) +
          oval([x, y - 89], [47, 10], '#c28f4b')
      )
      .join('')
  )

const dallah = () =>
  onBackdrop(
    ['#f3dcc0', '#d9a873'],
    line('M430 250 C560 230 560 430 426 470', '#9a6a24', 24),
    shape('M236 230 C150 236 110 196 74 150 C92 236 140 300 226 300 Z', '#c99539'),
    shape(
      'M250 200 H400 C392 300 478 360 466 470 C460 540 400 560 320 560 ' +
        'C240 560 180 540 176 470 C168 360 256 300 250 200 Z',
      '#d9a845'
    ),
    shape('M360 200 H400 C392 300 478 360 466 470 C460 540 400 560 340 560 C430 460 390 300 360 200 Z', '#a87628'),
    shape('M240 200 C250 120 290 120 306 76 H340 C354 120 396 120 408 200 Z', '#c99539'),
    disc([323, 62], 20, '#d9a845'),
    line('M186 440 C250 470 400 470 460 440', '#8d5f1e', 8),
    times(7, (i) => disc([212 + i * 37, 488 + Math.sin((i / 6) * Math.PI) * 12], 8, '#8d5f1e')),
    line('M250 330 C232 380 222 420 220 460', '#fff', 9, 'opacity=".4"')
  )

const coldBrewJar = () =>
  onBackdrop(
    [C.mist, C.glass],
    line('M462 240 C570 240 570 450 462 450', '#d4ebe6', 28),
    rect([178, 130], [290, 430], '#e6f5f1', 'rx="34" opacity=".8"'),
    rect([192, 236], [262, 310], C.roast, 'rx="26"'),
    rect([192, 236], [262, 40], C.bark, 'rx="18"'),
    rect([264, 150], [118, 356], '#aab7ba', 'rx="20" opacity=".85"'),
    times(9, (i) => times(4, (k) => disc([290 + k * 23, 200 + i * 34], 5, C.roast, 'opacity=".6"'))),
    rect([168, 96], [310, 52], C.night, 'rx="18"'),
    line('M206 200 V500', '#fff', 12, 'opacity=".45"')
  )

const cardamom = () =>
  onBackdrop(
    ['#e7efd6', '#c3d6a6'],
    rect([196, 190], [248, 370], '#f3f7ea', 'rx="40" opacity=".9"'),
    times(30, (i) =>
      placed(
        [236 + (i % 5) * 42, 520 - Math.floor(i / 5) * 46],
        oval([0, 0], [17, 30], i % 3 ? '#7fa25a' : '#97b96e') + line('M0 -24 V24', '#5d7d3d', 3),
        (i * 47) % 90
      )
    ),
    rect([196, 336], [248, 112], C.paper),
    oval([320, 392], [26, 44], '#7fa25a', 'transform="rotate(28 320 392)"'),
    line('M300 428 L340 356', '#5d7d3d', 5),
    rect([208, 132], [224, 74], C.bark, 'rx="16"'),
    rect([208, 132], [224, 20], '#fff', 'rx="10" opacity=".15"')
  )

const kitchenScale = () =>
  onBackdrop(
    ['#e9e5dd', '#cdc6b9'],
    shape('M96 380 L150 330 H490 L544 380 V520 Q544 548 516 548 H124 Q96 548 96 520 Z', '#23282b'),
    shape('M96 380 L150 330 H490 L544 380 Z', '#3b4347'),
    rect([168, 420], [304, 84], '#0e1214', 'rx="14"'),
    times(4, (i) => rect([194 + i * 40, 440], [26, 44], C.glass, 'rx="6"')),
    disc([388, 482], 5, C.glass),
    rect([404, 440], [44, 44], C.lamp, 'rx="22"'),
    shape('M210 300 H430 L396 350 Q390 360 376 360 H264 Q250 360 244 350 Z', C.milk),
    shape('M232 300 C262 232 378 232 408 300 Z', C.bark),
    oval([320, 300], [110, 16], C.sand),
    oval([320, 298], [92, 10], C.bark),
    faint(0.25, line('M180 352 H460', '#fff', 5))
  )

/** The parcel of a subscription with its bag, and a mark for each of `weeks` weeks. */
const subscription = (colors: Shades, tint: Shades, weeks: number) => () =>
  onBackdrop(
    tint,
    placed([320, 420], bag([0, 0], 0.72, colors)),
    shape('M110 330 H530 V560 H110 Z', '#c99a63'),
    shape('M430 330 H530 V560 H430 Z', '#a97d4b'),
    rect([290, 330], [52, 230], '#e6c08d'),
    rect([140, 400], [124, 120], C.paper, 'rx="8"'),
    rect([140, 400], [124, 30], colors[0], 'rx="8"'),
    times(8, (i) => disc([162 + (i % 4) * 27, 456 + Math.floor(i / 4) * 34], 9, i < weeks ? colors[0] : '#dccdb6'))
  )

const giftSet = () =>
  onBackdrop(
    [C.paper, '#f0c9b6'],
    placed([226, 420], bag([0, 0], 0.7, [C.teal, C.deep])),
    placed([412, 404], shape('M-100 -150 H100 L48 0 H-48 Z', C.coral) + oval([0, -150], [100, 17], '#b8452f')),
    gooseneck([330, 210], 0.5, [C.deep, C.night]),
    shape('M80 372 H560 L536 548 Q534 560 520 560 H120 Q106 560 104 548 Z', C.night),
    rect([80, 352], [480, 46], '#1d4450', 'rx="10"'),
    rect([296, 352], [48, 208], C.lamp),
    shape('M320 352 C250 290 214 330 320 360 C426 330 390 290 320 352 Z', C.lamp)
  )

/** The product pictures of the roastery by file name. */
export const COFFEE_PRODUCTS = {
  'quay-blend': beans([C.coral, '#b8452f'], [C.paper, C.sand]),
  'first-light': beans([C.lamp, '#cc8a2c'], ['#fff3dc', '#f8d9a8'], 'sun'),
  stevedore: beans(['#8a5a3c', '#5f3a26'], ['#efe3d6', '#d5bca4'], 'anchor'),
  'night-watch': beans(['#31577a', '#203c57'], ['#e0e8f0', '#b4c6d8'], 'moon'),
  'cafe-sao-lucas': beans([C.leafLight, C.leaf], ['#e6f0e2', '#bfd8bd'], 'branch'),
  'storm-kitchen': beans(['#56636b', '#3a444a'], ['#e4eaec', '#b9c5ca'], 'storm'),
  'dripper-coral': dripper([C.coral, '#b8452f'], [C.paper, '#f3cdbd']),
  'dripper-sea-green': dripper(['#5fa79b', '#3c7d73'], ['#e4f1ed', '#b9d9d0']),
  'dripper-cream': dripper(['#f2e4c8', '#cdb78f'], ['#d8e4e6', '#a9c2c6']),
  'hc-filter-40': papers(3, [C.teal, C.deep]),
  'hc-filter-100': papers(7, [C.coral, '#b8452f']),
  'hc-kettle-08': kettle,
  'hc-kettle-e': electricKettle,
  'hc-grinder-hand': handGrinder,
  'hc-grinder-shop': benchGrinder,
  'bollard-mug-coral': mug([C.coral, '#b8452f'], [C.paper, '#f3cdbd']),
  'bollard-mug-teal': mug([C.teal, C.deep], [C.mist, '#a9cfc8']),
  'bollard-mug-lamp-yellow': mug([C.lamp, '#cc8a2c'], ['#fff3dc', '#f8d9a8']),
  'bollard-mug-milk-white': mug([C.milk, '#d9cbb2'], ['#cfdfe2', '#9dbabf']),
  'hc-finjan-6': finjans,
  'hc-dallah-1l': dallah,
  'hc-coldbrew-jar': coldBrewJar,
  'hc-cardamom-50': cardamom,
  'hc-scale-2k': kitchenScale,
  'hc-sub-steady': subscription([C.coral, '#b8452f'], [C.paper, C.sand], 2),
  'hc-sub-season': subscription([C.leafLight, C.leaf], ['#e6f0e2', '#bfd8bd'], 4),
  'hc-sub-night': subscription(['#31577a', '#203c57'], ['#e0e8f0', '#b4c6d8'], 6),
  'hc-gift-set-complete': giftSet
}
