import t from 'tap'
import { scaled } from '../../profile.ts'
import { FEEDS } from '../../data/generate/shop-feeds/index.ts'
import { seedNote } from '../../data/seed.ts'
import { CHECKS, checkCopy, feedProducts } from './copy-checks.ts'
import { optimize } from './feed-checks.ts'

const COUNT = scaled ? 20 : 40
/** One product of a small sample may fail a check. `npm run bench:copy` measures 200 of each feed. */
const MIN_SHARE = 0.95

for (const feed of FEEDS) {
  t.test(`descriptions of the feed ${feed} are whole, clean and distinct sentences on the product`, async (t) => {
    const entries = feedProducts(feed, COUNT)
    const { shares, pairs } = checkCopy(
      entries.map(({ source }) => source),
      await optimize(
        t,
        entries.map(({ product }) => product)
      )
    )
    for (const check of CHECKS) {
      const failed = pairs.filter((pair) => pair.failed.includes(check))
      const texts = failed.map(({ product }) => product.seo.metaDescription!.value).join('\n')
      t.ok(shares[check] >= MIN_SHARE, `${check}: ${shares[check]}; ${seedNote}\n${texts}`)
    }
  })
}
