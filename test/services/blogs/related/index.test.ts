import t from 'tap'
import { toVectorWithoutTags, evaluateLists } from '../../../../bench/related.ts'
import type { BlogVector, RelatedEntry } from '../../../../ports/store/port.ts'
import { allRelated, createVector } from '../../../../services/blogs/related/index.ts'
import { generatePosts } from '../../../data/generate/posts.ts'
import { seedNote } from '../../../data/seed.ts'

function blog(id: string, text: string, more: Partial<BlogVector> = {}): BlogVector {
  const locale = more.locale ?? 'en'
  return {
    id,
    projectId: 'p',
    locale,
    category: null,
    tags: [],
    publishedAt: '2026-01-01T00:00:00.000Z',
    vector: createVector({ title: text, description: '', text, locale }),
    ...more
  }
}

const idsOf = (related: readonly RelatedEntry[]) => related.map(({ id }) => id)
const listOf = (vectors: BlogVector[], id: string) => allRelated(vectors).find((list) => list.id === id)?.related ?? []
const relatedOf = (vectors: BlogVector[], id: string) => idsOf(listOf(vectors, id))

/** Seeded random numbers from 0 to below 1. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32
}

function madeUp(random: () => number, id: string): BlogVector {
  const subject = Math.floor(random() * 12)
  const word = () =>
    random() < 0.4 ? `subject${subject}word${Math.floor(40 * random() ** 2)}` : `word${Math.floor(600 * random() ** 2)}`
  const day = Math.floor(random() * 2000)
  return blog(id, Array.from({ length: 80 }, word).join(' '), {
    tags: [`t${subject}`],
    publishedAt: new Date(Date.UTC(2020, 0, 1 + day)).toISOString()
  })
}

const manyBlogs = (count: number, random: () => number) =>
  Array.from({ length: count }, (_, i) => madeUp(random, `b${i}`))

function shuffled<T>(items: T[], random: () => number): T[] {
  return items
    .map((item) => ({ item, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item)
}

t.test('related posts share a subject, and every post is recommended somewhere', async (t) => {
  const posts = generatePosts(500).map((post) => ({ ...post, tags: new Set(post.tags) }))
  const lists = new Map(allRelated(posts.map(toVectorWithoutTags)).map(({ id, related }) => [id, idsOf(related)]))
  const { p3, covered3, covered12 } = evaluateLists(posts, lists)
  t.ok(p3 >= 0.8, `of the first three, ${p3.toFixed(3)} share a hidden tag; ${seedNote}`)
  t.ok(covered3 >= 0.9, `${covered3.toFixed(3)} of the posts are among the first three of some post; ${seedNote}`)
  t.ok(covered12 >= 0.99, `${covered12.toFixed(3)} are in some list; ${seedNote}`)
})

t.test('a list has at most twelve other blogs, without duplicates, nearest first', async (t) => {
  const vectors = manyBlogs(120, randomFrom(3))
  const lists = allRelated(vectors)
  t.same(
    lists.map(({ id }) => id),
    vectors.map(({ id }) => id).sort()
  )
  for (const { id, related } of lists) {
    const scores = related.map(({ score }) => score)
    t.ok(
      related.length === 12 && new Set(idsOf(related)).size === 12 && !idsOf(related).includes(id),
      `${id} has twelve others`
    )
    t.same(
      scores,
      scores.toSorted((a, b) => b - a),
      'in order'
    )
    t.same(
      scores.filter((score) => !(score > 0 && score <= 1) || Math.round(score * 1e4) / 1e4 !== score),
      [],
      'from 0 to 1, four digits'
    )
  }
})

t.test('the order of the input does not change the lists', async (t) => {
  const random = randomFrom(4)
  const vectors = manyBlogs(150, random)
  const twins = vectors.slice(0, 20).map((vector) => ({ ...vector, id: `${vector.id}-twin` }))
  const all = [...vectors, ...twins]
  const lists = allRelated(all)
  for (let round = 0; round < 3; round++) t.same(allRelated(shuffled(all, random)), lists)
})

t.test('blogs of other projects and languages are never neighbors', async (t) => {
  const text = 'pruning old apple trees in winter'
  const vectors = [
    blog('a', text),
    blog('e', text),
    blog('c', text, { projectId: 'q' }),
    blog('d', text, { locale: 'fr' }),
    blog('b', text, { locale: 'en-GB' })
  ]
  t.same(relatedOf(vectors, 'a'), ['e', 'b'], 'the same locale first, then the same language')
  t.same(relatedOf(vectors, 'c'), [])
  t.same(relatedOf(vectors, 'd'), [])
  t.same(relatedOf(vectors, 'nobody'), [])
  t.same(allRelated([]), [])
})

t.test('two blogs that share a word are related; blogs that share nothing are not', async (t) => {
  t.same(relatedOf([blog('a', 'apple trees'), blog('b', 'apple cider')], 'a'), ['b'])
  t.same(relatedOf([blog('a', 'apple trees'), blog('b', 'motor boats')], 'a'), [])
})

t.test('tags and categories count in any capitalization', async (t) => {
  const other = (id: string, more: Partial<BlogVector> = {}) => blog(id, `word${id} thing${id} matter${id}`, more)
  const vectors = [
    other('a', { tags: ['Orchard'], category: 'How-to' }),
    other('b', { tags: ['orchard '] }),
    other('c', { category: 'how-to' }),
    other('d'),
    other('e')
  ]
  t.same(relatedOf(vectors, 'a'), ['b', 'c'], 'a tag counts more than a category')
})

t.test('equal neighbors are ordered by date, newest first, then by id', async (t) => {
  const at = (year: number) => ({ publishedAt: `${year}-01-01T00:00:00.000Z` })
  const vectors = [
    blog('a', 'apple trees', at(2020)),
    blog('d', 'apple pie', at(2024)),
    blog('c', 'apple pie', at(2024)),
    blog('b', 'apple pie', at(2025)),
    blog('e', 'apple pie', at(2010))
  ]
  t.same(relatedOf(vectors, 'a').slice(0, 1), ['b'])
  t.same(relatedOf(vectors, 'a'), ['b', 'c', 'd', 'e'])
})

t.test('a recent blog ranks slightly higher than an old one', async (t) => {
  const score = (year: number) =>
    listOf([blog('a', 'apple trees'), blog('b', 'apple pie', { publishedAt: `${year}-01-01T00:00:00.000Z` })], 'a')[0]!
      .score
  t.ok(score(2025) > score(2010))
  t.equal(score(2026), score(2030), 'later dates make no difference')
})

t.test('a word of nearly all blogs does not relate them', async (t) => {
  const vectors = Array.from({ length: 40 }, (_, i) => blog(`b${i}`, `company matter${i}`))
  t.same(
    allRelated(vectors).filter(({ related }) => related.length > 0),
    []
  )
})
