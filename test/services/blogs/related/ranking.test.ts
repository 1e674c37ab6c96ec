import t from 'tap'
import { diversify, type Member } from '../../../../services/blogs/related/ranking.ts'

/** Blogs 1 and 2 are near duplicates; blog 3 differs from both. */
const alike: Record<string, [string, number][]> = { 1: [['2', 0.9]], 2: [['1', 0.9]], 3: [] }
const members = new Map(
  Object.entries(alike).map(([id, entries]): [string, Member] => [
    id,
    {
      id,
      locale: 'en',
      publishedAt: null,
      neighbors: entries.map(([other]) => other),
      cosines: entries.map(([, cosine]) => cosine)
    }
  ])
)
const candidates = (...similarity: number[]) => similarity.map((value, i) => ({ id: String(i + 1), similarity: value }))

t.test('a near duplicate of a picked blog ranks below a different one', async (t) => {
  t.same(
    diversify(candidates(0.5, 0.49, 0.4), 3, members).map(({ id }) => id),
    ['1', '3', '2']
  )
})

t.test('a much more similar blog is picked in spite of its overlap', async (t) => {
  t.same(
    diversify(candidates(0.5, 0.49, 0.2), 3, members).map(({ id }) => id),
    ['1', '2', '3']
  )
})

t.test('similarity never increases along the list, which has at most the requested length', async (t) => {
  const picked = diversify(candidates(0.5, 0.49, 0.4), 3, members).map(({ similarity }) => similarity)
  t.same(
    picked,
    picked.toSorted((a, b) => b - a)
  )
  t.same(diversify(candidates(0.5, 0.49, 0.4), 2, members).length, 2)
  t.same(diversify([], 12, members), [])
})
