import { DEMO } from './demo.ts'

const { productId: id, importId, projectId } = DEMO

const row = {
  externalId: DEMO.externalId,
  sku: 'HC-QUAY-BLEND-250',
  title: 'Quay Blend coffee beans',
  description: 'The house coffee since our first winter. Milk chocolate, hazelnut and a little dried apricot.',
  price: 9.5,
  category: 'Coffee > Beans > Blends',
  imageUrl: 'https://images.harbor-coffee.example/products/quay-blend.jpg',
  brand: 'Harbor Coffee',
  currency: 'EUR',
  availability: 'in_stock',
  attributes: { size: '250 g', roast: 'medium' },
  tags: ['coffee', 'beans'],
  groupId: 'quay-blend'
}
const rule = (value: string) => ({ value, source: 'rule' })
const seo = {
  metaTitle: { value: 'Quay Blend coffee beans, 250 g | Harbor Coffee', source: 'human' },
  metaDescription: rule('Quay Blend coffee beans: Milk chocolate, hazelnut and a little dried apricot.'),
  pageTitle: rule('Quay Blend coffee beans'),
  pageDescription: rule(
    'The house coffee since our first winter. Milk chocolate, hazelnut and a little dried apricot.'
  ),
  imageUrl: rule('https://images.harbor-coffee.example/products/quay-blend.jpg'),
  handle: rule('quay-blend-coffee-beans')
}
const previewed = { metaTitle: seo.metaTitle, metaDescription: seo.metaDescription, pageTitle: seo.pageTitle }
const product = {
  id,
  projectId,
  ...row,
  url: 'https://harbor-coffee.example/shop/quay-blend?size=250',
  images: [],
  gtin: '9520082120034',
  mpn: null,
  locale: 'en',
  status: 'optimized',
  seo,
  quality: [],
  schemaOrgJson:
    '{"@context":"https://schema.org","@type":"Product","name":"Quay Blend coffee beans",' +
    '"offers":{"@type":"Offer","price":"9.50","priceCurrency":"EUR"}}',
  warnings: [{ code: 'picture_missing', message: 'imageUrl returned HTTP 404.' }],
  createdAt: '2026-01-31T09:00:00.000Z',
  updatedAt: '2026-01-31T09:00:05.000Z'
}
const counts = { created: 940, updated: 58, unchanged: 12, failed: 2, failedStored: 2 }
const imported = {
  id: importId,
  projectId,
  status: 'done',
  file: {
    format: 'csv',
    bytes: 412873,
    encoding: 'utf-8',
    lineEnd: 'crlf',
    delimiter: ';',
    dialect: 'own',
    ignoredColumns: ['Warehouse'],
    ignoredColumnCount: 1
  },
  total: 1000,
  processed: 1000,
  ...counts,
  repeated: 0,
  reason: null,
  createdAt: '2026-01-31T09:00:00.000Z',
  startedAt: '2026-01-31T09:00:00.012Z',
  finishedAt: '2026-01-31T09:00:00.611Z',
  etaSeconds: null
}
const note = {
  index: 1,
  externalId: 'HC-first-light-250',
  pointer: '/products/1/price',
  code: 'type',
  message: 'must be a number'
}

/** Products and their imports. */
export const productExamples: Readonly<Record<string, unknown>> = {
  ProductInput: { projectId, ...row },
  ProductRow: row,
  ProductPatch: { price: 9.9, seo: { metaTitle: 'Quay Blend coffee beans, 250 g | Harbor Coffee' } },
  Product: product,
  UpsertedProduct: { ...product, result: 'created' },
  ProductList: { products: [product], totalCount: 1, page: 1, totalPages: 1 },
  ProductBatch: { projectId, products: [row] },
  ProductBatchResult: { created: 1, updated: 0, unchanged: 0, failed: 1, errors: [note], warnings: [] },
  ProductQuality: { projectId, total: 940, duplicate: 2, lorem: 0, thin: 31, too_short: 12 },
  ProductSample: { externalIds: ['HC-first-light-250', DEMO.externalId], totalCount: 40 },
  OptimizationPreviewRequest: { projectId, externalIds: [DEMO.externalId], compare: true },
  OptimizationPreview: {
    hasModel: true,
    products: [
      {
        externalId: DEMO.externalId,
        title: row.title,
        rules: previewed,
        model: {
          ...previewed,
          pageTitle: { value: 'Quay Blend coffee beans with milk chocolate and hazelnut', source: 'llm' }
        },
        problems: [
          'The metaTitle of the language model states what the product data does not: organic (certification). ' +
            'The rules generated another one.'
        ]
      }
    ]
  },
  OptimizeRequest: { projectId, externalIds: [DEMO.externalId], force: true },
  WebhookProduct: {
    external_id: DEMO.externalId,
    meta_title: seo.metaTitle.value,
    meta_description: seo.metaDescription.value,
    page_title: seo.pageTitle.value,
    page_description: seo.pageDescription.value,
    image_url: seo.imageUrl.value,
    handle: seo.handle.value
  },
  ProductImport: imported,
  ProductImportList: { imports: [imported], totalCount: 1, page: 1, totalPages: 1 },
  ImportRowError: {
    line: 17,
    externalId: 'HC-first-light-250',
    errors: [{ pointer: '/price', code: 'locale_price', message: 'write 12.50' }]
  }
}

/** A file to import, in either form. */
export const importFile = {
  'request application/x-ndjson': `${JSON.stringify(row)}\n`,
  'request text/csv':
    'externalId,title,price,category\nHC-quay-blend-250,Quay Blend coffee beans,9.50,Coffee > Beans > Blends\n'
}
const failedRow = { ...row, price: '9,50', _error: 'line 17: /price must be a number' }
/** A file of failed rows, in either form. */
export const failedRows = {
  '200 application/x-ndjson': `${JSON.stringify(failedRow)}\n`,
  '200 text/csv':
    'externalId,title,price,category,import_error\n' +
    'HC-quay-blend-250,Quay Blend coffee beans,"9,50",Coffee > Beans > Blends,line 17: /price write 9.50\n'
}
