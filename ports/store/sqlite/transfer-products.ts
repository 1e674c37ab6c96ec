import type { ProductRecord } from '../port.ts'
import type { Database } from './database.ts'
import { inPlace } from './products-places.ts'
import { PRODUCT, PRODUCT_COLUMNS, productOf, type ProductRow } from './products-rows.ts'
import { createProductAdding } from './products-write.ts'
import { recordMover, rowsAfter, type Movers } from './transfer-mover.ts'

const SELECT = `SELECT ${PRODUCT_COLUMNS} FROM ${PRODUCT} WHERE`

/** Moves products and imports. The words and claims of products are made of them again. */
export function createProductMovers(db: Database): Pick<Movers, 'product' | 'import' | 'importError'> {
  const add = createProductAdding(db)
  /** Those that have the id, the externalId or one of the claims. */
  const near = (product: ProductRecord) => {
    const place = inPlace(product)
    const claimed = 'SELECT p.n FROM product_claims p WHERE'
    return db
      .all<ProductRow>(
        `${SELECT} p.n IN (SELECT n FROM products WHERE id = ? UNION SELECT p.n FROM products p WHERE ${place.sql} AND p.external_id = ?
      UNION ${claimed} ${place.sql} AND p.claim IN (SELECT value FROM json_each(?)))`,
        product.id,
        ...place.values,
        product.externalId,
        ...place.values,
        JSON.stringify(product.claims)
      )
      .map(productOf)
  }

  return {
    product: {
      position: ({ id }) => [id],
      page: (after, limit) =>
        rowsAfter<ProductRow>(db, { select: `${SELECT} 1`, columns: ['p.id'] }, { after, limit }).map(productOf),
      near,
      insert: (product) => add(product) === 'saved'
    },
    import: recordMover(db, {
      table: 'imports',
      key: { id: 'id' },
      others: ({ accountId, projectId, status, createdAt, finishedAt }) => ({
        account_id: accountId,
        project_id: projectId,
        status,
        created_at: createdAt,
        finished_at: finishedAt
      })
    }),
    importError: recordMover(db, { table: 'import_errors', key: { import_id: 'importId', line: 'line' } })
  }
}
