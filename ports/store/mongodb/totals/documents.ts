import { randomUUID } from 'node:crypto'
import type { Collection } from 'mongodb'
import type { Database } from '../database.ts'
import { compoundId } from '../documents.ts'

/*
 * Stored totals of the records of an account (decision 40). The counts of an account are one document. A change of a
 * record marks the record, in the same update. So at any time
 *
 *   total = stored count + for each marked record: its state - the state that the counts contain of it (`counted`)
 *
 * The documents of the counts are in the collection of the records, because one command reads them and the marked
 * records, in the order of `totalsKey`: what is cleared, the marked records, the counts.
 */

/** Fields of a record. `State`: what totals depend on. */
export interface TotalsFields<State> {
  /** Set while the counts may contain another state of the record. */
  totalsKey?: string
  /** Another one for each change. */
  totalsMark?: string
  /** What the counts contain of the record. Undefined: nothing. */
  counted?: { generation: number; state: State | null }
}

/** A record whose change is in the counts of a generation. */
export interface FoldedRecord<State> {
  id: string
  mark: string
  /** Null for a deleted record. */
  state: State | null
}

/** One document for each account with counts, besides the one that has `cleared`. */
export interface TotalsDocument<Counts, Folded> {
  _id: string
  totalsKey: string
  /** The last generation of counts whose marks are removed. */
  cleared?: number
  /** Grows with each change of the counts. */
  generation?: number
  counts?: Counts
  /** The parts of the counts that would be too large. */
  uncounted?: string[]
  /** The changes that this generation added. Their marks are removed afterwards. */
  folded?: Folded[]
  /** Until then, the counts stay as they are: see `holds.ts`. */
  heldUntilMs?: number
}

/** A collection whose records are counted. */
export interface CountedCollection {
  name: 'blogs' | 'products'
  /** Fields of a document that is no record, which unique indexes of the collection need. */
  reserved: (id: string) => object
}

type Part = 'begin' | 'changed' | 'counts'

/** The parts of an account sort in the order in which they must be read. */
export const totalsKey = (accountId: string, part: Part): string => compoundId(accountId, part)
export const totalsId = (accountId: string, part: Part): string => compoundId('totals', accountId, part)

/** Matches the ids of all accounts: they start with the same text. */
export const ALL_TOTALS = { $gte: '["totals",', $lt: '["totals"-' } as const

/** Matches what is marked of an account. The first condition is the one of the index. */
export const markedOf = (accountId: string) => ({
  totalsKey: { $gt: '' },
  $and: [{ totalsKey: totalsKey(accountId, 'changed') }]
})

/** Fields to set in every change of a record, or of several. */
export const totalsMark = (accountId: string): Pick<Required<TotalsFields<never>>, 'totalsKey' | 'totalsMark'> => ({
  totalsKey: totalsKey(accountId, 'changed'),
  totalsMark: randomUUID()
})

/** The field of a name for any text: without periods and a leading dollar sign, and not empty. */
export const encodeName = (text: string): string => `=${encodeURIComponent(text.toWellFormed()).replaceAll('.', '%2E')}`
export const decodeName = (name: string): string => decodeURIComponent(name.slice(1))

export const totalsCollection = <Stored extends { _id: string }>(
  database: Database,
  { name }: CountedCollection
): Collection<Stored> => database.collection<Stored>(name)
