import { bicycle, cog, HILL, pannier, pump } from './bicycle-motifs.ts'
import { disc, faint, line, oval, placed, polar, polygon, rect, ring, shape, times, type Point } from './svg.ts'
import { onBackdrop } from './product-backdrop.ts'

const C = HILL
type Shades = readonly [body: string, shade: string]
const CENTER: Point = [320, 310]
const format = ([x, y]: Point) => `${x.toFixed(1)} ${y.toFixed(1)}`

/** A tire from the side; `width` in pixels, and as many knobs on its tread as `knobs`. */
const tire =
  (width: number, side: string, ...[knobs, tint]: readonly [knobs: number, tint: Shades]) =>
  () => {
    const outer = 246
    const shine = outer - 12
    return onBackdrop(
      tint,
      ring(CENTER, outer - width / 2, C.ink, width),
      ring(CENTER, outer - width * 0.72, side, width * 0.5),
      times(knobs, (i) => {
        const [from, to] = [polar(CENTER, (i * 360) / knobs, outer - 4), polar(CENTER, (i * 360) / knobs, outer + 10)]
        return line(`M${format(from)} L${format(to)}`, C.ink, knobs > 60 ? 7 : 13)
      }),
      ring(CENTER, outer - width, C.slate, 6),
      line(
        `M${format(polar(CENTER, 200, shine))} A${shine} ${shine} 0 0 1 ${format(polar(CENTER, 262, shine))}`,
        '#fff',
        6,
        'opacity=".35"'
      ),
      rect([302, 310 + outer - width * 0.94], [36, width * 0.4], C.gold, 'rx="4"')
    )
  }

const touringBicycle = () =>
  onBackdrop(
    ['#e4f0ee', '#bcd8d6'],
    placed([320, 556], bicycle([0, 0], 1.12, C.orange, pannier(C.woodDark, '#6f4a2a')))
  )

const ferryman =
  ([body, shade]: Shades, tint: Shades) =>
  () =>
    onBackdrop(
      tint,
      line('M250 150 C250 90 390 90 390 150', C.ink, 16),
      rect([136, 190], [368, 366], body, 'rx="44"'),
      rect([430, 200], [74, 350], shade, 'rx="34" opacity=".8"'),
      rect([120, 140], [400, 150], shade, 'rx="40"'),
      rect([120, 262], [400, 18], '#000', 'rx="9" opacity=".18"'),
      times(2, (i) => rect([206 + i * 186, 170], [40, 230], C.woodDark, 'rx="8"')),
      times(
        2,
        (i) =>
          rect([198 + i * 186, 340], [56, 44], C.gold, 'rx="8"') +
          rect([212 + i * 186, 352], [28, 20], C.woodDark, 'rx="4"')
      ),
      line('M170 440 H430', '#fff', 5, 'opacity=".25" stroke-dasharray="16 12"')
    )

const helmet = () =>
  onBackdrop(
    ['#f3e7da', '#dcc3a6'],
    line('M170 420 C190 540 290 560 330 540 M470 420 C450 520 380 560 330 540', C.ink, 14),
    rect([306, 522], [50, 30], C.slate, 'rx="8"'),
    shape(
      'M76 400 C70 190 210 90 340 96 C480 102 580 210 570 390 C566 430 520 440 470 430 ' +
        'C330 400 230 400 160 434 C110 452 78 440 76 400 Z',
      '#8a4b2f'
    ),
    shape('M340 96 C480 102 580 210 570 390 C566 430 520 440 470 430 C500 300 450 160 340 96 Z', '#6d3822'),
    times(4, (i) =>
      placed(
        [180 + i * 92, 268 - Math.sin((i / 3) * Math.PI) * 40],
        oval([0, 0], [20, 74], C.ink, 'opacity=".75"'),
        -18 + i * 12
      )
    ),
    line('M110 300 C140 180 230 126 320 120', '#fff', 10, 'opacity=".25"')
  )

const jersey = () =>
  onBackdrop(
    ['#eef1ef', '#c9d3d2'],
    shape(
      'M222 96 L110 150 L40 340 L138 372 L176 280 V556 H464 V280 L502 372 L600 340 L530 150 L418 96 ' +
        'C400 150 240 150 222 96 Z',
      '#a9b5b6'
    ),
    shape(
      'M464 556 V280 L502 372 L600 340 L530 150 L418 96 C412 116 392 128 366 134 C420 260 420 420 392 556 Z',
      '#8d9b9d'
    ),
    line('M222 96 C240 150 400 150 418 96', C.ink, 14),
    line('M320 140 V330', C.slate, 7),
    rect([176, 380], [288, 40], C.orange),
    line('M138 372 L50 344 M502 372 L590 344', C.orange, 12),
    times(3, (i) => rect([196 + i * 90, 446], [68, 90], '#fff', 'rx="6" opacity=".16"'))
  )

const frontLamp = () =>
  onBackdrop(
    ['#26383b', '#16262a'],
    '<linearGradient id="light"><stop offset="0" stop-color="#ffe7a3" stop-opacity=".75"/>' +
      '<stop offset="1" stop-color="#ffe7a3" stop-opacity="0"/></linearGradient>',
    polygon(
      [
        [400, 210],
        [640, 110],
        [640, 510],
        [400, 410]
      ],
      'url(#light)'
    ),
    rect([230, 420], [44, 140], C.slate, 'rx="12"'),
    shape('M110 310 C110 220 240 180 400 180 V440 C240 440 110 400 110 310 Z', '#c99539'),
    shape('M110 310 C110 400 240 440 400 440 V380 C260 380 160 360 110 310 Z', '#8d5f1e'),
    oval([400, 310], [44, 132], '#e8bd62'),
    oval([404, 310], [34, 112], '#fff3cf'),
    line('M180 250 C240 220 300 212 360 210', '#fff', 9, 'opacity=".45"')
  )

const rearLamp = () =>
  onBackdrop(
    ['#3a2c2e', '#231a1c'],
    disc(CENTER, 250, '#e2443a', 'opacity=".16"'),
    disc(CENTER, 190, '#e2443a', 'opacity=".2"'),
    rect([280, 440], [80, 120], C.ink, 'rx="14"'),
    disc(CENTER, 150, C.ink),
    disc(CENTER, 132, '#c8372f'),
    times(3, (row) =>
      times(6, (i) => disc(polar(CENTER, i * 60 + row * 30, 36 + row * 36), 15, '#ff8a7a', 'opacity=".85"'))
    ),
    disc(CENTER, 20, '#ffd9d2')
  )

const brassDome = () =>
  onBackdrop(
    ['#f4ead2', '#dcc48c'],
    rect([290, 430], [60, 60], C.slate, 'rx="8"'),
    rect([190, 480], [260, 70], C.ink, 'rx="34"'),
    shape('M120 430 C120 220 220 130 320 130 C420 130 520 220 520 430 Z', '#d9a845'),
    shape('M380 140 C460 180 520 270 520 430 H420 C430 320 420 220 380 140 Z', '#a87628'),
    rect([104, 414], [432, 34], '#b98a3e', 'rx="17"'),
    disc([320, 122], 18, '#8d5f1e'),
    line('M180 380 C184 290 220 220 268 190', '#fff', 14, 'opacity=".5"'),
    line('M448 450 C500 450 540 420 556 380', C.slate, 16)
  )

const OIL_DROP = 'M0 -70 C50 -4 52 44 0 52 C-52 44 -50 -4 0 -70 Z'
const oil =
  ([body, shade]: Shades, tint: Shades, drops: number) =>
  () =>
    onBackdrop(
      tint,
      polygon(
        [
          [292, 150],
          [348, 150],
          [330, 56],
          [310, 56]
        ],
        C.ink
      ),
      rect([270, 150], [100, 40], C.ink, 'rx="8"'),
      shape(
        'M210 260 C210 210 270 220 270 190 H370 C370 220 430 210 430 260 V530 Q430 560 400 560 H240 Q210 560 210 530 Z',
        body
      ),
      shape('M370 190 C370 220 430 210 430 260 V530 Q430 560 400 560 H360 V190 Z', shade),
      rect([210, 310], [220, 170], C.cream),
      times(drops, (i) => placed([320 + (i - (drops - 1) / 2) * 62, 402], shape(OIL_DROP, body), 0, 0.62)),
      line('M232 290 V520', '#fff', 8, 'opacity=".3"')
    )

/** A coiled chain with the number of cogs that it fits as dots. */
const chain = (speeds: number, color: string, tint: Shades) => () =>
  onBackdrop(
    tint,
    times(2, (i) => {
      const radius = 204 - i * 82
      const links = 22 - i * 10
      return (
        ring(CENTER, radius, C.ink, 34) +
        times(links, (k) => {
          const turn = (k * 360) / links
          return placed(
            polar(CENTER, turn, radius),
            rect([-13, -9], [26, 18], k % 2 ? color : C.steel, 'rx="9"'),
            turn + 90
          )
        })
      )
    }),
    cog(CENTER, [60, 11], color, C.cream),
    times(speeds, (i) => disc([320 + (i - (speeds - 1) / 2) * 34, 580], 10, color))
  )

const torqueWrench = () =>
  onBackdrop(
    ['#e8ecee', '#bfcacd'],
    placed(
      [320, 320],
      rect([-250, -24], [420, 48], C.steel, 'rx="20"') +
        rect([-270, -36], [180, 72], C.ink, 'rx="26"') +
        times(6, (i) => line(`M${-246 + i * 26} -22 V22`, C.slate, 6)) +
        rect([-70, -30], [120, 60], C.cream, 'rx="8"') +
        times(9, (i) => line(`M${-58 + i * 12} -22 V${i % 4 ? -8 : 4}`, C.ink, 4)) +
        line('M-14 22 V-2', C.rust, 6) +
        disc([200, 0], 66, C.slate) +
        disc([200, 0], 34, C.ink) +
        rect([184, -16], [32, 32], C.steel),
      -32
    ),
    times(
      6,
      (i) =>
        rect([150 + i * 60, 500], [34, 44], C.slate, 'rx="6"') + rect([158 + i * 60, 476], [18, 30], C.steel, 'rx="3"')
    )
  )

const hexSet = () =>
  onBackdrop(
    ['#efe6d8', '#d2c0a4'],
    times(9, (i) => {
      const length = 230 + i * 26
      return placed(
        [170 + i * 38, 540],
        line(`M0 0 V${-length} q0 -18 18 -18 h26`, i % 2 ? C.steel : C.slate, 7 + i * 1.3),
        0
      )
    }),
    rect([110, 430], [420, 130], C.orange, 'rx="22"'),
    rect([110, 430], [420, 34], C.rust, 'rx="17"'),
    times(9, (i) => disc([170 + i * 38, 506], 8 + i * 0.6, C.ink, 'opacity=".6"'))
  )

const floorPump = () => onBackdrop(['#f2e1d6', '#dcb8a2'], pump([300, 556], 1.5, C.rust))

const patchKit = () =>
  onBackdrop(
    ['#e3ece2', '#b5cdb4'],
    rect([110, 250], [420, 306], C.pine, 'rx="34"'),
    rect([110, 250], [420, 60], C.fern, 'rx="30"'),
    placed([210, 200], rect([-70, -70], [140, 140], C.orange, 'rx="30"') + disc([0, 0], 46, C.rust), -14),
    placed([360, 170], disc([0, 0], 76, C.orange) + disc([0, 0], 50, C.rust), 0),
    placed(
      [470, 240],
      rect([-24, -96], [48, 160], C.steel, 'rx="10"') + rect([-14, -120], [28, 30], C.ink, 'rx="6"'),
      18
    ),
    rect([110, 300], [420, 256], C.pine, 'rx="30"'),
    shape('M180 470 C240 370 400 370 460 470', 'none', `stroke="${C.gold}" stroke-width="16"`),
    line('M160 480 H480', C.gold, 10),
    faint(0.3, line('M140 330 H500', '#fff', 5))
  )

/** The product pictures of the workshop by file name. */
export const BICYCLE_PRODUCTS = {
  'towpath-black': tire(44, '#2f3d44', 0, ['#eceff0', '#c5d0d3']),
  'towpath-tan': tire(44, '#c9a470', 0, ['#f3ece0', '#d9c6a6']),
  'drover-black': tire(62, '#2f3d44', 72, ['#e9eee6', '#bccdb8']),
  'drover-tan': tire(62, '#c9a470', 72, ['#f3ece0', '#d9c6a6']),
  'charcoal-burner-black': tire(88, '#39474d', 44, ['#e6e2dc', '#b9b0a4']),
  ridgeway: touringBicycle,
  'ferryman-mustard': ferryman(['#d9a441', '#a8782a'], ['#faf0d8', '#e8d3a0']),
  'ferryman-pine': ferryman([C.fern, C.pine], ['#e3ece2', '#b5cdb4']),
  'ferryman-rust': ferryman(['#c4603f', '#933f27'], ['#f6e3da', '#e0b7a4']),
  acorn: helmet,
  fruehnebel: jersey,
  'lh-lamp-front': frontLamp,
  'lh-lamp-rear': rearLamp,
  'lh-bell-brass': brassDome,
  'lh-oil-dry': oil([C.gold, '#c88f2c'], ['#fbf1dc', '#ecd3a2'], 1),
  'lh-oil-wet': oil(['#4c8fa6', '#2f6679'], ['#e2eff3', '#b1d0da'], 2),
  'lh-oil-wax': oil([C.fern, C.pine], ['#e3ece2', '#b5cdb4'], 3),
  'lh-chain-9': chain(9, '#7d8f95', ['#eef1f2', '#cad4d7']),
  'lh-chain-10': chain(10, C.gold, ['#fbf3e0', '#e9d8ae']),
  'lh-chain-11': chain(11, C.orange, ['#f8e8dd', '#e6c3ab']),
  'lh-torque-2-25': torqueWrench,
  'lh-hex-set': hexSet,
  'lh-pump-floor': floorPump,
  'lh-patch-kit': patchKit
}
