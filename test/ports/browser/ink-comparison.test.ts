import t from 'tap'
import {
  compareInk,
  displacementOf,
  type InkArea,
  type InkMask
} from '../../../ports/browser/playwright/child/ink-comparison.ts'

const [WIDTH, HEIGHT] = [80, 40]
const AREA: InkArea = { left: 10, top: 8, right: 70, bottom: 32 }

/** Upright and slanted strokes like those of letters, 0 to 1. */
function strokeAt(x: number, y: number): number {
  if (x < 0 || y < 0 || x >= WIDTH || y >= HEIGHT || y < 12 || y >= 28 || x < 14 || x >= 66) return 0
  const slant = (Math.round((y * 9) / 16) + x) % 13
  return x % 9 < 2 || (slant === 6 && x % 2 === 0) ? 1 : slant === 7 ? 0.5 : 0
}

/** Draws the strokes at a position in fractions of pixels. */
function draw(at: { x?: number; y?: number } = {}, inkOf = (_x: number, _y: number, ink: number) => ink): InkMask {
  const ink = new Uint8Array(WIDTH * HEIGHT)
  const { x: dx = 0, y: dy = 0 } = at
  const share = dx - Math.floor(dx)
  for (let y = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++) {
      const from = x - Math.floor(dx)
      const stroke = strokeAt(from, y - dy) * (1 - share) + strokeAt(from - 1, y - dy) * share
      ink[y * WIDTH + x] = Math.round(inkOf(x, y, stroke * 255))
    }
  }
  return { width: WIDTH, height: HEIGHT, ink }
}

const compare = (page: InkMask) => compareInk(page, draw(), AREA)!

t.test('equal ink has no difference', async (t) => {
  t.match(compare(draw()), { extra: 0, missing: 0, correlation: 1, isCrossed: false })
})

t.test('text may be lighter, and shifted by a pixel or two', async (t) => {
  t.match(compare(draw({}, (_x, _y, ink) => ink * 0.5)), { extra: 0, missing: 0, correlation: 1 })
  for (const [x, y] of [
    [2, 0],
    [-1, 1],
    [0, -2]
  ] as const) {
    const { extra, missing, correlation } = compare(draw({ x, y }))
    t.ok(extra < 0.02 && missing < 0.02 && correlation > 0.98, `${x}, ${y}: +${extra} -${missing} r${correlation}`)
  }
})

t.test('ink that is missing is measured as a share', async (t) => {
  const { missing, extra, correlation } = compare(draw({}, (x, _y, ink) => (x < 40 ? ink : 0)))
  t.ok(missing > 0.25 && missing < 0.55, `missing ${missing}`)
  t.ok(extra < 0.05, `extra ${extra}`)
  t.ok(correlation < 0.85, `correlation ${correlation}`)
})

t.test('text that is gone is missing', async (t) => {
  t.match(compare(draw({}, () => 0)), { missing: 1, correlation: 0 })
  t.match(compare(draw({}, (_x, _y, ink) => ink * 0.1)), { missing: 1 })
})

t.test('ink that is added is measured', async (t) => {
  const { extra, missing } = compare(draw({}, (_x, y, ink) => (y >= 18 && y < 24 ? 255 : ink)))
  t.ok(extra > 0.08, `extra ${extra}`)
  t.ok(missing < 0.05, `missing ${missing}`)
})

t.test('strokes that are drawn twice are heavier, however light they are', async (t) => {
  const [one, other] = [draw(), draw({ x: 1 })]
  const twice = draw({}, (x, y) => Math.max(one.ink[y * WIDTH + x]!, other.ink[y * WIDTH + x]!) * 0.8)
  t.ok(compare(twice).weight > 1.2, `${compare(twice).weight}`)
  const lighter = compare(draw({ x: 0.5 }, (_x, _y, ink) => ink * 0.6)).weight
  t.ok(lighter > 0.85 && lighter < 1.2, `${lighter}`)
})

t.test('blurred and mirrored text does not correlate', async (t) => {
  const source = draw()
  const blurred = draw({}, (x, y) => {
    let sum = 0
    for (let dy = -3; dy <= 3; dy++) for (let dx = -3; dx <= 3; dx++) sum += source.ink[(y + dy) * WIDTH + x + dx] ?? 0
    return sum / 49
  })
  t.ok(compare(blurred).correlation < 0.85)
  const mirrored = draw({}, (x, y) => source.ink[y * WIDTH + (79 - x)]!)
  t.ok(compare(mirrored).correlation < 0.85)
})

t.test('a thin line in any color is recognized', async (t) => {
  t.equal(compare(draw({}, (_x, y, ink) => (y === 20 ? 0 : ink))).isCrossed, true)
  t.equal(compare(draw({}, (_x, y, ink) => (y === 20 || y === 21 ? 255 : ink))).isCrossed, true)
  // A border below the letters, and text of another line that reaches into the area.
  t.equal(compare(draw({}, (_x, y, ink) => (y === 31 ? 255 : ink))).isCrossed, false)
})

t.test('an area without ink is not compared', async (t) => {
  t.equal(
    compareInk(
      draw(),
      draw({}, () => 0),
      AREA
    ),
    null
  )
})

t.test('areas may lie beyond the edges', async (t) => {
  const wide = { left: -20, top: -20, right: WIDTH + 20, bottom: HEIGHT + 20 }
  t.match(compareInk(draw(), draw(), wide), { extra: 0, missing: 0 })
  t.equal(compareInk(draw(), draw(), { left: 200, top: 200, right: 300, bottom: 300 }), null)
})

t.test('displacements are measured in fractions of pixels', async (t) => {
  const { dx, dy } = displacementOf(draw({ x: 0.5 }), draw(), AREA)!
  t.ok(Math.abs(dx - 0.5) < 0.15, `${dx}`)
  t.ok(Math.abs(dy) < 0.15, `${dy}`)
  t.equal(displacementOf(draw(), draw(), AREA), null)
})
