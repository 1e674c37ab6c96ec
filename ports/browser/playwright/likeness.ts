import type { ImageSimilarity } from '../port/page-snapshot.ts'

/** Below this a picture is an even area, of which no shape is known. Of 255. */
const EVEN = 4

/**
 * How alike two pictures are, each as the red, green and blue of its dots, 0 to 255, in the same
 * order and number.
 */
export function likenessOf(one: readonly number[], other: readonly number[]): ImageSimilarity {
  const apart = one.reduce((sum, value, at) => sum + Math.abs(value - other[at]!), 0) / one.length / 255
  return { colorDifference: rounded(apart), shapeCorrelation: rounded(correlation(lightness(one), lightness(other))) }
}

/** Of each dot, by the weights of ITU-R BT.601. */
const lightness = (dots: readonly number[]): number[] =>
  Array.from(
    { length: dots.length / 3 },
    (_, at) => 0.299 * dots[3 * at]! + 0.587 * dots[3 * at + 1]! + 0.114 * dots[3 * at + 2]!
  )

/** Pearson's; 1 where both are even, 0 where one is. */
function correlation(one: readonly number[], other: readonly number[]): number {
  const [a, b] = [deviations(one), deviations(other)]
  const [spreadA, spreadB] = [spread(a), spread(b)]
  if (spreadA < EVEN || spreadB < EVEN) return spreadA < EVEN && spreadB < EVEN ? 1 : 0
  return a.reduce((sum, value, at) => sum + value * b[at]!, 0) / a.length / spreadA / spreadB
}

function deviations(values: readonly number[]): number[] {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  return values.map((value) => value - mean)
}

const spread = (deviations: readonly number[]): number =>
  Math.sqrt(deviations.reduce((sum, value) => sum + value ** 2, 0) / deviations.length)
const rounded = (value: number): number => Math.round(value * 100) / 100
