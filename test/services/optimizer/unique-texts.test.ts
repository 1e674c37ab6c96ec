import t from 'tap'
import type { SeoValue } from '../../../ports/store/port.ts'
import { createOptimizer } from '../../../services/optimizer/index.ts'
import { RecentDescriptions } from '../../../services/optimizer/recent-descriptions.ts'
import { trigramHashes } from '../../../services/optimizer/similarity.ts'
import { resolveClaims, toClaim, type TextRequest } from '../../../services/optimizer/unique-texts.ts'
import { scaled } from '../../profile.ts'
import { generateProducts } from '../../data/generate/products.ts'
import { seedNote } from '../../data/seed.ts'
import { assertUnique, optimize, shareInRange } from './feed-checks.ts'
import { updateProduct, fromFeed, buildProduct, openTestShop, PROJECT, sparseFeed } from './fixtures.ts'

/** Both have more products than fit into one batch. */
const SPARSE = scaled ? { count: 300, described: 40 } : { count: 800, described: 60 }
const SAME_TITLE_COUNT = scaled ? 40 : 220

t.test('no two products of a feed have the same title, description or handle', async (t) => {
  const products = await optimize(t, fromFeed(generateProducts(194)))
  t.equal(products.length, 194)
  assertUnique(t, products, seedNote)
  t.ok(shareInRange(products) >= 0.95, `${shareInRange(products)} of the descriptions are 121–156 characters long`)
})

t.test(
  `the texts of ${SPARSE.count} products with ${SPARSE.described} descriptions and few titles are unique`,
  async (t) => {
    const products = await optimize(t, sparseFeed(SPARSE.count, SPARSE.described))
    t.equal(products.length, SPARSE.count)
    t.equal(products.filter(({ description }) => description !== null).length, SPARSE.described)
    assertUnique(t, products)
    t.ok(shareInRange(products) >= 0.95, `${shareInRange(products)} of the descriptions are 121–156 characters long`)
  }
)

t.test(`the texts of ${SAME_TITLE_COUNT} products with only the same title are unique`, async (t) => {
  for (const title of [
    'Oak Table',
    '東京の浴衣',
    '🎉🎉',
    'W'.repeat(500),
    '('.repeat(500),
    '\u0300'.repeat(500),
    `a${'\u0300'.repeat(499)}`,
    `${'-'.repeat(300)} x`
  ]) {
    assertUnique(
      t,
      await optimize(
        t,
        Array.from({ length: SAME_TITLE_COUNT }, (_, i) => buildProduct({ externalId: `テ${i}`, title }))
      )
    )
  }
})

t.test('products whose externalIds are equal after cleaning get unique texts', async (t) => {
  const externalIds = [
    'x',
    'x\u200B',
    '\u2060x',
    'X',
    '<b>x</b>',
    '<i>x</i>',
    ...Array.from({ length: 30 }, (_, i) => `<script>${i}</script>`)
  ]
  const products = await optimize(
    t,
    externalIds.map((externalId) => buildProduct({ externalId, title: 'Oak Table' }))
  )
  t.same(
    products.filter(({ status }) => status !== 'optimized'),
    []
  )
  assertUnique(t, products)
})

t.test('a new color variant is named by its color, and the existing variant stays unchanged', async (t) => {
  const { store, queue, all } = await openTestShop(t, [
    buildProduct({ externalId: 'red', title: 'Mug', attributes: { Color: 'Red', Volume: '300 ml' } })
  ])
  const optimizer = createOptimizer({ store, queue, provider: null })
  await optimizer.optimizeProject(PROJECT, new AbortController().signal)
  await store.products.saveMany([
    {
      product: buildProduct({ externalId: 'blue', title: 'Mug', attributes: { Color: 'Blue', Volume: '300 ml' } }),
      ifVersion: null
    }
  ])
  await optimizer.optimizeProject(PROJECT, new AbortController().signal)
  const [blue, red] = await all()
  t.equal(red?.seo.metaTitle?.value, 'Mug | Acme')
  t.equal(blue?.seo.metaTitle?.value, 'Mug – Blue | Acme')
  t.equal(blue?.seo.handle?.value, 'mug-blue')
  t.equal(blue?.seo.pageTitle?.value, 'Mug – Blue')
})

t.test('a released text can be used again', async (t) => {
  const { store, queue } = await openTestShop(t, [buildProduct({ externalId: 'a', title: 'Mug' })])
  const optimizer = createOptimizer({ store, queue, provider: null })
  await optimizer.optimizeProject(PROJECT, new AbortController().signal)
  const [a] = await store.products.findByExternalIds(PROJECT, ['a'])
  await updateProduct(store, a!, { title: 'Cup', optimizePendingSince: '2026-06-01T00:00:00.000Z' })
  await optimizer.optimizeProject(PROJECT, new AbortController().signal)
  await store.products.saveMany([{ product: buildProduct({ externalId: 'b', title: 'Mug' }), ifVersion: null }])
  await optimizer.optimizeProject(PROJECT, new AbortController().signal)
  const [b] = await store.products.findByExternalIds(PROJECT, ['b'])
  t.match(b?.seo, { pageTitle: { value: 'Mug' }, handle: { value: 'mug-b' } })
})

t.test('products whose texts are chosen together do not get the same one if another text is left', async (t) => {
  const known =
    'Night Harbor is a warm and restful perfume with notes of bergamot, cedar and amber for winter evenings.'
  const shared = 'Night Harbor is a warm and restful perfume with notes of bergamot, cedar and amber.'
  const [first, second] = ['for cold winter evenings.', 'for winter evenings at home.'].map((end) =>
    known.replace('for winter evenings.', end)
  )
  const recent = new RecentDescriptions()
  recent.add({ productId: 'known', groupId: null }, trigramHashes(known))
  const requests = [first, second].map(
    (own, i): TextRequest => ({
      productId: `product ${i}`,
      groupId: null,
      field: 'metaDescription',
      fixed: null,
      candidates: [known, shared, own!].map((value): SeoValue => ({ value, source: 'rule' })).values()
    })
  )
  const resolved = await resolveClaims(requests, {
    findOwners: async (claims) =>
      claims
        .filter((claim) => claim === toClaim('metaDescription', known))
        .map((claim) => ({ claim, productId: 'known', groupId: null })),
    recent,
    isRemote: false
  })
  t.same(
    resolved.map(({ value, isDuplicate }) => [value?.value, isDuplicate]),
    [
      [shared, false],
      [second, false]
    ]
  )
})
