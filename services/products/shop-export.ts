import type { ProductRecord, Store } from '../../ports/store/port.ts'
import type { SeoPlugin, ShopFormat } from '../../schemas/product.ts'
import { processLoad } from '../account-load.ts'
import { createPacer } from '../pacing.ts'
import type { ProductReader } from './edit.ts'

/** A product may have 400 KB, and an account has several lists and exports in progress. */
const PAGE_SIZES = { min: 20, max: 100, first: 100 }

const WOOCOMMERCE_COLUMNS: Record<SeoPlugin, [title: string, description: string]> = {
  yoast: ['Meta: _yoast_wpseo_title', 'Meta: _yoast_wpseo_metadesc'],
  'rank-math': ['Meta: rank_math_title', 'Meta: rank_math_description']
}

/** One row for each page of the shop: its key, and the cells. Null if the product has no texts yet. */
interface Layout {
  header: string[]
  row: (product: ProductRecord) => { page: string; cells: string[] } | null
}

const shopify: Layout = {
  header: ['Handle', 'Title', 'SEO Title', 'SEO Description'],
  row: ({ title, seo }) =>
    seo.handle === null ? null : { page: seo.handle.value, cells: [seo.handle.value, title, ...metaTexts(seo)] }
}

const woocommerce = (plugin: SeoPlugin): Layout => ({
  // Without the name: the row of a variable product would get the name of a variation.
  header: ['ID', 'SKU', ...WOOCOMMERCE_COLUMNS[plugin]],
  row: ({ externalId, groupId, seo }) => {
    const page = groupId ?? externalId
    const [id, sku] = page.startsWith('id:') ? [page.slice(3), ''] : ['', page]
    return seo.metaTitle === null && seo.metaDescription === null ? null : { page, cells: [id, sku, ...metaTexts(seo)] }
  }
})

const metaTexts = ({ metaTitle, metaDescription }: ProductRecord['seo']): [string, string] => [
  metaTitle?.value ?? '',
  metaDescription?.value ?? ''
]

/**
 * The texts of a project's products as a CSV file that Shopify or WooCommerce imports (RFC 4180, UTF-8).
 * Each page has one row, the variants of a group share theirs. Handles identify pages and are never
 * changed. Other columns are left out, so that the shop keeps their values.
 */
export async function* shopCsv(
  store: Store,
  {
    accountId,
    projectId,
    format,
    seoPlugin
  }: ProductReader & { projectId: string; format: ShopFormat; seoPlugin: SeoPlugin }
): AsyncGenerator<string> {
  const { header, row } = format === 'shopify' ? shopify : woocommerce(seoPlugin)
  const seen = new Set<string>()
  yield toLine(header)
  const pacer = createPacer({ accountId, isRemote: store.isRemote, ...PAGE_SIZES })
  for (let after: string | null = null; ; ) {
    const limit = pacer.size()
    const slice = { after, limit }
    const products: ProductRecord[] = await processLoad.run(accountId, () =>
      store.products.listAfter({ accountId, projectId }, slice)
    )
    let lines = ''
    for (const product of products) {
      const found = row(product)
      if (found === null || seen.has(found.page)) continue
      seen.add(found.page)
      lines += toLine(found.cells)
    }
    if (lines !== '') yield lines
    if (products.length < limit) return
    after = products.at(-1)!.externalId
    await pacer.rest()
  }
}

const toLine = (cells: string[]): string => `${cells.map(quote).join(',')}\r\n`

const quote = (cell: string): string => (/[",\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
