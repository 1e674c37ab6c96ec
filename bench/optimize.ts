/**
 * Measures optimization by rules: `node bench/optimize.ts [products] [rounds]`. Defaults: 10,000
 * products, 5 rounds.
 *
 * Each round measures two runs, each on its own embedded store with the same generated products: the
 * optimizer, and a baseline that reads and saves the same products in the same batches with prebuilt
 * outputs. The difference is the cost of the rules and the claims.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openQueue } from '../ports/queue/open.ts'
import { openStore } from '../ports/store/open.ts'
import type { ProductRecord, Store } from '../ports/store/port.ts'
import { createOptimizer } from '../services/optimizer/index.ts'

const PROJECT = { accountId: 'bench', projectId: 'shop' }
const AT = '2026-01-01T00:00:00.000Z'
const BATCH_SIZE = 200

const WORDS = (
  'light strong simple durable fine soft handmade outdoor modern classic leather cotton oak steel wool ' +
  'travel kitchen garden office winter summer folding compact water cable bottle ' +
  'lamp chair table blanket jacket rucksack knife kettle mug shelf basket mirror pillow rug'
).split(' ')

function words(count: number, seed: number): string {
  return Array.from({ length: count }, (_, i) => WORDS[(seed * 31 + i * i * 7 + i * 13) % WORDS.length]).join(' ')
}

/** Four variants share a title. Every second description is HTML. About 600 characters each. */
function generateProducts(count: number): ProductRecord[] {
  return Array.from({ length: count }, (_, i) => {
    const group = Math.floor(i / 4)
    const sentences = Array.from({ length: 8 }, (_, n) => `The ${words(10, group + n)} of number ${group}.`)
    const description =
      i % 2 === 0
        ? `<p>${sentences.slice(0, 4).join(' ')}</p><ul>${sentences
            .slice(4)
            .map((sentence) => `<li>${sentence}</li>`)
            .join('')}</ul>`
        : sentences.join(' ')
    return {
      ...PROJECT,
      id: `product-${String(i).padStart(7, '0')}`,
      externalId: `e-${i}`,
      version: 1,
      status: 'pending',
      title: `${words(3, group)} ${group}`,
      sku: `SKU-${i}`,
      description,
      price: '19.90',
      category: 'House > Things',
      url: null,
      imageUrl: null,
      images: [],
      brand: group % 3 === 0 ? 'Lanternhill' : null,
      gtin: null,
      mpn: null,
      currency: 'EUR',
      availability: null,
      locale: 'en',
      attributes: { Color: ['Red', 'Blue', 'Green', 'Black'][i % 4]!, Size: 'M' },
      tags: [],
      groupId: null,
      quality: [],
      seo: {
        metaTitle: null,
        metaDescription: null,
        pageTitle: null,
        pageDescription: null,
        imageUrl: null,
        handle: null
      },
      claims: [],
      terms: [],
      optimizedFromDigest: null,
      optimizePendingSince: AT,
      imageCheckPendingSince: null,
      imageCheck: null,
      suggestion: null,
      suggestionDueAt: null,
      publishedDigest: null,
      eventPendingSince: null,
      lastImport: null,
      createdAt: AT,
      updatedAt: AT
    }
  })
}

async function withStore<T>(products: ProductRecord[], run: (store: Store) => Promise<T>): Promise<T> {
  const dataDir = mkdtempSync(join(tmpdir(), 'bench-optimize-'))
  const store = await openStore({ dataDir })
  try {
    for (let i = 0; i < products.length; i += 500) {
      await store.products.saveMany(products.slice(i, i + 500).map((product) => ({ product, ifVersion: null })))
    }
    return await run(store)
  } finally {
    await store.close()
    rmSync(dataDir, { recursive: true })
  }
}

async function optimize(
  products: ProductRecord[]
): Promise<{ seconds: number; cpuSeconds: number; ready: ProductRecord[] }> {
  return await withStore(products, async (store) => {
    const queue = await openQueue({})
    const [start, used] = [performance.now(), process.cpuUsage()]
    const optimized = await createOptimizer({ store, queue, provider: null }).optimizeProject(
      PROJECT,
      new AbortController().signal
    )
    const seconds = (performance.now() - start) / 1000
    const { user, system } = process.cpuUsage(used)
    await queue.close()
    const { products: ready } = await store.products.list(
      { accountId: PROJECT.accountId, projectIds: null },
      { page: 1, pageSize: products.length }
    )
    if (optimized !== products.length || ready.some(({ status }) => status !== 'optimized')) {
      throw new Error(`Optimized ${optimized} of ${products.length} products`)
    }
    return { seconds, cpuSeconds: (user + system) / 1e6, ready }
  })
}

async function saveOnly(products: ProductRecord[], ready: ProductRecord[]): Promise<number> {
  const byId = new Map(ready.map((product) => [product.id, product]))
  return await withStore(products, async (store) => {
    const start = performance.now()
    while (true) {
      const due = await store.products.pending(PROJECT, 'optimize', BATCH_SIZE)
      if (due.length === 0) return (performance.now() - start) / 1000
      await store.products.saveMany(due.map(({ id, version }) => ({ product: byId.get(id)!, ifVersion: version })))
    }
  })
}

if (import.meta.main) {
  const [count, rounds] = [Number(process.argv[2] ?? 10_000), Number(process.argv[3] ?? 5)]
  const products = generateProducts(count)
  for (let round = 1; round <= rounds; round++) {
    const { seconds, cpuSeconds, ready } = await optimize(products)
    const baseline = await saveOnly(products, ready)
    console.log(
      `${count} products: optimizer ${seconds.toFixed(2)} s (${Math.round(count / seconds)}/s, ` +
        `CPU ${cpuSeconds.toFixed(2)} s), reading and saving alone ${baseline.toFixed(2)} s ` +
        `(${Math.round(count / baseline)}/s), rules and claims ` +
        `${(((seconds - baseline) * 1e6) / count).toFixed(0)} µs per product`
    )
  }
}
