import type { ProductRecord, ProductStore, ProductWrite, SaveOutcome } from '../../port.ts'
import type { Database } from '../database.ts'
import { encodeTerms, placeInPartition, removeFromPartition, type PartitionPlace } from '../search.ts'
import { createSegmentMerges } from '../search-segments.ts'
import { placeholders } from '../sql.ts'
import {
  getProjectN,
  inAccount,
  INPUT_COLUMNS,
  PRODUCT_TABLES,
  STATE_COLUMNS,
  toInputValues,
  toRecordJson,
  toStateValues
} from './rows.ts'

const COLUMNS = ['id', 'project_n', 'external_id', ...INPUT_COLUMNS, ...STATE_COLUMNS]
const INSERT = `
  INSERT INTO products (${COLUMNS.join(', ')}) VALUES (${placeholders(COLUMNS.length)})
  ON CONFLICT DO NOTHING RETURNING n`
const updateOf = (columns: string[]) =>
  `UPDATE products SET ${columns.map((column) => `${column} = ?`).join(', ')} WHERE n = ?`
/**
 * SQLite rewrites every index that has a column of the SET clause, whether its value changes or
 * not. So input columns are set only when they have changed.
 */
const UPDATE_STATE = updateOf(STATE_COLUMNS)
const UPDATE_ALL = updateOf([...STATE_COLUMNS, ...INPUT_COLUMNS])

type StoredRow = Record<(typeof INPUT_COLUMNS)[number], number | string | null> & {
  n: number
  claims: string
  terms: string
  searchPartition: number
  searchTerms: number
}

/** Thrown to roll back `saveAll`. */
const NOT_ALL_SAVED = new Error('Not all products could be saved')

function releaseClaims(db: Database, projectN: number, claims: Iterable<string>): void {
  for (const claim of claims) db.run('DELETE FROM product_claims WHERE project_n = ? AND claim = ?', projectN, claim)
}

/**
 * Takes claims, without duplicates, that the product does not have yet. Takes none and returns
 * false when another product has one of them.
 */
function takeClaims(db: Database, { n, projectN, claims }: { n: number; projectN: number; claims: string[] }): boolean {
  const failedAt = claims.findIndex(
    (claim) =>
      db.run(
        'INSERT INTO product_claims (project_n, claim, n) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
        projectN,
        claim,
        n
      ) === 0
  )
  if (failedAt >= 0) releaseClaims(db, projectN, claims.slice(0, failedAt))
  return failedAt < 0
}

/** Makes a product that is not in the search index searchable, and returns its place. */
function addToSearch(
  db: Database,
  n: number,
  { projectN, terms, before = null }: { projectN: number; terms: string[]; before?: PartitionPlace | null }
): PartitionPlace {
  const place = placeInPartition(db, 'product', { owner: projectN, terms: terms.length, before })
  db.run('INSERT INTO product_search (rowid, terms) VALUES (?, ?)', n, encodeTerms(place.partitionN, terms))
  return place
}

function removeFromSearch(db: Database, n: number): void {
  db.run('DELETE FROM product_search WHERE rowid = ?', n)
}

/**
 * Inserts a product with its claims and search terms, or changes nothing. Call inside a
 * transaction.
 */
export function insertProduct(db: Database, product: ProductRecord, projectN = getProjectN(db, product)): SaveOutcome {
  const row = db.one<{ n: number }>(
    INSERT,
    product.id,
    projectN,
    product.externalId,
    ...toInputValues(product),
    ...toStateValues(product)
  )
  if (row === undefined) return 'conflict'
  if (!takeClaims(db, { n: row.n, projectN, claims: [...new Set(product.claims)] })) {
    db.run('DELETE FROM products WHERE n = ?', row.n)
    return 'taken'
  }
  const place = addToSearch(db, row.n, { projectN, terms: product.terms })
  db.run(
    `INSERT INTO product_records (n, record, claims, terms, search_partition, search_terms) VALUES (?, ?, ?, ?, ?, ?)`,
    row.n,
    toRecordJson(product),
    JSON.stringify(product.claims),
    JSON.stringify(product.terms),
    place.partitionN,
    place.terms
  )
  return 'saved'
}

function replaceProduct(
  db: Database,
  product: ProductRecord,
  { projectN, ifVersion }: { projectN: number; ifVersion: number }
): SaveOutcome {
  // A product never changes its project or externalId.
  const stored = db.one<StoredRow>(
    `SELECT n, ${INPUT_COLUMNS.map((column) => `p.${column}`).join(', ')}, r.claims, r.terms,
       r.search_partition AS searchPartition, r.search_terms AS searchTerms
     FROM ${PRODUCT_TABLES}
     WHERE p.id = ? AND p.project_n = ? AND p.external_id = ? AND p.version = ?`,
    product.id,
    projectN,
    product.externalId,
    ifVersion
  )
  if (stored === undefined) return 'conflict'
  const { n } = stored
  const claims = JSON.stringify(product.claims)
  const terms = JSON.stringify(product.terms)
  if (claims !== stored.claims) {
    const [before, after] = [new Set(JSON.parse(stored.claims) as string[]), new Set(product.claims)]
    if (!takeClaims(db, { n, projectN, claims: [...after.difference(before)] })) return 'taken'
    releaseClaims(db, projectN, before.difference(after))
  }
  let place: PartitionPlace = { partitionN: stored.searchPartition, terms: stored.searchTerms }
  if (terms !== stored.terms) {
    removeFromSearch(db, n)
    place = addToSearch(db, n, { projectN, terms: product.terms, before: place })
  }
  const inputs = toInputValues(product)
  const sameInputs = INPUT_COLUMNS.every((column, at) => stored[column] === inputs[at])
  db.run(sameInputs ? UPDATE_STATE : UPDATE_ALL, ...toStateValues(product), ...(sameInputs ? [] : inputs), n)
  db.run(
    `UPDATE product_records SET record = ?, claims = ?, terms = ?, search_partition = ?, search_terms = ? WHERE n = ?`,
    toRecordJson(product),
    claims,
    terms,
    place.partitionN,
    place.terms,
    n
  )
  return 'saved'
}

export function createProductWrites(db: Database): Pick<ProductStore, 'saveMany' | 'saveAll' | 'delete'> {
  /** Saves the products of one transaction. They are of few projects, whose numbers are read once. */
  function createSave(): (write: ProductWrite) => SaveOutcome {
    const projectNs = new Map<string, number>()
    return ({ product, ifVersion }) => {
      const key = `${product.accountId} ${product.projectId}`
      const projectN = projectNs.get(key) ?? getProjectN(db, product)
      projectNs.set(key, projectN)
      return ifVersion === null
        ? insertProduct(db, product, projectN)
        : replaceProduct(db, product, { projectN, ifVersion })
    }
  }

  const mergeSegments = createSegmentMerges(db, 'product_search')
  const countTerms = (writes: ProductWrite[]): number =>
    writes.reduce((sum, { product }) => sum + product.terms.length, 0)

  return {
    saveMany: async (writes, { repeatable = false } = {}) => {
      const outcomes = db[repeatable ? 'relaxedTransaction' : 'transaction'](() => writes.map(createSave()))
      await mergeSegments(countTerms(writes))
      return outcomes
    },
    saveAll: async (writes) => {
      try {
        db.transaction(() => {
          const save = createSave()
          if (!writes.every((write) => save(write) === 'saved')) throw NOT_ALL_SAVED
        })
      } catch (error) {
        if (error === NOT_ALL_SAVED) return false
        throw error
      }
      await mergeSegments(countTerms(writes))
      return true
    },
    delete: async ({ accountId, id, ifVersion }) => {
      const deleted = db.transaction(() => {
        const { sql, values } = inAccount(accountId)
        const stored = db.one<PartitionPlace & { n: number; projectN: number; claims: string }>(
          `SELECT n, p.project_n AS projectN, r.claims, r.search_partition AS partitionN, r.search_terms AS terms
           FROM ${PRODUCT_TABLES}
           WHERE p.id = ? AND p.version = ? AND ${sql}`,
          id,
          ifVersion,
          ...values
        )
        if (stored === undefined) return null
        releaseClaims(db, stored.projectN, JSON.parse(stored.claims) as string[])
        removeFromSearch(db, stored.n)
        removeFromPartition(db, 'product', stored)
        db.run('DELETE FROM products WHERE n = ?', stored.n)
        return stored
      })
      if (deleted !== null) await mergeSegments(deleted.terms)
      return deleted !== null
    }
  }
}
