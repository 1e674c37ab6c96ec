import { hash } from 'node:crypto'
import type { Collection } from 'mongodb'
import type { ProductRecord } from '../../port.ts'
import type { Database } from '../database.ts'
import { totalsMark, type TotalsFields } from '../totals/documents.ts'
import type { CountedProduct } from './totals/counts.ts'

/** Timestamps that are stored only while work is pending, so that partial indexes stay small. */
const PENDING_FIELDS = [
  'optimizePendingSince',
  'imageCheckPendingSince',
  'suggestionDueAt',
  'eventPendingSince'
] as const
export type PendingField = (typeof PENDING_FIELDS)[number]

/** The fields that every save writes: the record in a form that MongoDB and its indexes accept. */
export type SavedFields = Omit<ProductRecord, 'id' | 'attributes' | 'claims' | PendingField> & {
  [field in PendingField]?: string
} & {
  /** Pairs, because attribute names may be invalid as MongoDB field names. */
  attributes: [string, string][]
  /**
   * Absent when empty: the unique index ignores documents without claims. During an open batch also
   * the claims that the batch requests.
   */
  claims?: string[]
  /** 48 bits of the title's hash, for lookups by title. Collisions are possible. */
  titleHash: number
}

/**
 * The change that an open batch (see batches.ts) makes to the product, which had version
 * `ifVersion` when it was prepared. `previousClaims` are the current claims if the batch changes
 * them.
 */
export interface PendingChange {
  batch: string
  record: SavedFields
  ifVersion: number | null
  previousClaims?: string[]
}

export interface ProductDocument extends SavedFields, TotalsFields<CountedProduct> {
  _id: string
  pending?: PendingChange
  /**
   * The product does not exist yet: the document has only the keys and claims that it reserves until its batch commits.
   * Or it was deleted, or the document has counts: then it belongs to no account.
   */
  hidden?: true
  /** The product was deleted, and the counts may contain it. Then the document has nothing else. */
  deleted?: true
  /** Tokens of the latest saves, so that a writer recognizes its own save. */
  saveTokens?: string[]
  /** Ids of the latest events about the product, so that each event is applied once. */
  publishedEventIds?: string[]
}

/** Matches the partial indexes that only hold documents with this field. */
export const EXISTS = { $gt: '' } as const
/** Excludes products that an open batch changes. */
export const NOT_IN_BATCH = { pending: { $exists: false } } as const
/** Excludes products that an open batch adds. */
export const NOT_HIDDEN = { hidden: { $exists: false } } as const

export const productCollection = (database: Database): Collection<ProductDocument> =>
  database.collection<ProductDocument>('products')

export function titleHash(title: string): number {
  return hash('sha1', title, 'buffer').readUIntBE(0, 6)
}

export function toProductFields(product: ProductRecord): SavedFields {
  const {
    id,
    attributes,
    claims,
    optimizePendingSince,
    imageCheckPendingSince,
    suggestionDueAt,
    eventPendingSince,
    ...rest
  } = product
  return {
    ...rest,
    attributes: Object.entries(attributes),
    titleHash: titleHash(product.title),
    ...(claims.length === 0 ? {} : { claims }),
    ...(optimizePendingSince === null ? {} : { optimizePendingSince }),
    ...(imageCheckPendingSince === null ? {} : { imageCheckPendingSince }),
    ...(suggestionDueAt === null ? {} : { suggestionDueAt }),
    ...(eventPendingSince === null ? {} : { eventPendingSince })
  }
}

/** The update that replaces all saved fields, and marks the product for totals. Also removes the fields in `unset`. */
export function replaceFields(fields: SavedFields, unset: ('pending' | 'hidden')[] = []) {
  const absent = ([...PENDING_FIELDS, 'claims'] as const).filter((name) => fields[name] === undefined)
  return {
    $set: { ...fields, ...totalsMark(fields.accountId) },
    $unset: Object.fromEntries([...absent, ...unset].map((name) => [name, '' as const]))
  }
}

/** The product without the change of an open batch. */
export function toProductRecord(document: ProductDocument): ProductRecord {
  const {
    _id,
    titleHash,
    pending,
    hidden,
    deleted,
    saveTokens,
    publishedEventIds,
    totalsKey,
    totalsMark,
    counted,
    attributes,
    claims,
    optimizePendingSince,
    imageCheckPendingSince,
    suggestionDueAt,
    eventPendingSince,
    ...rest
  } = document
  return {
    ...rest,
    id: _id,
    attributes: Object.fromEntries(attributes),
    claims: pending?.previousClaims ?? claims ?? [],
    optimizePendingSince: optimizePendingSince ?? null,
    imageCheckPendingSince: imageCheckPendingSince ?? null,
    suggestionDueAt: suggestionDueAt ?? null,
    eventPendingSince: eventPendingSince ?? null
  }
}
