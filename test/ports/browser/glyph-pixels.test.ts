import t from 'tap'
import {
  measureGlyphs,
  type PixelLine,
  type ScreenshotPair
} from '../../../ports/browser/playwright/child/glyph-pixels.ts'
import type { Color } from '../../../ports/browser/playwright/child/page/colors.ts'

type Gray = (x: number, y: number) => number

const [WIDTH, HEIGHT] = [100, 40]
const BLACK: Color = [0, 0, 0, 1]
const WHITE: Color = [255, 255, 255, 1]
const lineAt = (y: number, color: Color): PixelLine => ({ x: 0, y, width: WIDTH, height: 20, color })

function shot(gray: Gray): Uint8Array {
  return Uint8Array.from(
    Array.from({ length: WIDTH * HEIGHT }, (_, at) => gray(at % WIDTH, Math.floor(at / WIDTH))).flatMap((value) => [
      value,
      value,
      value
    ])
  )
}
/** Every fifth dot of a row is of a letter. */
const shots = (ground: Gray, letters: Gray = ground): ScreenshotPair => ({
  width: WIDTH,
  painted: shot((x, y) => (x % 5 === 0 ? letters(x, y) : ground(x, y))),
  bare: shot(ground)
})

t.test('black text on white is visible and has the WCAG contrast', async (t) => {
  t.strictSame(
    measureGlyphs(
      shots(
        () => 255,
        () => 0
      ),
      [lineAt(0, BLACK), lineAt(20, BLACK)]
    ),
    { paintedShare: 1, contrast: 21 }
  )
})

t.test('glyphs without visible pixels are not drawn, whatever their color is', async (t) => {
  t.strictSame(
    measureGlyphs(
      shots(() => 255),
      [lineAt(0, BLACK)]
    ),
    { paintedShare: 0, contrast: null },
    'black ones that a mask hides'
  )
  t.strictSame(
    measureGlyphs(
      shots(() => 255),
      [lineAt(0, WHITE)]
    ),
    { paintedShare: 0, contrast: 1 },
    'white ones on white'
  )
})

t.test('a faded line counts with its box', async (t) => {
  t.equal(
    measureGlyphs(
      shots(
        () => 255,
        (_, y) => (y < 20 ? 0 : 240)
      ),
      [lineAt(0, BLACK), lineAt(20, BLACK)]
    ).paintedShare,
    0.5
  )
  t.equal(
    measureGlyphs(
      shots(
        () => 255,
        () => 0
      ),
      [{ ...lineAt(0, BLACK), y: -100 }]
    ).paintedShare,
    null,
    'outside of the picture nothing is known'
  )
})

t.test('the contrast on an image is the lower quartile of its glyphs', async (t) => {
  const halves: Gray = (x) => (x < WIDTH / 2 ? 0 : 255)
  t.equal(
    measureGlyphs(
      shots(halves, () => 128),
      [lineAt(0, BLACK)]
    ).contrast,
    1,
    'half of it is black as the letters'
  )
  const edge: Gray = (x) => (x < WIDTH / 5 ? 0 : 255)
  t.equal(
    measureGlyphs(
      shots(edge, () => 128),
      [lineAt(0, BLACK)]
    ).contrast,
    21,
    'a fifth of it is'
  )
  t.equal(
    measureGlyphs({ ...shots(halves), painted: null }, [lineAt(0, WHITE)]).contrast,
    1,
    'the picture alone tells it as well'
  )
})

t.test('transparency reduces the contrast', async (t) => {
  const { contrast } = measureGlyphs({ ...shots(() => 255), painted: null }, [lineAt(0, [0, 0, 0, 0.4])])
  t.ok(contrast !== null && contrast > 2.8 && contrast < 2.9, `${contrast}`)
})

t.test('glyphs on a changed background or below an uneven overlay are not measured', async (t) => {
  t.strictSame(measureGlyphs({ width: WIDTH, painted: shot(() => 90), bare: shot(() => 200) }, [lineAt(0, BLACK)]), {
    paintedShare: null,
    contrast: null
  })
  t.strictSame(
    measureGlyphs(
      shots((x, y) => 120 + ((x * 37 + y * 91) % 130)),
      [lineAt(0, BLACK)]
    ),
    { paintedShare: null, contrast: null }
  )
})
