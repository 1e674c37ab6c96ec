import {
  createMarks,
  DOUBLED,
  MORE_BYTES,
  PLAIN,
  QUOTED,
  RECORD_BYTES,
  type RecordFault,
  type Splitter
} from './splitter.ts'

const QUOTE = 0x22
const CR = 0x0d
const TAB = 0x09
const SPACE = 0x20

/**
 * Splits CSV (RFC 4180) into records and cells. All delimiters are ASCII, and no other character of
 * UTF-8 or Windows-1252 contains an ASCII byte, so that the splitter can work on bytes. Two
 * deviations from the RFC are accepted: blanks after a closing quote, and quotes within an unquoted
 * cell.
 *
 * An unclosed quote would swallow the following rows. If a record of several lines is invalid (text
 * after a closing quote, too long, or end of file within quotes), only its first line is reported
 * as invalid, and reading continues at the second line. A record depends only on the bytes from its
 * beginning on, so that reading can resume at any record.
 */
export function createCsvSplitter({
  delimiter,
  lineEndByte,
  columns
}: {
  delimiter: number
  lineEndByte: number
  columns: number
}): Splitter {
  const marks = createMarks(columns)
  const { starts, ends, kinds } = marks
  /**
   * The last path through quoted line ends, so that many invalid lines do not each cause a scan to
   * the same distant end. A record that is within quotes at a line end between `from` and `to`
   * follows the same path, which `failed`, or has not ended at `reach`.
   */
  const knownPath = { from: 0, to: -1, reach: 0, failed: false }
  let firstBreak = -1
  let lastBreak = -1
  let breaks = 0
  let high = 0
  let kind = PLAIN

  /**
   * Returns the position of the closing quote, or the number of bytes if there is none yet, or a
   * negative number if the path is known to fail.
   */
  function closingQuote(bytes: Buffer, start: number, from: number): number {
    const length = bytes.length
    let i = from
    for (; i < length; i++) {
      const byte = bytes[i]!
      if (byte === QUOTE) {
        if (bytes[i + 1] !== QUOTE) return i
        kind = DOUBLED
        i++
      } else if (byte === lineEndByte) {
        breaks++
        lastBreak = i
        if (firstBreak === -1 && isKnownToFail(i, start)) return -1
      } else high |= byte
    }
    return length
  }

  /**
   * Records the first line end of the record. Returns whether the path from there is known to fail.
   */
  function isKnownToFail(at: number, start: number): boolean {
    firstBreak = at
    return at >= knownPath.from && at < knownPath.to && (knownPath.failed || knownPath.reach - start > RECORD_BYTES + 1)
  }

  /** The end of an unquoted cell. */
  function plainEnd(bytes: Buffer, from: number): number {
    const length = bytes.length
    let bits = 0
    let i = from
    for (; i < length; i++) {
      const byte = bytes[i]!
      if (byte === delimiter || byte === lineEndByte) break
      bits |= byte
    }
    high |= bits
    return i
  }

  function rememberPath(reach: number, failed: boolean): void {
    if (firstBreak === -1) return
    knownPath.from = firstBreak
    knownPath.to = lastBreak + 1
    knownPath.reach = reach
    knownPath.failed = failed
  }

  /** Ends the record at the line end at `stop`. */
  function end(bytes: Buffer, start: number, stop: number): number {
    marks.end = stop > start && stop < bytes.length && bytes[stop - 1] === CR ? stop - 1 : stop
    marks.nonAscii = high > 0x7f
    return Math.min(stop + 1, bytes.length)
  }

  /** Reports the text before `stop`, the first line, as an invalid record. */
  function rejectRecord(
    bytes: Buffer,
    start: number,
    { fault = 'unclosed_quote', stop = firstBreak }: { fault?: RecordFault; stop?: number } = {}
  ): number {
    const next = end(bytes, start, stop)
    marks.fault = marks.end - start > RECORD_BYTES ? 'too_long' : fault
    marks.breaks = 0
    marks.nonAscii = true
    marks.cells = Math.min(marks.cells, columns)
    while (marks.cells > 0 && ends[marks.cells - 1]! > stop) marks.cells--
    return next
  }

  /** Handles bytes that end before the record does. */
  function handleUnfinished(bytes: Buffer, start: number, final: boolean): number {
    const { length } = bytes
    const tooLong = length - start > RECORD_BYTES + 1
    rememberPath(length, final)
    if (firstBreak !== -1 && (final || tooLong)) return rejectRecord(bytes, start)
    return final ? rejectRecord(bytes, start, { stop: length }) : MORE_BYTES
  }

  /** Handles text after a closing quote at `at`. */
  function handleTextAfterQuote(bytes: Buffer, start: number, { at, final }: { at: number; final: boolean }): number {
    if (firstBreak !== -1) {
      rememberPath(at, true)
      return rejectRecord(bytes, start)
    }
    const stop = bytes.indexOf(lineEndByte, at)
    if (stop === -1 && !final) return MORE_BYTES
    return rejectRecord(bytes, start, { fault: 'text_after_quote', stop: stop === -1 ? bytes.length : stop })
  }

  /** Ends a complete record at `stop`. */
  function finishRecord(bytes: Buffer, start: number, stop: number): number {
    const next = end(bytes, start, stop)
    if (marks.end - start <= RECORD_BYTES) {
      marks.breaks = breaks
      return next
    }
    rememberPath(stop, false)
    return rejectRecord(bytes, start, firstBreak === -1 ? { stop } : {})
  }

  function next(bytes: Buffer, start: number, final: boolean): number {
    const { length } = bytes
    firstBreak = lastBreak = -1
    breaks = high = 0
    marks.fault = null
    marks.cells = 0
    let i = start
    for (;;) {
      let from = i
      let to = i
      kind = PLAIN
      if (i < length && bytes[i] === QUOTE) {
        kind = QUOTED
        from = i + 1
        to = closingQuote(bytes, start, from)
        if (to === -1) return rejectRecord(bytes, start)
        if (to === length) return handleUnfinished(bytes, start, final)
        i = skipBlanks(bytes, to + 1)
        if (i < length && bytes[i] !== delimiter && bytes[i] !== lineEndByte) {
          return handleTextAfterQuote(bytes, start, { at: i, final })
        }
      } else {
        to = i = plainEnd(bytes, i)
      }
      if (i >= length && !final) return handleUnfinished(bytes, start, final)
      const cell = marks.cells++
      if (cell < columns) {
        starts[cell] = from
        ends[cell] = to
        kinds[cell] = kind
      }
      if (i >= length || bytes[i] !== delimiter) return finishRecord(bytes, start, i)
      i++
    }
  }

  function skipBlanks(bytes: Buffer, from: number): number {
    let i = from
    while (
      i < bytes.length &&
      bytes[i] !== delimiter &&
      bytes[i] !== lineEndByte &&
      (bytes[i] === SPACE || bytes[i] === TAB || bytes[i] === CR)
    ) {
      i++
    }
    return i
  }

  return {
    marks,
    next,
    shift(by) {
      knownPath.from -= by
      knownPath.to -= by
      knownPath.reach -= by
    }
  }
}
