import { LRUCache } from 'lru-cache'
import { createYielder } from '../../../lib/async.ts'
import { unpackTerms } from '../../../lib/packed-terms.ts'
import type { Database } from './database.ts'

/*
 * The terms of the index of related blogs: which entries have a term, and how many. A row for each term of each entry
 * would be in hundreds of places of an index, so that each blog would write hundreds of pages. So entries are found
 * by an index of FTS5, which appends, and counts are added to their table for many entries at once. Until then, an
 * entry is not `counted`, and the counts of its terms are in memory.
 */

/** Entries of a group whose terms are counted together. */
export const COUNTED_AT_ONCE = 256
/** Counts that are written in one transaction, so that other requests do not wait for long. */
const COUNTS_AT_ONCE = 1000
/** Groups whose counts are in memory: each has up to some ten thousand terms. */
const GROUPS_IN_MEMORY = 8

/** An entry of the index. */
export interface TermsOwner {
  groupN: number
  n: number
  /** Whether the table of counts has its terms. */
  counted: 0 | 1
}

interface Uncounted {
  entries: number
  counts: Map<number, number>
}

const ADD = `
  INSERT INTO related_term_counts (group_n, term, blogs) VALUES (?, ?, ?)
  ON CONFLICT (group_n, term) DO UPDATE SET blogs = blogs + excluded.blogs`
const UNCOUNTED = 'SELECT terms FROM related_entries WHERE group_n = ? AND counted = 0'

/** A token of the full-text index. Groups have tokens of their own. */
const toToken = (group: string, term: number): string => group + (term >>> 0).toString(16).padStart(8, '0')
const toDigits = (groupN: number): string => groupN.toString(16).padStart(8, '0')

/**
 * Methods that change terms are called inside a transaction that also changes the entry, and `forget` after one that
 * failed.
 */
export function createRelatedTerms(db: Database) {
  const groups = new LRUCache<number, Uncounted>({ max: GROUPS_IN_MEMORY })

  function uncountedOf(groupN: number): Uncounted {
    const known = groups.get(groupN)
    if (known !== undefined) return known
    const rows = db.all<{ terms: Uint8Array }>(UNCOUNTED, groupN)
    const uncounted = { entries: rows.length, counts: new Map<number, number>() }
    for (const { terms } of rows) addCounts(uncounted, unpackTerms(terms).terms, 1)
    groups.set(groupN, uncounted)
    return uncounted
  }

  function addCounts({ counts }: Uncounted, terms: Iterable<number>, by: 1 | -1): void {
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + by)
  }

  /** Counts that are not in memory are read when they are needed, with this change. */
  function changeUncounted(groupN: number, terms: Iterable<number>, by: { entries: 1 | 0 | -1; terms: 1 | -1 }): void {
    const known = groups.get(groupN)
    if (known === undefined) return
    known.entries += by.entries
    addCounts(known, terms, by.terms)
  }

  function changeCounted(groupN: number, terms: Iterable<number>, by: 1 | -1): void {
    for (const term of terms) {
      db.run(ADD, groupN, term, by)
      if (by < 0) db.run('DELETE FROM related_term_counts WHERE group_n = ? AND term = ? AND blogs <= 0', groupN, term)
    }
  }

  function index({ groupN, n }: Pick<TermsOwner, 'groupN' | 'n'>, terms: Int32Array): void {
    const group = toDigits(groupN)
    const tokens = Array.from(terms, (term) => toToken(group, term)).join(' ')
    db.run('INSERT OR REPLACE INTO related_search (rowid, terms) VALUES (?, ?)', n, tokens)
  }

  return {
    /** Adds the terms of a new entry, which is not counted. */
    add(groupN: number, n: number, terms: Int32Array): void {
      changeUncounted(groupN, terms, { entries: 1, terms: 1 })
      index({ groupN, n }, terms)
    },
    replace(owner: TermsOwner, before: Int32Array, terms: Int32Array): void {
      const [old, current] = [new Set(before), new Set(terms)]
      for (const [some, by] of [
        [old.difference(current), -1],
        [current.difference(old), 1]
      ] as const) {
        if (owner.counted === 1) changeCounted(owner.groupN, some, by)
        else changeUncounted(owner.groupN, some, { entries: 0, terms: by })
      }
      index(owner, terms)
    },
    remove({ groupN, n, counted }: TermsOwner, terms: Int32Array): void {
      if (counted === 1) changeCounted(groupN, terms, -1)
      else changeUncounted(groupN, terms, { entries: -1, terms: -1 })
      db.run('DELETE FROM related_search WHERE rowid = ?', n)
    },
    /** Forgets what is in memory. It is read again. */
    forget(): void {
      groups.clear()
    },
    /** In how many entries of the group each term occurs. */
    count(groupN: number, terms: Int32Array): Int32Array {
      const { counts } = uncountedOf(groupN)
      const rows = db.all<{ term: number; blogs: number }>(
        `SELECT term, blogs FROM related_term_counts WHERE group_n = ? AND term IN (SELECT value FROM json_each(?))`,
        groupN,
        JSON.stringify([...terms])
      )
      const stored = new Map(rows.map(({ term, blogs }) => [term, blogs]))
      return terms.map((term) => (stored.get(term) ?? 0) + (counts.get(term) ?? 0))
    },
    /** The newest entries of the group with at least one of the terms. */
    find(groupN: number, terms: Int32Array, limit: number): number[] {
      if (terms.length === 0) return []
      const group = toDigits(groupN)
      return db
        .all<{ n: number }>(
          'SELECT rowid AS n FROM related_search WHERE related_search MATCH ? ORDER BY rowid DESC LIMIT ?',
          Array.from(terms, (term) => toToken(group, term)).join(' OR '),
          limit
        )
        .map(({ n }) => n)
    },
    /**
     * Counts the terms of entries that are not counted if there are many, in steps with pauses. A crash in between
     * leaves counts that are too high by those of the steps before it: only the weights of terms depend on them.
     */
    async countMany(groupN: number): Promise<void> {
      const { entries, counts } = uncountedOf(groupN)
      if (entries < COUNTED_AT_ONCE) return
      const pause = createYielder()
      // In the order of the table, so that each of its pages is written once.
      const sorted = [...counts].filter(([, blogs]) => blogs > 0).sort(([a], [b]) => a - b)
      for (let start = 0; start < sorted.length; start += COUNTS_AT_ONCE) {
        const some = sorted.slice(start, start + COUNTS_AT_ONCE)
        db.relaxedTransaction(() => {
          for (const [term, blogs] of some) db.run(ADD, groupN, term, blogs)
        })
        for (const [term] of some) counts.delete(term)
        await pause()
      }
      db.relaxedTransaction(() =>
        db.run('UPDATE related_entries SET counted = 1 WHERE group_n = ? AND counted = 0', groupN)
      )
      groups.delete(groupN)
    }
  }
}
