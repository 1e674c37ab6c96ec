import type { FieldError } from '../../../errors.ts'

/** A row of a file. */
export interface Row {
  /** The line where it begins, from 1. */
  line: number
  /**
   * As it came, without its line end; where it takes over cells of other rows, with these filled
   * in, so that it can be sent again alone.
   */
  raw: string
  /**
   * What should be a ProductRow, unchecked; where the row cannot be read, what is known of it or
   * null.
   */
  value: unknown
  externalId: string | null
  /** The price's text digit by digit, where value has one. */
  price: string | null
  /** What is wrong with the reading; pointers go into value. */
  errors: FieldError[]
}

/**
 * A CSV record with its cells as text, trimmed; those of columns that are not taken over, or that
 * it lacks, are empty. One that is no row is a part of others.
 */
export interface CsvRecord {
  line: number
  raw: string
  cells: string[]
  error: FieldError | null
  isRow: boolean
}

/** Makes rows of records. */
export interface Assembler {
  /** Takes the next record; it may give out rows of earlier ones first. */
  take: (record: CsvRecord) => void
  /** Gives out what is held back; there are no more records. */
  end: () => void
  /** Whether reading can be taken up at this record: nothing that is held back belongs to it. */
  canResumeAt: (record: CsvRecord) => boolean
  /**
   * Looks at a part only for what rows later on take over from it; for a dialect in which these may
   * be far apart.
   */
  recall?: (record: CsvRecord) => void
}

/** What a row becomes, field by field. */
export interface Draft {
  value: Record<string, unknown>
  price: string | null
  errors: FieldError[]
}

export function createDraft(): Draft {
  return { value: {}, price: null, errors: [] }
}

/** The row of a record that was read. */
export function toRow({ line, raw }: { line: number; raw: string }, { value, price, errors }: Draft): Row {
  return { line, raw, value, externalId: typeof value.externalId === 'string' ? value.externalId : null, price, errors }
}

/** The row of a record that cannot be read; its id is given where it is known. */
export function unreadableRow({ line, raw, error }: CsvRecord, externalId: string): Row {
  const known = externalId === '' ? null : externalId
  return {
    line,
    raw,
    value: known === null ? null : { externalId: known },
    externalId: known,
    price: null,
    errors: [error!]
  }
}

/** The row with a raw text that is made when it is asked for. */
export function withRaw(row: Row, raw: () => string): Row {
  return Object.defineProperty(row, 'raw', { get: raw, enumerable: true, configurable: true })
}
