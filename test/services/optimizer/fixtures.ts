import type { Test } from 'tap'
import type { ProductRecord, ProjectRef, Store } from '../../../ports/store/port.ts'
import { DEFAULT_ARTICLE_STYLE } from '../../../schemas/default-article-style.ts'
import { newId } from '../../../services/ids.ts'
import type { GeneratedProduct } from '../../data/generate/products.ts'
import { openTestQueue, openTestStore, temporaryFolder } from '../../helper.ts'
import { createSeededRandom } from '../../fixtures/seeded-random.ts'

export const PROJECT: ProjectRef = { accountId: 'acme', projectId: 'shop' }
export const CREATED = '2026-01-01T00:00:00.000Z'
const NO_SEO = {
  metaTitle: null,
  metaDescription: null,
  pageTitle: null,
  pageDescription: null,
  imageUrl: null,
  handle: null
}

/** A newly stored product, pending for optimization. */
export function buildProduct(fields: Partial<ProductRecord> & { title: string; externalId: string }): ProductRecord {
  return {
    ...PROJECT,
    id: newId(),
    version: 1,
    status: 'pending',
    sku: null,
    description: null,
    price: null,
    category: null,
    url: null,
    imageUrl: null,
    images: [],
    brand: null,
    gtin: null,
    mpn: null,
    currency: null,
    availability: null,
    locale: null,
    attributes: {},
    tags: [],
    groupId: null,
    quality: [],
    seo: NO_SEO,
    claims: [],
    terms: [],
    optimizedFromDigest: null,
    optimizePendingSince: CREATED,
    imageCheckPendingSince: null,
    imageCheck: null,
    suggestion: null,
    suggestionDueAt: null,
    publishedDigest: null,
    eventPendingSince: null,
    lastImport: null,
    createdAt: CREATED,
    updatedAt: CREATED,
    ...fields
  }
}

/** The products of a feed, as newly stored products. */
export function fromFeed(feed: readonly GeneratedProduct[]): ProductRecord[] {
  return feed.map(({ id, title, description, category, brand, sku, images }) =>
    buildProduct({ externalId: String(id), title, description, category, brand: brand ?? null, sku, images })
  )
}

const KINDS = [
  'Shirt',
  'Trousers',
  'Jacket',
  'Lamp',
  'Table',
  'Chair',
  'Kettle',
  'Bottle',
  'Rucksack',
  'Blanket',
  'Mug',
  'Shelf'
]
const ADJECTIVES = [
  'Merino',
  'Linen',
  'Oak',
  'Steel',
  'Compact',
  'Folding',
  'Children’s',
  'Travel',
  'Classic',
  'Outdoor'
]
const COLORS = ['Red', 'Blue', 'Green', 'Black', 'White', 'Gray']
const SIZES = ['XS', 'S', 'M', 'L', 'XL']
const SENTENCES = [
  'It is made to be used every day and lasts for many years.',
  'The seams are sewn twice, so that nothing comes apart.',
  'It dries quickly, folds flat and fits into a small bag.',
  'Every part can be replaced and is sold by itself.',
  'The surface is easy to clean with water and soap.'
]

const LONG_ENDING = ' with a name that goes on and on until it has no room on any page of results whatever'

/**
 * A sparse feed: few titles for many products, variants with or without attributes, and a
 * description for 146 of 1,994 products.
 */
export function sparseFeed(count = 1_994, described = 146): ProductRecord[] {
  const random = createSeededRandom(7)
  const pick = <T>(list: T[]): T => list[Math.floor(random() * list.length)]!
  return Array.from({ length: count }, (_, i) => {
    const base = `${pick(ADJECTIVES)} ${pick(KINDS)}`
    const title = random() < 0.1 ? base + LONG_ENDING : base
    const description =
      i % Math.floor(count / described) === 0 && i / Math.floor(count / described) < described
        ? `The ${title} is here. ${pick(SENTENCES)} ${pick(SENTENCES)} ${pick(SENTENCES)}`
        : null
    const attributes: Record<string, string> = random() < 0.6 ? { Color: pick(COLORS), Size: pick(SIZES) } : {}
    return buildProduct({
      externalId: `p-${i}`,
      title,
      description,
      attributes,
      sku: random() < 0.7 ? `SKU-${i % 1_000}` : null,
      category: 'House > Things',
      brand: random() < 0.5 ? 'Lanternhill' : null
    })
  })
}

/** Opens an embedded store with the test project, and a queue without workers. */
export async function openTestShop(t: Test, products: ProductRecord[] = []) {
  const dataDir = temporaryFolder(t)
  const store = await openTestStore(dataDir)
  const queue = await openTestQueue(dataDir)
  t.teardown(async () => {
    await queue.close()
    await store.close()
  })
  await store.projects.insertIfAbsent({
    accountId: PROJECT.accountId,
    id: PROJECT.projectId,
    name: 'Shop',
    siteUrl: null,
    blogPath: '/blog',
    brandName: 'Acme',
    optimize: 'auto',
    ...DEFAULT_ARTICLE_STYLE,
    locale: null,
    createdAt: CREATED,
    updatedAt: CREATED
  })
  await addProducts(store, products)
  return {
    store,
    queue,
    all: async () => await listAll(store),
    jobs: async () => (await queue.depth('publish-product-events')).waiting
  }
}

/** Adds products; throws if pick is not saved. */
export async function addProducts(store: Store, products: ProductRecord[]): Promise<void> {
  for (let i = 0; i < products.length; i += 500) {
    const outcomes = await store.products.saveMany(
      products.slice(i, i + 500).map((product) => ({ product, ifVersion: null }))
    )
    if (outcomes.some((outcome) => outcome !== 'saved')) throw new Error(`Not all were saved: ${outcomes.join(' ')}`)
  }
}

/** Updates a product like a concurrent request. */
export async function updateProduct(
  store: Store,
  product: ProductRecord,
  updateProduct: Partial<ProductRecord>
): Promise<ProductRecord> {
  const next = { ...product, ...updateProduct, version: product.version + 1 }
  const [outcome] = await store.products.saveMany([{ product: next, ifVersion: product.version }])
  if (outcome !== 'saved') throw new Error(`The product was not saved: ${outcome}`)
  return next
}

async function listAll(store: Store): Promise<ProductRecord[]> {
  const { products } = await store.products.list(
    { accountId: PROJECT.accountId, projectIds: null },
    { page: 1, pageSize: 100_000 }
  )
  return products
}
