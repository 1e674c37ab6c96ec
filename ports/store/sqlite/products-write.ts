import type { ProductRecord, ProductStore, ProductWrite, SaveOutcome } from '../port.ts'
import type { Database } from './database.ts'
import { createProductClaims } from './products-claims.ts'
import { ensurePlace, inAccount } from './products-places.ts'
import { MOVED, movedOf, recordOfProduct, SAID, saidOf } from './products-rows.ts'
import { createProductWords } from './products-words.ts'

const COLUMNS = ['id', 'place', 'external_id', ...SAID, ...MOVED]
const INSERT = `INSERT INTO products (${COLUMNS.join(', ')}) VALUES (${COLUMNS.map(() => '?').join(', ')}) ON CONFLICT DO NOTHING RETURNING n`
const setting = (columns: string[]) =>
  `UPDATE products SET ${columns.map((column) => `${column} = ?`).join(', ')} WHERE n = ?`
/**
 * What callers say is set only where it changed: SQLite writes every index anew that has a column
 * which is set, changed or not.
 */
const MOVE = setting(MOVED)
const UPDATE = setting([...MOVED, ...SAID])
const STORED = 'products p JOIN product_records r USING (n)'

interface StoredRow {
  n: number
  title_key: number
  sku: string | null
  category: string | null
  claims: string
  terms: string
}

/** Thrown to undo what `saveAll` has saved so far. */
const NOT_ALL = new Error('not all could be saved')

/**
 * Adds a product and all that hangs on it: where `saved`, it is all there, otherwise nothing of it.
 * To be called inside `db.atomically`.
 */
export function createProductAdding(db: Database): (product: ProductRecord) => SaveOutcome {
  const claims = createProductClaims(db)
  const words = createProductWords(db)

  return (product) => {
    const place = ensurePlace(db, product)
    const row = db.one<{ n: number }>(
      INSERT,
      product.id,
      place,
      product.externalId,
      ...saidOf(product),
      ...movedOf(product)
    )
    if (row === undefined) return 'conflict'
    if (!claims.take(row.n, place, [...new Set(product.claims)])) {
      db.run('DELETE FROM products WHERE n = ?', row.n)
      return 'taken'
    }
    db.run(
      'INSERT INTO product_records (n, record, claims, terms) VALUES (?, ?, ?, ?)',
      row.n,
      recordOfProduct(product),
      JSON.stringify(product.claims),
      JSON.stringify(product.terms)
    )
    words.add(row.n, place, product.terms)
    return 'saved'
  }
}

/** Writes products and all that hangs on them. */
export function createProductWrites(db: Database): Pick<ProductStore, 'saveMany' | 'saveAll' | 'delete'> {
  const claims = createProductClaims(db)
  const words = createProductWords(db)

  const add = createProductAdding(db)
  const replace = (product: ProductRecord, ifVersion: number): SaveOutcome => {
    const place = ensurePlace(db, product)
    // A product is never moved: one of another project or externalId is another one.
    const stored = db.one<StoredRow>(
      `SELECT n, p.title_key, p.sku, p.category, r.claims, r.terms FROM ${STORED}
      WHERE p.id = ? AND p.place = ? AND p.external_id = ? AND p.version = ?`,
      product.id,
      place,
      product.externalId,
      ifVersion
    )
    if (stored === undefined) return 'conflict'
    const now = { claims: JSON.stringify(product.claims), terms: JSON.stringify(product.terms), said: saidOf(product) }
    if (now.claims !== stored.claims) {
      const [before, after] = [new Set(JSON.parse(stored.claims) as string[]), new Set(product.claims)]
      if (!claims.take(stored.n, place, [...after.difference(before)])) return 'taken'
      claims.give(place, before.difference(after))
    }
    if (now.terms !== stored.terms) {
      words.remove(stored.n)
      words.add(stored.n, place, product.terms)
    }
    const same = [stored.title_key, stored.sku, stored.category].every((value, at) => value === now.said[at])
    db.run(same ? MOVE : UPDATE, ...movedOf(product), ...(same ? [] : now.said), stored.n)
    db.run(
      'UPDATE product_records SET record = ?, claims = ?, terms = ? WHERE n = ?',
      recordOfProduct(product),
      now.claims,
      now.terms,
      stored.n
    )
    return 'saved'
  }
  const save = ({ product, ifVersion }: ProductWrite) =>
    ifVersion === null ? add(product) : replace(product, ifVersion)

  return {
    saveMany: async (writes) => db.atomically(() => writes.map(save)),
    saveAll: async (writes) => {
      try {
        return db.atomically(() => {
          if (!writes.every((write) => save(write) === 'saved')) throw NOT_ALL
          return true
        })
      } catch (error) {
        if (error === NOT_ALL) return false
        throw error
      }
    },
    delete: async ({ accountId, id, ifVersion }) =>
      db.atomically(() => {
        const { sql, values } = inAccount(accountId)
        const stored = db.one<{ n: number; place: number; claims: string }>(
          `SELECT n, p.place, r.claims FROM ${STORED} WHERE p.id = ? AND p.version = ? AND ${sql}`,
          id,
          ifVersion,
          ...values
        )
        if (stored === undefined) return false
        claims.give(stored.place, JSON.parse(stored.claims) as string[])
        words.remove(stored.n)
        return db.run('DELETE FROM products WHERE n = ?', stored.n) === 1
      })
  }
}
