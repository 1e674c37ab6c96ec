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
  return { clip, channels, pixels }
}

/** Bars and a slope: not symmetric. */
const picture: Lightness = (x, y) => (Math.floor(x / 12) % 2 === 0 ? 40 : 120) + (x / WIDTH) * 90 + (y / HEIGHT) * 40
const compare = (shown: Lightness, area = AREA) => comparePicture(captureOf(shown), captureOf(picture), area)

t.test('the same picture has the same pixels, whatever its colors and its frame', async (t) => {
  t.same(compare(picture), { correlation: 1, contrast: 1, sharpness: 1 })
  t.same(comparePicture(captureOf(picture, 3), captureOf(picture), AREA), { correlation: 1, contrast: 1, sharpness: 1 })
  const framed: Lightness = (x, y) => (Math.min(x, y, WIDTH - x, HEIGHT - y) < 8 ? 0 : picture(x, y))
  t.same(compare(framed), { correlation: 1, contrast: 1, sharpness: 1 }, 'a frame')
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
