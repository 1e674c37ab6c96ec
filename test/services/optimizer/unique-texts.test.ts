import t from 'tap'
import { createOptimizer } from '../../../services/optimizer/index.ts'
import { scaled } from '../../profile.ts'
import { generateProducts } from '../../data/generate/products.ts'
import { seedNote } from '../../data/seed.ts'
import { assertUnique, optimize, shareInRange } from './feed-checks.ts'
import { updateProduct, fromFeed, buildProduct, openTestShop, PROJECT, sparseFeed } from './fixtures.ts'

/** The poor feed is more than is worked on at once. */
const POOR = scaled ? { count: 300, described: 40 } : { count: 1_994, described: 146 }
const ALIKE = scaled ? 40 : 300

t.test('in a feed no two products have the same title, description or handle', async (t) => {
  const products = await optimize(t, fromFeed(generateProducts(194)))
  t.equal(products.length, 194)
  assertUnique(t, products, seedNote)
  t.ok(shareInRange(products) >= 0.95, `${shareInRange(products)} of the descriptions are 121–156 characters long`)
})

t.test(
  `in a poor feed of ${POOR.count} products with ${POOR.described} descriptions and few titles neither`,
  async (t) => {
    const products = await optimize(t, sparseFeed(POOR.count, POOR.described))
    t.equal(products.length, POOR.count)
    t.equal(products.filter(({ description }) => description !== null).length, POOR.described)
    assertUnique(t, products)
    t.ok(shareInRange(products) >= 0.95, `${shareInRange(products)} of the descriptions are 121–156 characters long`)
  }
)

t.test(`not even among ${ALIKE} products that have nothing but the same title`, async (t) => {
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
        Array.from({ length: ALIKE }, (_, i) => buildProduct({ externalId: `テ${i}`, title }))
      )
    )
  }
})

t.test('products whose externalIds look the same once they are cleaned are told apart all the same', async (t) => {
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

t.test(
  'a new color of a product that is there names its color, and the one that is there stays as it is',
  async (t) => {
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
  }
)

t.test('a text that somebody gave up is free again', async (t) => {
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
