import t from 'tap'
import { compareImagePixels } from '../../../ports/browser/playwright/child/image-similarity.ts'

/** Dots of these grays. */
const grays = (...values: number[]): number[] => values.flatMap((value) => [value, value, value])

t.test('an image equals itself and is opposite to its negative', async (t) => {
  t.strictSame(compareImagePixels(grays(0, 51, 255), grays(0, 51, 255)), { colorDifference: 0, shapeCorrelation: 1 })
  t.strictSame(compareImagePixels(grays(0, 255), grays(255, 0)), { colorDifference: 1, shapeCorrelation: -1 })
  t.strictSame(
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
  t.strictSame(compareImagePixels(grays(10, 10), grays(12, 12)), { colorDifference: 0.01, shapeCorrelation: 1 })
  t.equal(compareImagePixels(grays(10, 10), grays(0, 255)).shapeCorrelation, 0)
})
