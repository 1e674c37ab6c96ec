import t, { type Test } from 'tap'
import { existsSync } from 'node:fs'
import type { ProductRecord } from '../../../ports/store/port.ts'
import { createOptimizer } from '../../../services/optimizer/index.ts'
import { descriptionLengths } from '../../../services/optimizer/rules/meta-descriptions.ts'
import { DESCRIPTION, pixelWidth, TITLE } from '../../../services/optimizer/rules/pixel-width.ts'
import { plainLine } from '../../../services/optimizer/rules/plain-text.ts'
import { scaled } from '../../profile.ts'
import { change, givenProduct, givenShop, PLACE, poorFeed, realFeed, REAL_FEED } from './given.ts'

const HANDLE = /^[a-z0-9]+(-[a-z0-9]+)*$/
/** The poor feed is more than is worked on at once. */
const POOR = scaled ? { count: 300, described: 40 } : { count: 1_994, described: 146 }
const ALIKE = scaled ? 40 : 300
const UNIQUE = ['metaTitle', 'metaDescription', 'pageTitle', 'handle'] as const

async function optimized(t: Test, products: ProductRecord[]): Promise<ProductRecord[]> {
  const { store, queue, all } = await givenShop(t, products)
  await createOptimizer({ store, queue, provider: null }).work(PLACE, new AbortController().signal)
  return await all()
}

function assertUnique(t: Test, products: ProductRecord[]): void {
  for (const field of UNIQUE) {
    t.equal(
      new Set(products.map(({ seo }) => seo[field]!.value.toLowerCase())).size,
      products.length,
      `no ${field} twice`
    )
  }
  t.same(
    products.filter(
      ({ seo }) => pixelWidth(seo.metaTitle!.value, TITLE.sizePx) > 580 || /^(?:$| )/.test(seo.metaTitle!.value)
    ),
    [],
    'every title has room'
  )
  t.same(
    products.filter(
      ({ seo }) =>
        pixelWidth(seo.metaDescription!.value, DESCRIPTION.sizePx) > 920 || seo.metaDescription!.value.length > 156
    ),
    [],
    'every description has room'
  )
  t.same(
    products.filter(({ seo }) => !HANDLE.test(seo.handle!.value) || seo.handle!.value.length > 80),
    [],
    'every handle has its shape'
  )
}

/**
 * The share of descriptions of the right length among the products whose text is long enough for
 * one.
 */
function shareInRange(products: ProductRecord[]): number {
  const able = products.filter(({ description }) => plainLine(description ?? '').length >= 121)
  const good = able.filter(({ seo }) => {
    const { value } = seo.metaDescription!
    return (
      value.length >= descriptionLengths(value).least &&
      value.length <= descriptionLengths(value).room.mostCharacters &&
      pixelWidth(value, DESCRIPTION.sizePx) <= DESCRIPTION.mostPx
    )
  })
  return good.length / able.length
}

t.test(
  'in a real feed no two products have the same title, description or handle',
  { skip: !existsSync(REAL_FEED) && 'no real feed here' },
  async (t) => {
    const products = await optimized(t, realFeed())
    t.equal(products.length, 194)
    assertUnique(t, products)
    t.ok(shareInRange(products) >= 0.95, `${shareInRange(products)} of the descriptions are 121–156 characters long`)
  }
)

t.test(
  `in a poor feed of ${POOR.count} products with ${POOR.described} descriptions and few titles neither`,
  async (t) => {
    const products = await optimized(t, poorFeed(POOR.count, POOR.described))
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
      await optimized(
        t,
        Array.from({ length: ALIKE }, (_, i) => givenProduct({ externalId: `テ${i}`, title }))
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
  const products = await optimized(
    t,
    externalIds.map((externalId) => givenProduct({ externalId, title: 'Oak Table' }))
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
    const { store, queue, all } = await givenShop(t, [
      givenProduct({ externalId: 'red', title: 'Mug', attributes: { Color: 'Red', Volume: '300 ml' } })
    ])
    const optimizer = createOptimizer({ store, queue, provider: null })
    await optimizer.work(PLACE, new AbortController().signal)
    await store.products.saveMany([
      {
        product: givenProduct({ externalId: 'blue', title: 'Mug', attributes: { Color: 'Blue', Volume: '300 ml' } }),
        ifVersion: null
      }
    ])
    await optimizer.work(PLACE, new AbortController().signal)
    const [blue, red] = await all()
    t.equal(red?.seo.metaTitle?.value, 'Mug | Acme')
    t.equal(blue?.seo.metaTitle?.value, 'Mug – Blue | Acme')
    t.equal(blue?.seo.handle?.value, 'mug-blue')
    t.equal(blue?.seo.pageTitle?.value, 'Mug – Blue')
  }
)

t.test('a text that somebody gave up is free again', async (t) => {
  const { store, queue } = await givenShop(t, [givenProduct({ externalId: 'a', title: 'Mug' })])
  const optimizer = createOptimizer({ store, queue, provider: null })
  await optimizer.work(PLACE, new AbortController().signal)
  const [a] = await store.products.findByExternalIds(PLACE, ['a'])
  await change(store, a!, { title: 'Cup', optimizePendingSince: '2026-06-01T00:00:00.000Z' })
  await optimizer.work(PLACE, new AbortController().signal)
  await store.products.saveMany([{ product: givenProduct({ externalId: 'b', title: 'Mug' }), ifVersion: null }])
  await optimizer.work(PLACE, new AbortController().signal)
  const [b] = await store.products.findByExternalIds(PLACE, ['b'])
  t.match(b?.seo, { pageTitle: { value: 'Mug' }, handle: { value: 'mug-b' } })
})
