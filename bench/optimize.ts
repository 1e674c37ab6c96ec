import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openQueue } from '../ports/queue/open.ts'
import { openStore } from '../ports/store/open.ts'
import type { ProductRecord, Store } from '../ports/store/port.ts'
import { createOptimizer } from '../services/optimizer/index.ts'
import type { Bench } from './harness/bench.ts'
import { measureInTurn } from './harness/in-turn.ts'
import { formatNumber, median } from './harness/statistics.ts'

const PROJECT = { accountId: 'bench', projectId: 'shop' }
const AT = '2026-01-01T00:00:00.000Z'
const BATCH_SIZE = 200
/** Products of a measurement, with `--scale 1`. */
const PRODUCTS = 10_000

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

export const bench: Bench = {
  summary:
    'Products optimized by rules, on a new embedded store. Compared with reading and saving the same products in the ' +
    'same batches with prebuilt results: the difference is the cost of the rules and the claims.',
  async run({ rounds, scale }) {
    const products = generateProducts(Math.ceil(PRODUCTS * scale))
    const { ready } = await optimize(products)
    const cpuSeconds: number[] = []
    const values = await measureInTurn(
      [
        {
          name: 'optimizer',
          measure: async () => {
            const measured = await optimize(products)
            cpuSeconds.push(measured.cpuSeconds)
            return products.length / measured.seconds
          }
        },
        { name: 'saving', measure: async () => products.length / (await saveOnly(products, ready)) }
      ],
      rounds
    )
    return [
      {
        name: `${formatNumber(products.length)} products`,
        unit: 'products/s',
        values: values.get('optimizer')!,
        baseline: { name: 'reading and saving alone', values: values.get('saving')! },
        extra: { 'CPU time': `${formatNumber((median(cpuSeconds.slice(1)) * 1e6) / products.length)} µs per product` }
      }
    ]
  }
}
