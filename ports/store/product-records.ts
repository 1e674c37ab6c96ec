import type {
  Availability,
  ProductStatus,
  ProductWarning,
  SeoField,
  SeoSource,
  UpsertResult
} from '../../schemas/product.ts'
import type { ImportFile, ImportStatus } from '../../schemas/product-import.ts'
import type { FieldError } from '../../errors.ts'

type Time = string

/**
 * What callers say of a product; text as it was sent but trimmed and in NFC, what is unknown null
 * or empty.
 */
export interface ProductInputs {
  title: string
  sku: string | null
  description: string | null
  /** The decimal number digit by digit as it was sent, without an exponent; never a float. */
  price: string | null
  category: string | null
  url: string | null
  imageUrl: string | null
  images: string[]
  brand: string | null
  gtin: string | null
  mpn: string | null
  currency: string | null
  availability: Availability | null
  locale: string | null
  attributes: Record<string, string>
  tags: string[]
}

/** One output, and who made it. What a person wrote is never overwritten by a machine. */
export interface SeoValue {
  value: string
  source: SeoSource
}
export type SeoValues = Record<SeoField, SeoValue | null>

/** What was found at imageUrl. `url` is the one that was looked at. */
export interface ImageCheck {
  url: string
  checkedAt: Time
  warning: ProductWarning | null
}

/**
 * Unique by id, by (accountId, projectId, externalId), and each of its claims by (accountId,
 * projectId, claim).
 */
export interface ProductRecord extends ProductInputs {
  id: string
  accountId: string
  projectId: string
  externalId: string
  /** Grows by one with every save. */
  version: number
  status: ProductStatus
  seo: SeoValues
  /**
   * Words that no other product of the project has: its handle, and digests of its machine-made
   * texts.
   */
  claims: string[]
  /** Folded words of title, sku, externalId and brand, each once; for the search. */
  terms: string[]
  /**
   * Digest of the inputs, rules and settings that the outputs were made from; null: never made, or
   * to be made in any case.
   */
  optimizedFromDigest: string | null
  /** Since when it waits to be optimized; null: it does not. */
  optimizePendingSince: Time | null
  /** Since when its picture waits to be looked at; null: it does not. */
  imageCheckPendingSince: Time | null
  imageCheck: ImageCheck | null
  /** Digest of the seven outputs as they were told last; null: never. */
  publishedDigest: string | null
  /** When outputs last changed that were not told yet; null: there is nothing to tell. */
  eventPendingSince: Time | null
  /**
   * The import that saved it last, so that a portion that is done again after a crash is counted as
   * the first time.
   */
  lastImport: {
    importId: string
    line: number
    result: UpsertResult /** Of the rows of the same portion that said more of it, to that line. */
    later?: UpsertResult[]
  } | null
  createdAt: Time
  /** When what a caller sees last changed. */
  updatedAt: Time
}

/** Unique by id. The upload itself is a file. */
export interface ImportRecord {
  id: string
  accountId: string
  projectId: string
  status: ImportStatus
  file: ImportFile
  /** Which column of a CSV is which field, where the caller said so. */
  mapping: Record<string, string> | null
  cancelRequested: boolean
  total: number
  /**
   * How far it is: rows done, and the byte and line where the next one begins. Rows before it are
   * committed.
   */
  processed: number
  nextByte: number
  nextLine: number
  created: number
  updated: number
  unchanged: number
  failed: number
  repeated: number
  reason: string | null
  createdAt: Time
  startedAt: Time | null
  finishedAt: Time | null
}

/** Unique by (importId, line). */
export interface ImportErrorRecord {
  importId: string
  line: number
  externalId: string | null
  /** The row as it came, without its line end. */
  row: string
  errors: FieldError[]
}
