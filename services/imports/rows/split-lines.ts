import { createMarks, MORE_BYTES, RECORD_BYTES, type Splitter } from './records.ts'

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
