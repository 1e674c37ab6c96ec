import { hash } from 'node:crypto'
import type { Collection } from 'mongodb'
import type { ProductRecord } from '../port.ts'
import type { Database } from './database.ts'

/** Marks are there only where something waits, so that their indexes hold what waits alone. */
const MARKS = ['optimizePendingSince', 'imageCheckPendingSince', 'eventPendingSince'] as const
export type Mark = (typeof MARKS)[number]

/**
 * What is written with every save: the record, but for what MongoDB cannot take or an index must
 * not hold.
 */
export type SavedFields = Omit<ProductRecord, 'id' | 'attributes' | 'claims' | Mark> & { [mark in Mark]?: string } & {
  /** Pairs, because names of attributes are free, and MongoDB's are not. */
  attributes: [string, string][]
  /**
   * Left out when there are none: documents without it do not meet in the unique index. While a
   * batch is open, also those that it wants.
   */
  claims?: string[]
  /**
   * What titles are found by: a number of 48 bits; two titles may have the same one, if hardly
   * ever.
   */
  titleKey: number
}

/**
 * What an open batch (see products-batch-save.ts) makes of the product, which was of `ifVersion`
 * then. `was` are the claims it has until then, where they change.
 */
export interface Pending {
  batch: string
  record: SavedFields
  ifVersion: number | null
  was?: string[]
}

export interface ProductDocument extends SavedFields {
  _id: string
  pending?: Pending
  /**
   * It is not there yet: of all other fields it has only its keys, which it holds for what its
   * batch will make of it.
   */
  hidden?: true
  /** Who saved it last, a few, so that a writer can tell its own save from another's. */
  saves?: string[]
  /** The events that told of it last, a few, so that one is applied once. */
  toldBy?: string[]
}

/** In the words of the indexes that hold only what has a field. */
export const THERE = { $gt: '' } as const
/** Not one that an open batch holds. */
export const FREE = { pending: { $exists: false } } as const
/** Not one that is only to come into being with an open batch. */
export const SHOWN = { hidden: { $exists: false } } as const

export const products = (database: Database): Collection<ProductDocument> =>
  database.collection<ProductDocument>('products')

export function titleKey(title: string): number {
  return hash('sha1', title, 'buffer').readUIntBE(0, 6)
}

export function fieldsOf(product: ProductRecord): SavedFields {
  const { id, attributes, claims, optimizePendingSince, imageCheckPendingSince, eventPendingSince, ...rest } = product
  return {
    ...rest,
    attributes: Object.entries(attributes),
    titleKey: titleKey(product.title),
    ...(claims.length === 0 ? {} : { claims }),
    ...(optimizePendingSince === null ? {} : { optimizePendingSince }),
    ...(imageCheckPendingSince === null ? {} : { imageCheckPendingSince }),
    ...(eventPendingSince === null ? {} : { eventPendingSince })
  }
}

/** The update that makes a document what these fields say; what else `unset` names goes with it. */
export function replacing(fields: SavedFields, unset: ('pending' | 'hidden')[] = []) {
  const gone = ([...MARKS, 'claims'] as const).filter((name) => fields[name] === undefined)
  return { $set: fields, $unset: Object.fromEntries([...gone, ...unset].map((name) => [name, '' as const])) }
}

/** The product as it is before its open batch, if it is in one. */
export function productOf(document: ProductDocument): ProductRecord {
  const {
    _id,
    titleKey,
    pending,
    hidden,
    saves,
    toldBy,
    attributes,
    claims,
    optimizePendingSince,
    imageCheckPendingSince,
    eventPendingSince,
    ...rest
  } = document
  return {
    ...rest,
    id: _id,
    attributes: Object.fromEntries(attributes),
    claims: pending?.was ?? claims ?? [],
    optimizePendingSince: optimizePendingSince ?? null,
    imageCheckPendingSince: imageCheckPendingSince ?? null,
    eventPendingSince: eventPendingSince ?? null
  }
}
