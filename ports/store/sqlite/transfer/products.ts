import type { ProductRecord } from '../../port.ts'
import type { Database } from '../database.ts'
import { inProject, PRODUCT_COLUMNS, PRODUCT_TABLES, toProduct, type ProductRow } from '../products/rows.ts'
import { insertProduct } from '../products/write.ts'
import { findAfter, transferTable, type KindTransfers } from './kind.ts'

const SELECT = `SELECT ${PRODUCT_COLUMNS} FROM ${PRODUCT_TABLES} WHERE`

/** Products and imports. Search terms and claims of products are derived again. */
export function createProductTransfers(db: Database): Pick<KindTransfers, 'product' | 'import' | 'importError'> {
  /** Products that have the id, the externalId, or one of the claims. */
  function findExisting(product: ProductRecord): ProductRecord[] {
    const { sql, values } = inProject(product)
    return db
      .all<ProductRow>(
        `${SELECT} p.n IN (
           SELECT n FROM products WHERE id = ?
           UNION SELECT p.n FROM products p WHERE ${sql} AND p.external_id = ?
           UNION SELECT p.n FROM product_claims p WHERE ${sql} AND p.claim IN (SELECT value FROM json_each(?))
         )`,
        product.id,
        ...values,
        product.externalId,
        ...values,
        JSON.stringify(product.claims)
      )
      .map(toProduct)
  }

  return {
    product: {
      position: ({ id }) => [id],
      page: (after, limit) =>
        findAfter<ProductRow>(db, { select: `${SELECT} 1`, columns: ['p.id'] }, { after, limit }).map(toProduct),
      findExisting,
      insert: (product) => insertProduct(db, product) === 'saved'
    },
    import: transferTable(db, {
      table: 'imports',
      key: { id: 'id' },
      columns: ({ accountId, projectId, status, createdAt, finishedAt }) => ({
        account_id: accountId,
        project_id: projectId,
        status,
        created_at: createdAt,
        finished_at: finishedAt
      })
    }),
    importError: transferTable(db, { table: 'import_errors', key: { import_id: 'importId', line: 'line' } })
  }
}
