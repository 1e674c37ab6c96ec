/**
 * Measures the meta descriptions that the rules write: `npm run bench:copy [products] [page.html]`.
 * Defaults: 200 products of each feed, `data/copy-pairs.html`.
 *
 * Prints the share of descriptions of each generated feed that pass each check, and writes a page with
 * 100 pairs of source and result for people to judge. `SEED` sets another seed; `FILE=products.json`
 * writes the pairs of a feed of your own instead, without checks.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { openQueue } from '../../ports/queue/open.ts'
import { openStore } from '../../ports/store/open.ts'
import type { ProductRecord } from '../../ports/store/port.ts'
import { createOptimizer } from '../../services/optimizer/index.ts'
import { FEEDS } from '../../test/data/generate/shop-feeds/index.ts'
import { CHECKS, checkCopy, feedProducts, type CopyPair } from '../../test/services/optimizer/copy-checks.ts'
import { buildProduct, PROJECT } from '../../test/services/optimizer/fixtures.ts'
import { pairsPage } from './page.ts'

const PAIRS = 100

async function optimize(products: ProductRecord[]): Promise<ProductRecord[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'bench-copy-'))
  const store = await openStore({ dataDir })
  const queue = await openQueue({})
  try {
    await store.products.saveMany(products.map((product) => ({ product, ifVersion: null })))
    await createOptimizer({ store, queue, provider: null }).optimizeProject(PROJECT, new AbortController().signal)
    const scope = { accountId: PROJECT.accountId, projectIds: null }
    return (await store.products.list(scope, { page: 1, pageSize: products.length })).products
  } finally {
    await queue.close()
    await store.close()
    rmSync(dataDir, { recursive: true })
  }
}

interface OwnProduct {
  id?: number | string
  title: string
  description?: string
  category?: string
  brand?: string
  sku?: string
}

async function fromFile(file: string): Promise<Pick<CopyPair, 'product' | 'failed'>[]> {
  const rows = JSON.parse(readFileSync(file, 'utf8')) as OwnProduct[]
  const products = await optimize(
    rows.map(({ id, title, description, category, brand, sku }, i) =>
      buildProduct({
        externalId: String(id ?? i),
        title,
        description: description ?? null,
        category: category ?? null,
        brand: brand ?? null,
        sku: sku ?? null
      })
    )
  )
  return products.map((product) => ({ product, failed: [] }))
}

async function fromFeeds(count: number): Promise<CopyPair[]> {
  const all: CopyPair[] = []
  console.log(['feed'.padEnd(12), ...CHECKS.map((check) => check.padStart(9))].join(' '))
  for (const feed of FEEDS) {
    const entries = feedProducts(feed, count)
    const { shares, pairs } = checkCopy(
      entries.map(({ source }) => source),
      await optimize(entries.map(({ product }) => product))
    )
    all.push(...pairs)
    const cells = CHECKS.map((check) => `${(shares[check] * 100).toFixed(1)} %`.padStart(9))
    console.log([feed.padEnd(12), ...cells].join(' '))
    for (const { source, product, failed } of pairs.filter((pair) => pair.failed.length > 0).slice(0, 8)) {
      console.log(`  ${failed.join(', ')}: ${source.title} → ${product.seo.metaDescription!.value}`)
    }
  }
  return all
}

if (import.meta.main) {
  const count = Number(process.argv[2] ?? 200)
  const target = process.argv[3] ?? 'data/copy-pairs.html'
  const { FILE } = process.env
  const pairs = FILE === undefined ? await fromFeeds(count) : await fromFile(FILE)
  const step = Math.max(1, Math.floor(pairs.length / PAIRS))
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(target, pairsPage(pairs.filter((_, i) => i % step === 0).slice(0, PAIRS)))
  console.log(`Pairs: ${target}`)
}
