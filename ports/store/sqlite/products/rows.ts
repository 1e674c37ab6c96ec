import { hash } from 'node:crypto'
import type { SQLInputValue } from 'node:sqlite'
import { createYielder } from '../../../../lib/async.ts'
import type { ProductStatus } from '../../../../schemas/product.ts'
import type { ProductRecord, ProjectRef, ReadScope } from '../../port.ts'
import type { Database } from '../database.ts'
import { inScope, type Condition } from '../sql.ts'

/** Fields that change without the rest of the product. They are stored only in columns. */
interface StateColumns {
  version: number
  status: ProductStatus
  optimizedFromDigest: string | null
  optimizePendingSince: string | null
  publishedDigest: string | null
  eventPendingSince: string | null
}
export interface ProductRow extends StateColumns {
  record: string
  claims: string
  terms: string
}

/** The tables of complete products, for a FROM clause. `p` is the product. */
export const PRODUCT_TABLES = 'products p JOIN product_records r USING (n)'
export const PRODUCT_COLUMNS = `
  r.record, r.claims, r.terms, p.version, p.status,
  p.optimized_from_digest AS optimizedFromDigest, p.optimize_pending_since AS optimizePendingSince,
  p.published_digest AS publishedDigest, p.event_pending_since AS eventPendingSince`

/** Columns that rarely change: those that callers write, and results of the optimization; see `toInputValues`. */
export const INPUT_COLUMNS = ['title_key', 'sku', 'category', 'group_id', 'handle', 'quality'] as const
/** Columns that may change with every save; see `toStateValues`. */
export const STATE_COLUMNS = [
  'version',
  'status',
  'optimized_from_digest',
  'optimize_pending_since',
  'image_check_pending_since',
  'suggestion_due_at',
  'published_digest',
  'event_pending_since',
  'updated_at'
]

/** The values of INPUT_COLUMNS. */
export function toInputValues({
  title,
  sku,
  category,
  groupId,
  seo,
  quality
}: ProductRecord): (number | string | null)[] {
  return [
    titleKey(title),
    sku,
    category,
    groupId,
    seo.handle?.value ?? null,
    // With separators at both ends, so that a code can be searched for.
    quality.length === 0 ? null : `,${quality.join(',')},`
  ]
}

/** The values of STATE_COLUMNS. */
export function toStateValues(product: ProductRecord): SQLInputValue[] {
  return [
    product.version,
    product.status,
    product.optimizedFromDigest,
    product.optimizePendingSince,
    product.imageCheckPendingSince,
    product.suggestionDueAt,
    product.publishedDigest,
    product.eventPendingSince,
    product.updatedAt
  ]
}

/** A 48-bit digest of the title, for the index. Different titles may have the same one. */
export function titleKey(title: string): number {
  return hash('sha1', title, 'buffer').readUIntBE(0, 6)
}

/** The JSON of the product without the fields that have columns of their own. */
export function toRecordJson(product: ProductRecord): string {
  // Members without a value are not written. A rest pattern takes twice as long.
  return JSON.stringify({
    ...product,
    version: undefined,
    status: undefined,
    optimizedFromDigest: undefined,
    optimizePendingSince: undefined,
    publishedDigest: undefined,
    eventPendingSince: undefined,
    claims: undefined,
    terms: undefined
  })
}

export function toProduct({ record, claims, terms, ...state }: ProductRow): ProductRecord {
  return {
    ...(JSON.parse(record) as Omit<ProductRecord, keyof StateColumns | 'claims' | 'terms'>),
    ...state,
    claims: JSON.parse(claims) as string[],
    terms: JSON.parse(terms) as string[]
  }
}

/**
 * The products with these row numbers, in this order, read one by one with pauses. Skips products
 * that are deleted meanwhile. Stops when `maxBytes` of records have been read, after at least one.
 */
export async function readEach(db: Database, ns: number[], maxBytes = Infinity): Promise<ProductRecord[]> {
  const pause = createYielder()
  const products: ProductRecord[] = []
  let bytes = 0
  for (const n of ns) {
    const row = db.one<ProductRow>(`SELECT ${PRODUCT_COLUMNS} FROM ${PRODUCT_TABLES} WHERE p.n = ?`, n)
    if (row === undefined) continue
    bytes += row.record.length + row.claims.length + row.terms.length
    if (bytes > maxBytes && products.length > 0) break
    products.push(toProduct(row))
    await pause()
  }
  return products
}

/** Restricts `p` to a project. Never holds for a project that never had a product. */
export function inProject({ accountId, projectId }: ProjectRef): Condition {
  return {
    sql: 'p.project_n = (SELECT n FROM product_projects WHERE account_id = ? AND project_id = ?)',
    values: [accountId, projectId]
  }
}

/** Restricts `p`, of which few rows are read, to an account. Reads the project of each, not all of the account. */
export function inAccount(accountId: string): Condition {
  return {
    sql: 'EXISTS (SELECT 1 FROM product_projects pp WHERE pp.n = p.project_n AND pp.account_id = ?)',
    values: [accountId]
  }
}

/** The row numbers of the projects in the scope. */
export function findProjectNs(db: Database, scope: ReadScope & { projectId?: string }): number[] {
  const { sql, values } = inScope(scope, 'pp')
  return db.all<{ n: number }>(`SELECT pp.n FROM product_projects pp WHERE ${sql}`, ...values).map(({ n }) => n)
}

/** The row number of the project, which is inserted if it is missing. Call inside a transaction. */
export function getProjectN(db: Database, { accountId, projectId }: ProjectRef): number {
  const row =
    db.one<{ n: number }>(
      'SELECT n FROM product_projects WHERE account_id = ? AND project_id = ?',
      accountId,
      projectId
    ) ??
    db.one<{ n: number }>(
      'INSERT INTO product_projects (account_id, project_id) VALUES (?, ?) RETURNING n',
      accountId,
      projectId
    )
  return (row as { n: number }).n
}
