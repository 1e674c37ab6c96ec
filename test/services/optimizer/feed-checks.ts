import type { Test } from 'tap'
import type { ProductRecord } from '../../../ports/store/port.ts'
import { createOptimizer } from '../../../services/optimizer/index.ts'
import { descriptionLengths } from '../../../services/optimizer/rules/meta-descriptions.ts'
import { DESCRIPTION, pixelWidth, TITLE } from '../../../services/optimizer/rules/shorten.ts'
import { plainLine } from '../../../services/optimizer/rules/plain-text.ts'
import { openTestShop, PROJECT } from './fixtures.ts'

const HANDLE = /^[a-z0-9]+(-[a-z0-9]+)*$/
const UNIQUE = ['metaTitle', 'pageTitle', 'handle'] as const

/** Creates a shop of these products, optimizes them once, and returns them. */
export async function optimize(t: Test, products: ProductRecord[]): Promise<ProductRecord[]> {
  const { store, queue, all } = await openTestShop(t, products)
  await createOptimizer({ store, queue, provider: null }).optimizeProject(PROJECT, new AbortController().signal)
  return await all()
}

/**
 * Titles and handles are unique, repeated descriptions are reported, all texts fit the search results,
 * and handles are valid.
 */
export function assertUnique(t: Test, products: ProductRecord[], note = ''): void {
  for (const field of UNIQUE) {
    t.equal(
      new Set(products.map(({ seo }) => seo[field]!.value.toLowerCase())).size,
      products.length,
      `no ${field} twice${note === '' ? '' : `; ${note}`}`
    )
  }
  const byText = Map.groupBy(products, ({ seo }) => seo.metaDescription!.value.toLowerCase())
  const unreported = [...byText.values()].filter(
    (same) => same.filter(({ quality }) => !quality.includes('duplicate')).length > 1
  )
  t.same(
    unreported.map(([product]) => product!.title),
    [],
    'repeated descriptions are reported'
  )
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
export function shareInRange(products: ProductRecord[]): number {
  const able = products.filter(({ description }) => plainLine(description ?? '').length >= 121)
  const good = able.filter(({ seo }) => {
    const { value } = seo.metaDescription!
    return (
      value.length >= descriptionLengths(value).min &&
      value.length <= descriptionLengths(value).room.maxCharacters &&
      pixelWidth(value, DESCRIPTION.sizePx) <= DESCRIPTION.maxPx
    )
  })
  return good.length / able.length
}
