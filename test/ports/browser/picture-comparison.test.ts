import t from 'tap'
import { comparePicture } from '../../../ports/browser/playwright/child/picture-comparison.ts'
import type { Capture } from '../../../ports/browser/playwright/child/reference-captures.ts'

const [WIDTH, HEIGHT] = [200, 120]
const AREA = { x: 10, y: 20, width: WIDTH, height: HEIGHT }

type Lightness = (x: number, y: number) => number

/** A capture with a picture at `AREA`. */
function captureOf(lightness: Lightness, channels: 1 | 3 = 1): Capture {
  const clip = { x: 0, y: 0, width: WIDTH + 20, height: HEIGHT + 40 }
  const pixels = new Uint8Array(clip.width * clip.height * channels).fill(255)
  for (let y = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++) {
      const at = ((y + AREA.y) * clip.width + x + AREA.x) * channels
      for (let channel = 0; channel < channels; channel++) pixels[at + channel] = Math.round(lightness(x, y))
    }
  }
  return { clip, channels, pixels, png: Buffer.alloc(0) }
}

/** Bars and a slope: not symmetric. */
const picture: Lightness = (x, y) => (Math.floor(x / 12) % 2 === 0 ? 40 : 120) + (x / WIDTH) * 90 + (y / HEIGHT) * 40
const compare = (shown: Lightness, area = AREA) => comparePicture(captureOf(shown), captureOf(picture), area)

const SAME = { correlation: 1, differentShare: 0, contrast: 1, sharpness: 1 }

t.test('the same picture has the same pixels, whatever its colors and its frame', async (t) => {
  t.same(compare(picture), SAME)
  t.same(comparePicture(captureOf(picture, 3), captureOf(picture), AREA), SAME)
  const framed: Lightness = (x, y) => (Math.min(x, y, WIDTH - x, HEIGHT - y) < 8 ? 0 : picture(x, y))
  t.same(compare(framed), SAME, 'a frame')
  t.match(
    compare((x, y) => 30 + picture(x, y) * 0.8),
    { correlation: 1, contrast: 0.8 },
    'a brighter one'
  )
})

t.test('inverted, mirrored, faint and blurred pictures differ', async (t) => {
  t.match(
    compare((x, y) => 255 - picture(x, y)),
    { correlation: -1, contrast: 1 },
    'inverted'
  )
  t.ok(compare((x, y) => picture(WIDTH - 1 - x, y))!.correlation < 0.5, 'mirrored')
  t.match(
    compare((x, y) => 255 - 0.12 * (255 - picture(x, y))),
    { correlation: 1, contrast: 0.12 },
    'faint'
  )
  t.match(
    compare(() => 128),
    { correlation: 0, contrast: 0, sharpness: 0 },
    'empty'
  )
  const blurred = compare((x, y) => {
    let sum = 0
    for (let dx = -12; dx < 12; dx++) sum += picture(x + dx, y)
    return sum / 24
  })
  t.ok(blurred!.sharpness < 0.4, `blurred: ${blurred!.sharpness}`)
})

t.test('pictures without contrast or outside of the capture are not compared', async (t) => {
  t.equal(
    comparePicture(
      captureOf(picture),
      captureOf(() => 200),
      AREA
    ),
    null
  )
  t.equal(compare(picture, { ...AREA, x: 150 }), null)
  t.equal(compare(picture, { ...AREA, width: 6 }), null)
})

t.test('pictures of which a part was moved or covered differ in this part', async (t) => {
  const right = WIDTH / 2
  const moved = compare((x, y) => (x < right ? picture(x, y) : picture(x - 30, HEIGHT - 1 - y)))!
  t.ok(moved.correlation > 0.5, `the whole is similar: ${moved.correlation}`)
  t.ok(moved.differentShare! > 0.3, `a moved half: ${moved.differentShare}`)
  const covered = compare((x, y) => (y < 70 ? picture(x, y) : 130))!
  t.ok(covered.differentShare! > 0.3, `a covered half: ${covered.differentShare}`)
  const labeled = compare((x, y) => (x < 60 && y < 40 ? 255 : picture(x, y)))!
  t.ok(labeled.differentShare! < 0.2, `a label: ${labeled.differentShare}`)
})
