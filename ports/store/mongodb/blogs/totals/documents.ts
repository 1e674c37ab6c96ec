import { randomUUID } from 'node:crypto'
import type { Collection } from 'mongodb'
import type { Database } from '../../database.ts'
import { compoundId } from '../../documents.ts'
import type { CountedBlog, CountKind, Counts } from './counts.ts'
import type { CountedTimes } from './times.ts'

/*
 * Totals of lists over MongoDB (decision 40). The counts of an account are one document. A change of a blog marks the
 * blog, in the same update. So at any time
 *
 *   total = stored count + for each marked blog: its state - the state that the counts contain of it (`counted`)
 *
 * The documents of the counts are in the collection of blogs, because one command reads them and the marked blogs, in
 * the order of `totalsKey`: what is cleared, the marked blogs, the counts.
 */

/** Fields of a blog. */
export interface TotalsFields {
  /** Set while the counts may contain another state of the blog. */
  totalsKey?: string
  /** Another one for each change. */
  totalsMark?: string
  /** What the counts contain of the blog. Undefined: nothing. */
  counted?: { generation: number; state: CountedBlog | null }
}

/** A blog whose change is in the counts of a generation. */
export interface FoldedBlog {
  id: string
  mark: string
  state: CountedBlog | null
  /** What the counts by time contained before. Undefined: nothing. */
  from?: CountedTimes
}

/** One document for each account with counts, besides the one that has `cleared`. */
export interface TotalsDocument {
  _id: string
  /** A unique index of blogs needs it: the id. */
  slugKey: string
  totalsKey: string
  /** The last generation of counts whose marks are removed. */
  cleared?: number
  /** Grows with each change of the counts. */
  generation?: number
  counts?: Counts
  /** Kinds of labels of which the account has too many. */
  uncounted?: CountKind[]
  /** The changes that this generation added. Their marks are removed afterwards. */
  folded?: FoldedBlog[]
  /**
   * The generation with which the counts, and those by time, began. Blogs that were counted before it are not in them.
   * Undefined: blogs are not counted by time.
   */
  timesSince?: number
  /** This generation has no counts: all blogs are marked afterwards, so that they are counted by time as well. */
  isRestart?: true
}

type Part = 'begin' | 'changed' | 'counts'

/** The parts of an account sort in the order in which they must be read. */
export const totalsKey = (accountId: string, part: Part): string => compoundId(accountId, part)
export const totalsId = (accountId: string, part: Part): string => compoundId('totals', accountId, part)

/** Matches the ids of all accounts: they start with the same text. */
export const ALL_TOTALS = { $gte: '["totals",', $lt: '["totals"-' } as const

/** Fields to set in every change of a blog. */
export const totalsMark = (accountId: string): Pick<Required<TotalsFields>, 'totalsKey' | 'totalsMark'> => ({
  totalsKey: totalsKey(accountId, 'changed'),
  totalsMark: randomUUID()
})

export const totalsCollection = (database: Database): Collection<TotalsDocument> =>
  database.collection<TotalsDocument>('blogs')
