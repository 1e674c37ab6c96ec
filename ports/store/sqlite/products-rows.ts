import { hash } from 'node:crypto'
import type { SQLInputValue } from 'node:sqlite'
import type { ProductStatus } from '../../../schemas/product.ts'
import type { ProductRecord } from '../port.ts'

/** What moves without the rest of the product, and so is not in its `record`. */
interface Moving {
  version: number
  status: ProductStatus
  optimizedFromDigest: string | null
  optimizePendingSince: string | null
  publishedDigest: string | null
  eventPendingSince: string | null
}
export interface ProductRow extends Moving {
  record: string
  claims: string
  terms: string
}

/** The tables of a whole product, for a FROM clause; `p` is the product. */
export const PRODUCT = 'products p JOIN product_records r USING (n)'
export const PRODUCT_COLUMNS = `r.record, r.claims, r.terms, p.version, p.status, p.optimized_from AS optimizedFromDigest,
  p.optimize_due AS optimizePendingSince, p.told AS publishedDigest, p.untold_at AS eventPendingSince`

/**
 * The columns that change with what callers say, and those that change with every save, in the
 * order of `saidOf` and `movedOf`.
 */
export const SAID = ['title_key', 'sku', 'category']
export const MOVED = [
  'version',
  'status',
  'optimized_from',
  'optimize_due',
  'picture_due',
  'told',
  'untold_at',
  'updated_at'
]

export function saidOf(product: ProductRecord): [number, string | null, string | null] {
  return [titleKey(product.title), product.sku, product.category]
}

export function movedOf(product: ProductRecord): SQLInputValue[] {
  return [
    product.version,
    product.status,
    product.optimizedFromDigest,
    product.optimizePendingSince,
    product.imageCheckPendingSince,
    product.publishedDigest,
    product.eventPendingSince,
    product.updatedAt
  ]
}

/**
 * A number of 48 bits that titles are found by; two titles may have the same one, if hardly ever.
 */
export function titleKey(title: string): number {
  return hash('sha1', title, 'buffer').readUIntBE(0, 6)
}

/** The product but for what stands elsewhere: what moves, its claims and its terms. */
export function recordOfProduct(product: ProductRecord): string {
  const {
    version,
    status,
    optimizedFromDigest,
    optimizePendingSince,
    publishedDigest,
    eventPendingSince,
    claims,
    terms,
    ...record
  } = product
  return JSON.stringify(record)
}

export function productOf(row: ProductRow): ProductRecord {
  const { record, claims, terms, ...moving } = row
  return {
    ...(JSON.parse(record) as Omit<ProductRecord, 'claims' | 'terms' | keyof Moving>),
    ...moving,
    claims: JSON.parse(claims) as string[],
    terms: JSON.parse(terms) as string[]
  }
}
