import t from 'tap'
import type { GeneratedProduct } from '../data/generate/products.ts'
import { readProducts, skipWithout } from '../data/real.ts'
import { assertUnique, optimize, shareInRange } from '../services/optimizer/feed-checks.ts'
import { fromFeed } from '../services/optimizer/fixtures.ts'

t.test(
  'products of a real feed have unique titles, descriptions and handles',
  { skip: skipWithout.products },
  async (t) => {
    const products = await optimize(t, fromFeed(readProducts<GeneratedProduct>()))
    t.equal(products.length, 194)
    assertUnique(t, products)
    t.ok(shareInRange(products) >= 0.95, `${shareInRange(products)} of the descriptions are 121–156 characters long`)
  }
)
