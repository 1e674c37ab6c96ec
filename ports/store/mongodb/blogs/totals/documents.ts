import type { CountedCollection, FoldedRecord, TotalsDocument, TotalsFields } from '../../totals/documents.ts'
import type { CountedBlog, CountKind, Counts } from './counts.ts'
import type { CountedTimes } from './times.ts'

/** The fields of a blog for stored totals (decision 40). */
export type BlogTotalsFields = TotalsFields<CountedBlog>

/** Blogs, of which a unique index needs the slug. */
export const COUNTED_BLOGS: CountedCollection = { name: 'blogs', reserved: (slugKey) => ({ slugKey }) }

/** Fields that the service makes, and that do not count as storage. */
export const SERVICE_FIELDS = ['response'] as const

/** A blog whose change is in the counts of a generation. */
export interface FoldedBlog extends FoldedRecord<CountedBlog> {
  /** What the counts by time contained before. Undefined: nothing. */
  from?: CountedTimes
}

export interface BlogTotalsDocument extends TotalsDocument<Counts, FoldedBlog> {
  /** Kinds of labels of which the account has too many. */
  uncounted?: CountKind[]
  /**
   * The generation with which the counts, and those by time, began. Blogs that were counted before it are not in them.
   * Undefined: blogs are not counted by time.
   */
  timesSince?: number
  /**
   * The generation since which the counts contain sizes. Blogs that were counted before it have none. Undefined: they
   * contain no sizes.
   */
  bytesSince?: number
  /** All blogs are marked after this generation, so that their sizes are counted as well. */
  isRecount?: true
  /** This generation has no counts: all blogs are marked afterwards, so that they are counted by time as well. */
  isRestart?: true
}
