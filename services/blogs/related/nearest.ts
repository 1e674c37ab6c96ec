import { cosines, type TermIndex } from './term-index.ts'

/**
 * Other blogs in order of their cosine, the nearest first; of equal ones the one with the lower
 * number. `density` is the mean cosine of the first ten.
 */
export interface Nearest {
  blogs: Uint32Array
  cosines: Float64Array
  density: number
}

const REACH = 60
const DENSITY_OF = 10

/**
 * Gives the 60 nearest others of a blog that share a term with it; each is worked out when first
 * asked for, and kept.
 */
export function createNearest(index: TermIndex): (blog: number) => Nearest {
  const known = new Array<Nearest | undefined>(index.size)
  const sums = new Float64Array(index.size)
  return (blog) => (known[blog] ??= largest(cosines(index, blog, sums)))
}

/**
 * Keeps the largest found so far in falling order; few of many thousands get past the last one, so
 * moving them up is cheap.
 */
function largest(values: Float64Array): Nearest {
  const blogs = new Uint32Array(REACH)
  const found = new Float64Array(REACH)
  let count = 0
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!
    if (value <= (count < REACH ? 0 : found[REACH - 1]!)) continue
    let at = count < REACH ? count++ : REACH - 1
    for (; at > 0 && found[at - 1]! < value; at--) {
      found[at] = found[at - 1]!
      blogs[at] = blogs[at - 1]!
    }
    found[at] = value
    blogs[at] = i
  }
  const close = found.subarray(0, Math.min(count, DENSITY_OF))
  return {
    blogs: blogs.slice(0, count),
    cosines: found.slice(0, count),
    density: close.reduce((sum, cosine) => sum + cosine, 0) / close.length
  }
}
