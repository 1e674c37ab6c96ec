import t from 'tap'
import { diversify, type Neighbors } from '../../../../services/blogs/related/ranking.ts'

/** Blogs 1 and 2 say nearly the same; 3 is like neither. */
const alike: Record<number, [number, number][]> = { 1: [[2, 0.9]], 2: [[1, 0.9]], 3: [] }
function nearest(blog: number): Neighbors {
  const entries = alike[blog]!
  return {
    blogs: Uint32Array.from(entries, ([other]) => other),
    cosines: Float64Array.from(entries, ([, cosine]) => cosine),
    density: 1
  }
}
const candidates = (...similarity: number[]) => similarity.map((value, i) => ({ blog: i + 1, similarity: value }))

t.test('what says the same as one already picked comes after what does not', async (t) => {
  t.same(
    diversify(candidates(0.5, 0.49, 0.4), 3, nearest).map(({ blog }) => blog),
    [1, 3, 2]
  )
})

t.test('what is much closer is picked all the same', async (t) => {
  t.same(
    diversify(candidates(0.5, 0.49, 0.2), 3, nearest).map(({ blog }) => blog),
    [1, 2, 3]
  )
})

t.test('similarity never rises along the list, which has no more than was asked for', async (t) => {
  const picked = diversify(candidates(0.5, 0.49, 0.4), 3, nearest).map(({ similarity }) => similarity)
  t.same(
    picked,
    picked.toSorted((a, b) => b - a)
  )
  t.same(diversify(candidates(0.5, 0.49, 0.4), 2, nearest).length, 2)
  t.same(diversify([], 12, nearest), [])
})
