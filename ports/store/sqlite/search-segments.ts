import { ApiError } from '../../../errors.ts'
import { createYielder } from '../../../lib/async.ts'
import type { Database } from './database.ts'

/*
 * FTS5 writes the terms of each transaction to a segment of their own, and merges segments so that a search has to read
 * only a few. By default it does that in the transaction of a write: every now and then, one short post took as long
 * as merging thousands of pages. So it is turned off, and each write merges a few pages in transactions of their own,
 * between which others are served. What one write does not complete, the next ones continue: the position is in the
 * index (https://sqlite.org/fts5.html#the_merge_command).
 */

/** Segments of one size are merged when there are so many. */
const MERGED_SEGMENTS = {
  blog_search: 8,
  product_search: 8,
  // Each publication looks for many terms, in all segments: with 8, that takes half as long again.
  related_search: 4
}
/** A write merges so many at once, in its transaction, if steps have not sufficed. */
const MAX_SEGMENTS = 32
/** Pages that a step writes, of 4,050 bytes. It takes some 2 ms of CPU time. */
const PAGES_OF_STEP = 16
/**
 * A new term and its prefixes take about 30 bytes. Until they are in a segment that grows no more, they are written
 * some four times: eight to the power of four segments are more than a large index has.
 */
const TERMS_OF_STEP = 500

/** Turns off the merges of FTS5 itself. The settings are stored in the index. */
const turnOffMerges = (index: SearchIndex): string => `
INSERT INTO ${index} (${index}, rank)
VALUES ('automerge', 0), ('usermerge', ${MERGED_SEGMENTS[index]}), ('crisismerge', ${MAX_SEGMENTS})`

/** A full-text index whose segments are merged in steps. */
type SearchIndex = keyof typeof MERGED_SEGMENTS

export const SEARCH_SEGMENTS_SCHEMA = turnOffMerges('blog_search')
export const RELATED_SEGMENTS_SCHEMA = turnOffMerges('related_search')
export const PRODUCT_SEGMENTS_SCHEMA = turnOffMerges('product_search')

/** Returns a function to call after a write of so many terms. It merges segments in steps, if there are enough. */
export function createSegmentMerges(db: Database, index: SearchIndex): (terms: number) => Promise<void> {
  const pause = createYielder()
  const countChanges = (): number => db.one<{ count: number }>('SELECT total_changes() AS count')!.count

  /** Whether there was something to merge: otherwise, FTS5 changes at most one row. */
  const mergeStep = (): boolean =>
    db.relaxedTransaction(() => {
      const before = countChanges()
      db.run(`INSERT INTO ${index} (${index}, rank) VALUES ('merge', ?)`, PAGES_OF_STEP)
      return countChanges() - before > 1
    })

  return async (terms) => {
    for (let steps = 1 + Math.ceil(terms / TERMS_OF_STEP); steps > 0; steps--) {
      await pause()
      try {
        if (!mergeStep()) return
      } catch (error) {
        // The write is stored. What fails here also fails for the next write.
        if (error instanceof ApiError) return
        throw error
      }
    }
  }
}
