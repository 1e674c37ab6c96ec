import { IMPORT_ROW_BYTES } from '../../../schemas/product-import.ts'

/** Why a record cannot be read. */
export type RecordFault = 'too_long' | 'unclosed_quote' | 'text_after_quote'

/** Said by a splitter when the bytes end before the record does. */
export const MORE_BYTES = -1
/** Longest record in bytes, its line end not counted. */
export const RECORD_BYTES = IMPORT_ROW_BYTES

export const PLAIN = 0
export const QUOTED = 1
/** Quoted, with doubled quotes within. */
export const DOUBLED = 2

/**
 * Where the parts of the record lie that was split off last; offsets are into the bytes that it was
 * found in. It is written over by the next one.
 */
export interface Marks {
  /** End of the record, its line end not included. */
  end: number
  /** Line ends within it. */
  breaks: number
  nonAscii: boolean
  fault: RecordFault | null
  /** How many cells it has; only as many are marked as there are columns. */
  cells: number
  starts: Int32Array
  ends: Int32Array
  /** PLAIN, QUOTED or DOUBLED of each cell. */
  kinds: Uint8Array
}

/** Finds the records in bytes, one after another. */
export interface Splitter {
  marks: Marks
  /**
   * Splits off the record that begins at `start` and returns where the next one begins; MORE_BYTES
   * when it is not `final` and the bytes do not tell.
   */
  next: (bytes: Buffer, start: number, final: boolean) => number
  /** Says that the bytes that come next begin this much later than the last ones did. */
  moved: (bytes: number) => void
}

export function createMarks(columns: number): Marks {
  return {
    end: 0,
    breaks: 0,
    nonAscii: false,
    fault: null,
    cells: 0,
    starts: new Int32Array(columns),
    ends: new Int32Array(columns),
    kinds: new Uint8Array(columns)
  }
}

const CR = 0x0d

/** Splits at every line end (its last byte is given), as NDJSON wants it. */
export function createLineSplitter(lineEndByte: number): Splitter {
  const marks = createMarks(0)
  return {
    marks,
    next(bytes, start, final) {
      const found = bytes.indexOf(lineEndByte, start)
      if (found === -1 && !final) return MORE_BYTES
      const stop = found === -1 ? bytes.length : found
      marks.end = stop > start && bytes[stop - 1] === CR ? stop - 1 : stop
      marks.fault = marks.end - start > RECORD_BYTES ? 'too_long' : null
      return found === -1 ? stop : stop + 1
    },
    moved() {}
  }
}
