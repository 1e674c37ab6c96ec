import type {
  ImportErrorRecord,
  ImportRecord,
  ImportStep,
  ProductFilter,
  ProductRecord,
  ProductWrite,
  Store
} from '../../../ports/store/port.ts'
import { idOf, minute } from './given.ts'

let made = 2_000_000

/** The project that the products of `aProduct` are of. */
export const SITE = { accountId: 'acme', projectId: 'site' }

/**
 * A product that was made and is at rest, with an id, an externalId, a sku and a title of its own.
 */
export function aProduct(change: Partial<ProductRecord> = {}): ProductRecord {
  made += 1
  return {
    id: idOf(made),
    ...SITE,
    externalId: `p-${made}`,
    version: 1,
    status: 'optimized',
    title: `Kettle ${made}`,
    sku: `K${made}`,
    description: '<p>Boils “fast”</p>\n\u0000 😀',
    price: '1299.90',
    category: 'Kitchen > Kettles',
    url: 'https://shop.example/kettle',
    imageUrl: null,
    images: ['https://shop.example/a.jpg'],
    brand: 'Boil',
    gtin: '4006381333931',
    mpn: null,
    currency: 'EUR',
    availability: 'in_stock',
    locale: 'en',
    attributes: { size: 'L', color: 'red' },
    tags: ['new'],
    seo: {
      metaTitle: { value: 'Kettle', source: 'rule' },
      metaDescription: null,
      pageTitle: null,
      pageDescription: null,
      imageUrl: null,
      handle: { value: 'kettle', source: 'human' }
    },
    claims: [],
    terms: ['kettle', `k${made}`],
    optimizedFromDigest: 'digest',
    optimizePendingSince: null,
    imageCheckPendingSince: null,
    imageCheck: {
      url: 'https://shop.example/a.jpg',
      checkedAt: minute(0),
      warning: { code: 'picture_small', message: 'It is small' }
    },
    publishedDigest: 'told',
    eventPendingSince: null,
    lastImport: { importId: 'import', line: 3, result: 'created' },
    createdAt: minute(0),
    updatedAt: minute(0),
    ...change
  }
}

/** The write of a new product. */
export function fresh(product: ProductRecord): ProductWrite {
  return { product, ifVersion: null }
}

/** Products of these changes, saved together. */
export async function addProducts(store: Store, changes: Partial<ProductRecord>[]): Promise<ProductRecord[]> {
  const products = changes.map((change) => aProduct(change))
  await store.products.saveMany(products.map(fresh))
  return products
}

/** The write that changes the product, one version on. */
export function changing(product: ProductRecord, change: Partial<ProductRecord>): ProductWrite {
  return { product: { ...product, version: product.version + 1, ...change }, ifVersion: product.version }
}

/** What a list gives: externalIds and the total. */
export async function productsListed(
  store: Store,
  filter: Partial<ProductFilter> = {},
  page = { page: 1, pageSize: 100 }
): Promise<{ ids: string[]; total: number }> {
  const { products, totalCount } = await store.products.list({ accountId: 'acme', projectIds: null, ...filter }, page)
  return { ids: products.map(({ externalId }) => externalId), total: totalCount }
}

/** An import that is queued. */
export function anImport(change: Partial<ImportRecord> = {}): ImportRecord {
  made += 1
  return {
    id: idOf(made),
    ...SITE,
    status: 'queued',
    file: {
      format: 'csv',
      bytes: 900,
      encoding: 'utf-8',
      lineEnd: 'lf',
      delimiter: ';',
      dialect: 'mapped',
      ignoredColumns: ['Größe']
    },
    mapping: { Name: 'title' },
    cancelRequested: false,
    total: 0,
    processed: 0,
    nextByte: 0,
    nextLine: 1,
    created: 0,
    updated: 0,
    unchanged: 0,
    failed: 0,
    repeated: 0,
    reason: null,
    createdAt: minute(made - 2_000_000),
    startedAt: null,
    finishedAt: null,
    ...change
  }
}

export function anImportError(
  of: ImportRecord,
  line: number,
  change: Partial<ImportErrorRecord> = {}
): ImportErrorRecord {
  return {
    importId: of.id,
    line,
    externalId: 'p',
    row: '"a""b";\u0000é',
    errors: [{ pointer: '/price', code: 'pattern', message: 'It is no price' }],
    ...change
  }
}

/** A step of the import from where it stands, by a hundred bytes. */
export function aStep(of: ImportRecord, step: Partial<ImportStep> = {}): ImportStep {
  return {
    accountId: of.accountId,
    id: of.id,
    fromByte: of.nextByte,
    change: { status: 'running', nextByte: of.nextByte + 100 },
    errors: [],
    events: [],
    ...step
  }
}
