import t from 'tap'
import { compareImagePixels, compareWithCrops } from '../../../ports/browser/playwright/child/image-similarity.ts'

/** Dots of these grays. */
const grays = (...values: number[]): number[] => values.flatMap((value) => [value, value, value])

t.test('an image equals itself and is opposite to its negative', async (t) => {
  t.match(compareImagePixels(grays(0, 51, 255), grays(0, 51, 255)), { colorDifference: 0, shapeCorrelation: 1 })
  t.match(compareImagePixels(grays(0, 255), grays(255, 0)), { colorDifference: 1, shapeCorrelation: -1 })
  t.match(
    compareImagePixels(grays(0, 100, 200), grays(50, 150, 250)),
    { colorDifference: 0.2, shapeCorrelation: 1 },
    'brighter is of the same shape'
  )
})

t.test('images of one shape and lightness differ by color', async (t) => {
  const { colorDifference, shapeCorrelation } = compareImagePixels([255, 0, 0, 0, 0, 0], [0, 130, 0, 0, 0, 0])
  t.equal(colorDifference, 0.25)
  t.equal(shapeCorrelation, 1)
})

t.test('plain areas match each other and no image', async (t) => {
  t.match(compareImagePixels(grays(10, 10), grays(12, 12)), { colorDifference: 0.01, shapeCorrelation: 1 })
  t.equal(compareImagePixels(grays(10, 10), grays(0, 255)).shapeCorrelation, 0)
})

/** A square of 16 dots a side, whose lightness is a function of the position (0 to 1). */
const square = (lightnessAt: (x: number, y: number) => number): number[] =>
  grays(...Array.from({ length: 256 }, (_, at) => Math.round(lightnessAt((at % 16) / 16, Math.floor(at / 16) / 16))))
const rings = (x: number, y: number): number => 128 + 100 * Math.sin(18 * Math.hypot(x - 0.4, y - 0.5))
const stripes = (x: number, y: number): number => 128 + 100 * Math.sin(20 * x - 9 * y)

t.test('another picture with the same colors has other edges', async (t) => {
  const { colorDifference, shapeCorrelation, edgeDifference } = compareImagePixels(square(rings), square(stripes))
  t.ok(shapeCorrelation < 0.5, `${shapeCorrelation}`)
  t.ok(edgeDifference! > 0.4, `${edgeDifference} at a color difference of ${colorDifference}`)
})

t.test('a lighter and paler copy has the same edges', async (t) => {
  const { edgeDifference, shapeCorrelation } = compareImagePixels(
    square(rings),
    square((x, y) => 60 + 0.7 * rings(x, y))
  )
  t.ok(edgeDifference! < 0.05, `${edgeDifference}`)
  t.ok(shapeCorrelation > 0.95)
})

t.test('a crop is compared with the part of the picture that it shows', async (t) => {
  const cropped = square((x, y) => rings(0.25 + x / 2, y))
  const crops = [square(rings), square((x, y) => rings(x / 2, y)), cropped]
  t.ok(compareImagePixels(cropped, crops[0]!).shapeCorrelation < 0.5)
  t.match(compareWithCrops(cropped, crops), { shapeCorrelation: 1, edgeDifference: 0 })
})
