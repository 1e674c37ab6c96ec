import { IMPORT_ROW_BYTES } from '../../../schemas/product-import.ts'

/** Why a record cannot be read. */
export type RecordFault = 'too_long' | 'unclosed_quote' | 'text_after_quote'

/** Returned by a splitter if the bytes end before the record does. */
export const MORE_BYTES = -1
/** Maximum length of a record in bytes, without its line end. */
export const RECORD_BYTES = IMPORT_ROW_BYTES

export const PLAIN = 0
export const QUOTED = 1
/** Quoted, with doubled quotes inside. */
export const DOUBLED = 2

/**
 * Offsets of the last split record, relative to the bytes passed to the splitter. Overwritten by
 * the next record.
 */
export interface Marks {
  /** End of the record, without its line end. */
  end: number
  /** Number of line ends within the record. */
  breaks: number
  nonAscii: boolean
  fault: RecordFault | null
  /** Number of cells. Only as many cells as there are columns have offsets. */
  cells: number
  starts: Int32Array
  ends: Int32Array
  /** PLAIN, QUOTED or DOUBLED for each cell. */
  kinds: Uint8Array
}

/** Splits bytes into records. */
export interface Splitter {
  marks: Marks
  /**
   * Splits the record that begins at `start` and returns the start of the next one. Returns
   * MORE_BYTES if the bytes are not `final` and the record may continue.
   */
  next: (bytes: Buffer, start: number, final: boolean) => number
  /** Announces that the next bytes begin at this offset of the previous bytes. */
  shift: (bytes: number) => void
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
    shift() {}
  }
}
