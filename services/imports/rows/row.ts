import type { FieldError } from '../../../errors.ts'

/** A row of a file. */
export interface Row {
  /** The line where the row begins, from 1. */
  line: number
  /**
   * The original text without its line end. Cells inherited from other rows are filled in, so that
   * the row can be uploaded separately.
   */
  raw: string
  /** The original text without inherited cells. */
  record: string
  /** The not validated ProductRow. For an unreadable row, the known fields or null. */
  value: unknown
  externalId: string | null
  /** The decimal text of the price, if `value` has one. */
  price: string | null
  /** Errors found while reading; pointers are relative to `value`. */
  errors: FieldError[]
}

/**
 * A CSV record with its trimmed cells. Missing cells and cells of unused columns are empty. If
 * `isRow` is false, the record is a part of other rows.
 */
export interface CsvRecord {
  line: number
  raw: string
  cells: string[]
  error: FieldError | null
  isRow: boolean
}

/** Builds rows from records. */
export interface Assembler {
  /** Adds the next record. Call `end` before, if reading can resume at the record. */
  take: (record: CsvRecord) => void
  /** Emits buffered rows, before a record that does not belong to them, and after the last one. */
  end: () => Generator<void, void>
  /** Whether reading can resume at this record: no buffered record belongs to it. */
  canResumeAt: (record: CsvRecord) => boolean
  /**
   * Reads only the data that later rows inherit from this part. For dialects in which a part and
   * its rows may be far apart.
   */
  recall?: (record: CsvRecord) => void
}

/** A row under construction. */
export interface Draft {
  value: Record<string, unknown>
  price: string | null
  errors: FieldError[]
}

export function createDraft(): Draft {
  return { value: {}, price: null, errors: [] }
}

/** The row of a record. */
export function toRow({ line, raw }: { line: number; raw: string }, { value, price, errors }: Draft): Row {
  return {
    line,
    raw,
    record: raw,
    value,
    externalId: typeof value.externalId === 'string' ? value.externalId : null,
    price,
    errors
  }
}

/** The row of an unreadable record; its id is included if known. */
export function unreadableRow({ line, raw, error }: CsvRecord, externalId: string): Row {
  const known = externalId === '' ? null : externalId
  return {
    line,
    raw,
    record: raw,
    value: known === null ? null : { externalId: known },
    externalId: known,
    price: null,
    errors: [error!]
  }
}

/** Replaces the raw text with a lazily computed one. It is computed at each access. */
export function withRaw(row: Row, raw: () => string): Row {
  return Object.defineProperty(row, 'raw', { get: raw, enumerable: true, configurable: true })
}
