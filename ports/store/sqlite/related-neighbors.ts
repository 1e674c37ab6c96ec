import { createGrowingLru } from '../../../lib/growing-lru.ts'
import type { IndexedNeighbors } from '../port.ts'
import type { Database } from './database.ts'

/**
 * Neighbors of so many entries are in memory, each up to 3 KB. A change reads those of 100 to 200 entries, mostly the
 * same ones as the changes before it. No other process changes them: the file is locked.
 */
const ENTRIES_IN_MEMORY = 1000

/** The columns of `toNeighbors`, of the table `related_entries e`. */
export const NEIGHBOR_COLUMNS = `
  e.id, e.locale, e.published_at AS publishedAt, e.length, e.threshold, e.computed_at AS computedAt, e.neighbors`

export interface NeighborsRow {
  id: string
  locale: string
  publishedAt: string | null
  length: number
  threshold: number
  computedAt: number
  neighbors: string
}

export function toNeighbors({ neighbors, ...row }: NeighborsRow): IndexedNeighbors {
  const [ids, cosines] = JSON.parse(neighbors) as [string[], number[]]
  return { ...row, neighbors: ids, cosines }
}

/** The neighbors of the entries of the index of related blogs. */
export function createRelatedNeighbors(db: Database) {
  const known = createGrowingLru<string, IndexedNeighbors>(ENTRIES_IN_MEMORY)
  const keyOf = (accountId: string, id: string): string => `${accountId} ${id}`

  return {
    /** The neighbors of those entries that exist. Callers share them and must not change them. */
    find(accountId: string, ids: string[]): IndexedNeighbors[] {
      const found: IndexedNeighbors[] = []
      const missing: string[] = []
      for (const id of ids) {
        const entry = known.get(keyOf(accountId, id))
        if (entry === undefined) missing.push(id)
        else found.push(entry)
      }
      if (missing.length === 0) return found
      // A CROSS JOIN reads the entries first: SQLite would read all entries of the account otherwise.
      const rows = db.all<NeighborsRow>(
        `SELECT ${NEIGHBOR_COLUMNS} FROM related_entries e CROSS JOIN related_groups g ON g.n = e.group_n
         WHERE e.id IN (SELECT value FROM json_each(?)) AND g.account_id = ?`,
        JSON.stringify(missing),
        accountId
      )
      for (const row of rows) {
        const entry = toNeighbors(row)
        known.set(keyOf(accountId, entry.id), entry)
        found.push(entry)
      }
      return found
    },

    /** Writes what was computed, without waiting for the disk. Entries that do not exist are left out. */
    save(accountId: string, entries: Omit<IndexedNeighbors, 'locale' | 'publishedAt'>[]): void {
      const before = entries.map(({ id }) => known.peek(keyOf(accountId, id)))
      for (const { id } of entries) known.delete(keyOf(accountId, id))
      db.relaxedTransaction(() => {
        for (const { id, length, neighbors, cosines, threshold, computedAt } of entries) {
          db.run(
            `UPDATE related_entries SET length = ?, threshold = ?, computed_at = ?, neighbors = ?
             WHERE id = ? AND group_n IN (SELECT n FROM related_groups WHERE account_id = ?)`,
            length,
            threshold,
            computedAt,
            JSON.stringify([neighbors, cosines]),
            id,
            accountId
          )
        }
      })
      for (const [at, { id, length, neighbors, cosines, threshold, computedAt }] of entries.entries()) {
        // One that was not in memory may not exist.
        const entry = before[at]
        if (entry !== undefined) {
          known.set(keyOf(accountId, id), { ...entry, length, neighbors, cosines, threshold, computedAt })
        }
      }
    },

    /** To be called when the entry itself is changed or removed. */
    forget(accountId: string, id: string): void {
      known.delete(keyOf(accountId, id))
    },

    forgetAll(): void {
      known.clear()
    }
  }
}
