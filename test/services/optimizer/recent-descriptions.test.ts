import t from 'tap'
import { createOptimizer } from '../../../services/optimizer/index.ts'
import { RecentDescriptions } from '../../../services/optimizer/recent-descriptions.ts'
import { trigramHashes } from '../../../services/optimizer/similarity.ts'
import { buildProduct, openTestShop, PROJECT } from './fixtures.ts'
import { similarity, trigramsOf } from './copy-checks.ts'

const TEXTS = [
  'The mug is made of stoneware and keeps coffee warm for an hour.',
  'The mug is made of stoneware and keeps tea warm for an hour.',
  'The mug is made of porcelain and keeps tea warm for an hour.',
  'A wide rim and a heavy base make the bowl easy to hold with one hand.',
  '岩手県の職人が手作業で仕上げた急須です。'
]

t.test('from 0.6 on, the similarity to recent texts is the exact Jaccard index of trigrams', async (t) => {
  for (const [i, text] of TEXTS.entries()) {
    const recent = new RecentDescriptions()
    const others = TEXTS.filter((other) => other !== text)
    for (const [n, other] of others.entries()) recent.add({ productId: `p-${n}`, groupId: null }, trigramHashes(other))
    const largest = Math.max(...others.map((other) => similarity(trigramsOf(text), trigramsOf(other))))
    const expected = largest < 0.6 ? 0 : largest
    const found = recent.mostSimilar({ productId: 'new', groupId: null }, trigramHashes(text)).similarity
    t.ok(Math.abs(found - expected) < 0.001, `text ${i}: ${found} instead of ${expected}`)
  }
})

t.test('the text of the product itself, of its group, and a replaced text are not compared', async (t) => {
  const recent = new RecentDescriptions()
  const owner = { productId: 'a', groupId: 'mugs' }
  recent.add(owner, trigramHashes(TEXTS[0]!))
  t.equal(recent.mostSimilar(owner, trigramHashes(TEXTS[0]!)).similarity, 0)
  t.equal(recent.mostSimilar({ productId: 'b', groupId: 'mugs' }, trigramHashes(TEXTS[0]!)).similarity, 0)
  t.equal(recent.mostSimilar({ productId: 'b', groupId: null }, trigramHashes(TEXTS[0]!)).similarity, 1)
  recent.add(owner, trigramHashes(TEXTS[2]!))
  t.ok(recent.mostSimilar({ productId: 'b', groupId: null }, trigramHashes(TEXTS[0]!)).similarity < 0.3)
})

t.test('texts are found among thousands, and the oldest ones are dropped', async (t) => {
  const recent = new RecentDescriptions()
  for (let i = 0; i < 6_000; i++) {
    recent.add({ productId: `p-${i}`, groupId: null }, trigramHashes(`number ${i} of ${i * 7919}`))
  }
  const similarityTo = (i: number) =>
    recent.mostSimilar({ productId: 'new', groupId: null }, trigramHashes(`number ${i} of ${i * 7919}`)).similarity
  t.equal(similarityTo(5_999), 1)
  t.equal(similarityTo(5_000), 1)
  t.ok(similarityTo(100) < 1)
  t.equal(recent.has('p-100'), false)
})

t.test('products with the same sentences get other facts, and others get other sentences', async (t) => {
  const description = 'Wide straps spread the weight, so that a full day of books does not hurt the shoulders.'
  const { store, queue, all } = await openTestShop(t, [
    buildProduct({ externalId: '1', title: 'Alba Backpack', brand: 'Brisk', description }),
    buildProduct({
      externalId: '2',
      title: 'Kite Backpack',
      brand: 'Tidewater',
      attributes: { Color: 'slate', Material: 'waxed canvas' },
      description
    }),
    buildProduct({
      externalId: '3',
      title: 'Juno Backpack',
      brand: 'Brisk',
      description: `${description} A padded sleeve at the back of the backpack protects a 15-inch laptop.`
    })
  ])
  await createOptimizer({ store, queue, provider: null }).optimizeProject(PROJECT, new AbortController().signal)
  const products = (await all()).sort((a, b) => a.externalId.localeCompare(b.externalId))
  t.same(
    products.map(({ seo }) => seo.metaDescription!.value),
    [
      `Alba Backpack: ${description}`,
      `Kite Backpack by Tidewater in slate, made of waxed canvas: ${description}`,
      'Wide straps spread the weight. A padded sleeve at the back of the backpack protects a 15-inch laptop.'
    ]
  )
})
